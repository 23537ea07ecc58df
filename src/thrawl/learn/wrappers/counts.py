"""Numbers in thread rows: which one counts replies and which one views.

No word of any language is known; the free truths decide. The posts cut from a thread are its replies and one more
(or as many, where the site counts the first post too); nobody replies without viewing. Posts may be cut without the
opening ones, or several as one: then the numbers are believed, and the crawl's ledger finds the posts missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Final

from thrawl.learn.wrappers.growth import Held, Place
from thrawl.profile.fields import CountField, number_in
from thrawl.profile.places import Path

_PRESENT: Final = 0.7  # of the rows: moved threads and announcements have no numbers
_AGREED: Final = 0.6  # of the threads that were read: others got replies in between
_PART: Final = 0.3  # of the threads must have as many posts as a number says that all others fall short of
_FEW_LENGTHS: Final = 3  # of threads that a number tells exactly; views meet one by chance
_ENOUGH: Final = 4  # threads whose posts are known, to believe that none of the numbers counts them


def find_counts(
    records: Sequence[Held], places: Sequence[Place], posts: Mapping[int, int]
) -> tuple[CountField | None, CountField | None]:
    """The replies and the views; `posts` is the number of posts of some rows' threads (by the row's number)."""
    numbers = _numbers(records, places)
    if not numbers:
        return None, None
    replies, extra = _replies(numbers, posts)
    if replies is None:
        return None, None
    counted = numbers[replies]
    rest = {
        path: values
        for path, values in numbers.items()
        if path != replies and _never_below(values, counted) and median(values.values()) > median(counted.values())
    }
    views = max(rest, key=lambda path: median(rest[path].values()), default=None)
    return CountField(replies, extra), None if views is None else CountField(views)


def _numbers(records: Sequence[Held], places: Sequence[Place]) -> dict[Path, dict[int, int]]:
    """Places that show one number in most records, those with the same values once."""
    found: dict[Path, dict[int, int]] = {}
    known: set[tuple[tuple[int, int], ...]] = set()
    for place in places:
        values = {
            number: value
            for number, node in place.nodes.items()
            if (value := number_in(records[number].page.text(node))) is not None
        }
        key = tuple(sorted(values.items()))
        if len(values) >= _PRESENT * len(records) and len(set(values.values())) > 1 and key not in known:
            known.add(key)
            found[place.path] = values
    return found


def _replies(numbers: Mapping[Path, Mapping[int, int]], posts: Mapping[int, int]) -> tuple[Path | None, int]:
    best: tuple[float, Path | None, int] = (0.0, None, 0)
    for path, values in numbers.items():
        both = [(values[number], count) for number, count in posts.items() if number in values]
        for lost, extra in ((0, 0), (0, 1), (1, 1)):
            agreed = sum(value - extra - lost + 1 == count for value, count in both) / max(1, len(both))
            if len(both) > 1 + _ENOUGH * lost and agreed >= _AGREED and agreed > best[0]:
                # where a thread has none of them, they are replies: then it is the posts that lack one each
                best = (agreed, path, extra if all(values.values()) else 0)
    if best[1] is not None:
        return best[1], best[2]
    if len(posts) > _ENOUGH:
        return next(_fallen_short_of(numbers, posts), (None, 0))
    smallest = min(numbers, key=lambda path: median(numbers[path].values()))
    return smallest, 0


def _fallen_short_of(numbers: Mapping[Path, Mapping[int, int]], posts: Mapping[int, int]) -> Iterator[tuple[Path, int]]:
    """Numbers that tell how long threads of several lengths are, and that no thread exceeds: of the others, posts were
    lost."""
    for path, values in numbers.items():
        for extra in (0, 1):
            both = [(values[number] - extra + 1, count) for number, count in posts.items() if number in values]
            met = [count for told, count in both if told == count]
            lengths = {count for count in met if count > 1}
            if len(met) >= _PART * len(both) and len(lengths) >= _FEW_LENGTHS and all(a >= b for a, b in both):
                yield path, extra


def _never_below(values: Mapping[int, int], others: Mapping[int, int]) -> bool:
    both = [values[number] >= other for number, other in others.items() if number in values]
    return bool(both) and sum(both) >= 0.97 * len(both)
