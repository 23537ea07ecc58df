"""Which choice of a random forum a failure comes from.

A forum that fails is crawled again, each time with one of its uncommon choices made common and all else the same. What
makes it pass is to blame. Choices are independent, so this tells more than counting failures by choice, where one
hard choice hides the others. A forum with two faults has no single choice to blame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from thrawl.lab.bench.forums import ForumResult, Order, run_orders
from thrawl.lab.random.choices import OPTIONS, common_option, draw, share_of

# --- sizes are no peculiarities
_SIZES: Final = frozenset({"threads", "singles", "boards", "board_page", "thread_page", "long_thread"})
# --- what so many forums share is not what one of them fails by; each suspect costs a crawl
_UNCOMMON: Final = 0.4


def suspects(order: Order) -> list[Order]:
    """The same forum with one uncommon choice made common, for each of them."""
    choices = draw(order.seed, **dict(order.given))
    found = []
    for name in OPTIONS.keys() - _SIZES - dict(order.given).keys():
        common = common_option(name)
        if getattr(choices, name) != common and share_of(name, getattr(choices, name)) < _UNCOMMON:
            found.append(Order(order.seed, (*order.given, (name, common))))
    return sorted(found, key=lambda one: one.given[-1][0])


def blame(failures: Sequence[Order], processes: int = 2) -> Iterator[tuple[Order, list[str]]]:
    """Each failure with the choices that are to blame, as `name=value`."""
    for order in failures:
        choices = draw(order.seed, **dict(order.given))
        mended = [one.given[-1][0] for one, result in run_orders(suspects(order), processes) if result.passed]
        yield order, sorted(f"{name}={getattr(choices, name)}" for name in mended)


def blamed(found: Mapping[int, Sequence[str]]) -> list[tuple[str, int]]:
    """How many failures each choice is to blame for, most first."""
    return Counter(choice for choices in found.values() for choice in choices).most_common()


def failed(results: Sequence[tuple[Order, ForumResult]]) -> list[Order]:
    return [order for order, result in results if not result.passed]
