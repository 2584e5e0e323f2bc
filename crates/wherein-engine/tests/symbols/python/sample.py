"""A module."""
import os

LIMIT = 3
cache = {}


# Above the decorator.
@app.route("/orders", methods=["POST"])
def create(order):
    """Makes an order.

    And more.
    """
    total = add(order.price, 2)
    return order.save(total)


class Store(Base):
    """Keeps orders."""

    name = "store"

    def __init__(self, path):
        self.path = path

    @property
    @cached
    def size(self) -> int:
        def inner():
            return f"size {self.path}"

        return len(inner())


async def fetch(url: str) -> bytes: ...


수주 = 1


def 주문_찾기(번호):
    return 번호
