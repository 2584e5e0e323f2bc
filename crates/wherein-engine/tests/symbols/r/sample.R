# Orders of the shop.
library(dplyr)

MAX_ITEMS <- 3
cache = new.env()
"quoted_name" <- 1

#' Sums the orders.
#'
#' @param orders a data frame
#' @export
order_total <- function(orders, na.rm = TRUE) {
  subtotal <- sum(orders$price, na.rm = na.rm)
  helper <- function(x) x * 2
  dplyr::filter(orders, price > 0)
  helper(subtotal)
}

print.order <- function(x, ...) {
  cat("order", format(x$id), "\n")
  invisible(x)
}

square = \(x) x^2

größe <- function(x) length(x)

if (interactive()) debug_level <- 2
assigned <- NULL
42 -> answer

`%+%` <- function(a, b) paste0(a, b)

#' The class of orders.
setClass("Order", representation(id = "numeric"))

setGeneric("total", function(object, ...) standardGeneric("total"))

# Adds up.
setMethod("total", "Order", function(object, ...) {
  object@price
})

setRefClass("Basket", fields = list(items = "list"), methods = list(
  add = function(item) {
    items <<- append(items, item)
  }
))

#' A stack.
Stack <- R6Class("Stack",
  public = list(
    items = NULL,
    #' Adds one.
    push = function(x) {
      self$items <- c(self$items, x)
    },
    size = function() length(self$items)
  ),
  private = list(
    secret = 1
  )
)

Account <- setRefClass("Account", fields = list(balance = "numeric"))

counter$reset <- function() 0

test_that("totals add up", {
  expect_equal(order_total(orders), 3)
})

orders |> order_total() |> print()

setMethod("show", signature("Order"), function(object) cat("order"))

local <- local({
  hidden <- 1
  visible <- function() hidden
})
