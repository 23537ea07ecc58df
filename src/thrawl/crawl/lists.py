"""Which pages of a list are fetched, and in which order.

A thread's pages are all fetched. A board's pages are fetched as long as they bring something new: sites also list
all threads on one long list, and parents repeat the threads of their boards. Such a list is longer than each of
those that it repeats, so shorter lists go first; then a few pages spread over the long one tell whether anything on
it is new. Each page that brings something new has its neighbours fetched, so a list that is no repetition is fetched
whole, and one that is costs a handful of requests. What FoCUS (4.4) does not ask: it fetches every index page.
"""

from __future__ import annotations

from typing import Final

ENTRY: Final = 0
INDEX: Final = 10
INDEX_FLIP: Final = 100
WALKED: Final = 9_500
RESERVE: Final = 9_700
THREAD: Final = 10_000
LINKED_IN_POSTS: Final = 10_000_000
_LONGEST_RANKED: Final = 9_000
_LAST_TURN: Final = 99
_SHORT: Final = 4
_PROBES: Final = 6
FRUITLESS: Final = 4
"""Lists of one kind in reserve that may bring nothing new in a row before the rest of them is left alone."""
BARREN: Final = 20
"""Lists of one kind in a row that led to nothing but more of their kind: so many empty boards hardly follow another."""
MOST_PATIENCE: Final = 12
"""Further lists of one kind in reserve that are tried because others of it brought something."""
AHEAD: Final = 50
"""Pages of a thread that are asked for ahead of the last one read; a pager that lies costs no more than this."""


def patience(*, alone: bool) -> int:
    """How many lists of one kind in reserve may bring nothing new in a row; `alone`: the site has no other lists.

    Beside others, four that bring nothing say that the others bring all. Where there are no others, what they repeat is
    a box of newest threads that stands on every page, and the boards may come after the tags.
    """
    return BARREN if alone else FRUITLESS


def reserve_priority(turn: int) -> int:
    """The surest lists in reserve first, so that those behind them are seen to bring nothing."""
    return RESERVE + min(turn, _LAST_TURN)


def is_in_reserve(priority: int) -> bool:
    return RESERVE <= priority <= RESERVE + _LAST_TURN


def index_flip_priority(last: int) -> int:
    """Short lists first."""
    return INDEX_FLIP + min(last, _LONGEST_RANKED)


def thread_flip_priority(page: int) -> int:
    """First pages first, then second ones: each thread grows evenly, deep flips come last."""
    return THREAD + min(page, 1_000_000)


def probes(last: int) -> frozenset[int]:
    """The pages that are looked at in any case: all of a short list, a few spread over a long one, the last one."""
    if last <= _SHORT:
        return frozenset(range(2, last + 1))
    gap = max(3, -(-last // _PROBES))
    return frozenset(range(last, 1, -gap))


def index_pages(page: int, last: int, *, fresh: bool) -> list[int]:
    """The further pages to fetch after one page of a board; `fresh` says whether it brought anything new."""
    wanted = set(probes(last)) if page == 1 else {last}
    if fresh:
        wanted |= {page - 1, page + 1}
    return sorted(number for number in wanted if 2 <= number <= last and number != page)


def thread_pages(page: int, last: int, scheduled: int) -> range:
    """The further pages to fetch after one page of a thread, of which pages up to `scheduled` are known."""
    return range(max(2, scheduled + 1), min(last, page + AHEAD) + 1)
