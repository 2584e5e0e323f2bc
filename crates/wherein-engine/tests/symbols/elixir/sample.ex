# Orders of a shop.

defmodule Shop.Order do
  @moduledoc """
  What is bought.

  Once.
  """
  use GenServer
  alias Shop.{Item, Part}

  @limit 10
  @behaviour Priced
  defstruct [:id, name: "order"]

  @typedoc "Its number."
  @type id :: integer()
  @typep list(x) :: [x]
  @callback price(id) :: integer

  @doc """
  Finds one.
  """
  @doc since: "1.0"
  @spec find(id) :: t
  def find(id) when is_integer(id) do
    local = helper(id)
    "order #{name_of(local)}" |> String.upcase() |> IO.puts()
  end

  @doc "Adds them."
  def total, do: Enum.map([1], fn x -> x.cost(2) end)

  @impl true
  def handle_call(:get, _from, state), do: {:reply, state, state}
  defp helper(x, y \\ 1), do: x + y

  # A macro.
  defmacro square(x) do
    quote do
      unquote(x) * 2
    end
  end

  defguard is_big(x) when x > 10
  def a <> b, do: join(a, b)
  defdelegate put(a, b), to: Map

  defmodule Inner do
    def run(), do: ~s(raw text #{go(1)})
  end
end

defprotocol Priced do
  @doc "Its price."
  def price(x)
end

defimpl Priced, for: Shop.Order do
  def price(x), do: x.price.()
end

defmodule Shop.Router do
  scope "/api", Shop do
    get "/orders/:id", OrderController, :show
    post("/orders", OrderController, :create)
  end

  get "/health" do
    send_resp(conn, 200, 'ok')
  end
end

defmodule Shop.OrderTest do
  describe "total" do
    @tag :slow
    test "adds 수주", %{conn: conn} do
      assert total(?x) == 2
    end
  end
end
