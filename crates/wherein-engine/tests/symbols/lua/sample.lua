-- Orders of a shop.
local json = require("json")
local M, helper = {}, nil
local LIMIT <const> = 10
local count
VERBOSE = true
title = "shop"

M.version = "1.0"

--- Adds an order.
-- @param order what is bought
function M.add(order)
  local total = order:price() + M.tax(order)
  local function twice(x)
    return x * 2
  end
  print(string.format("order %d", twice(total)))
  return total
end

function M.orders.find(id) return id end

--[[ Its price. ]]
function M:price()
  return self.cost
end

local function first(list)
  return list[1]
end

M.tax = function(order)
  return tax_of "order"
end

local handler = function() end

M.events = {
  limit = 3,
  on_open = function(event)
    handler(event)
  end,
  ["on_close"] = function() end,
}

-- 수주를 찾는다.
function open_all()
  for _, item in ipairs(M) do
    local value = item
  end
  return [[raw (text)]]
end

return setmetatable(M, { __index = function(t, k) return rawget(t, k) end })
