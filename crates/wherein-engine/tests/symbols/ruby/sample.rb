# frozen_string_literal: true

require "json"

LIMIT = 10
$verbose = false
names = []

# Orders of a shop.
module Shop
  Point = Struct.new(:x, :y) do
    def length
      Math.sqrt(x * x)
    end
  end

  # What is bought.
  #
  # Once.
  class Order < ApplicationRecord
    RATE = 1.5
    @@count = 0

    attr_accessor :id, :name
    belongs_to :customer
    has_many :items, dependent: :destroy
    scope :recent, -> { where("created_at > ?", 1.day.ago) }

    def initialize(id)
      @id = id
      local = "order #{name_of(id)}"
      puts(local)
    end

    # Finds one.
    def self.find(id)
      new(id) || Order.new(0)
    end

    def total=(value); @total = value; end

    def ==(other)
      id.eql?(other.id)
    end

    class << self
      def reset!
        cache&.clear
      end
    end

    alias sum total
    alias_method :price, :total
    define_method(:twice) { |x| x * 2 }

    private def secret = Vault::Key.new(:a)
  end

  class Error < StandardError; end
  class Shop::Late < Error; end
end

# 수주를 찾는다.
def 찾기(번호)
  번호.to_s
end

def Shop.open; end

describe Shop::Order do
  it "has a total" do
    expect(order.total).to eq(<<~TEXT)
      text (here)
    TEXT
  end
end

Rails.application.routes.draw do
  get "/orders/:id", to: "orders#show"
  post "/orders" => "orders#create"
end

get "/health" do
  json(:ok)
end

class ::Rooted
end
