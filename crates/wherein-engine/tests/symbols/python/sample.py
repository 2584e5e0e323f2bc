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


type Pair[T] = tuple[T, T]
first, SECOND = Pair[int](1, 2)
double = lambda x: twice(x)
try:
    import fast
    has_fast = True
except ImportError:
    has_fast = False


class Colour(enum.Enum):
    #: Like blood.
    RED: int = 1
    BLUE, GREEN = 2, 3

    class Meta:
        ordering = shop.helpers.by("name")


@bp.route("/orders/<int:id>")
@login_required
async def read(id): ...


if TYPE_CHECKING:

    def checked(): ...


routes = [Route("/health", health)]
