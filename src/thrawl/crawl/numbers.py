"""Numbers that were left out: where those of posts have holes, a few threads are asked for by numbers nobody named.

Many sites count their threads and posts. Deleted ones and hidden boards leave holes, too, so a hole proves nothing by
itself; but a thread that answers to a number in a hole, and that the archive lacks, proves that threads are missing
(`probing` asks). Only addresses that differ in their last number alone are made up, and only where posts are numbered
nearly without holes or threads are: a counter that a site shares with others says nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from thrawl.archive.facts import Numbers
from thrawl.crawl.missing import NOTICED

_LAST_NUMBER: Final = re.compile(r"(?<=\D)\d{1,9}(?=\D*$)")
_FEWEST: Final = 3  # threads whose addresses differ in a number alone
_SPARSE: Final = 0.1  # of the numbers, below which others count with the same counter
_DENSE: Final = 0.6  # of the numbers of threads, from which on holes are exceptions
_MOST: Final = 500  # addresses that are made up, once one has proved right


def leaves_out(numbers: Numbers) -> bool:
    """Whether the numbers of posts have holes that weigh something."""
    return numbers.span > 0 and _SPARSE < numbers.known / numbers.span < 1 - NOTICED


def has_no_holes(numbers: Numbers) -> bool:
    """Whether the posts that are known have all numbers between them: no board or thread of that time is missing."""
    return 0 < numbers.span == numbers.known


def left_out(urls: Iterable[str], numbers: Numbers, posts: frozenset[int]) -> list[list[str]]:
    """Addresses of threads by numbers that were never met, hole by hole; the counters with the most threads first."""
    counters: dict[tuple[str, str], set[int]] = defaultdict(set)
    for url in urls:
        if last := _LAST_NUMBER.search(url):
            counters[url[: last.start()], url[last.end() :]].add(int(last[0]))
    found: list[list[str]] = []
    for (before, after), known in sorted(counters.items(), key=lambda one: -len(one[1])):
        if len(known) >= _FEWEST and (leaves_out(numbers) or _has_exceptions(known)):
            found.extend([f"{before}{number}{after}" for number in hole] for hole in _holes(known, posts))
    return found


def _holes(known: set[int], posts: frozenset[int]) -> Iterator[range]:
    """The numbers between those that are known, and some before them: the oldest threads stand on the last pages."""
    # a thread that is known by one of its messages answers to all of them
    taken = known | posts if posts.issuperset(known) else known
    before = max(0, min(known) - len(known) - 1)
    ends = sorted(number for number in taken | {before} if before <= number <= max(known))
    yield from (range(one + 1, other) for one, other in pairwise(ends) if other - one > 1)


def _has_exceptions(known: set[int]) -> bool:
    """Whether a counter is dense, and yet some numbers of it are missing."""
    return _DENSE < len(known) / (max(known) - min(known) + 1) < 1 - NOTICED


def guesses(holes: Sequence[Sequence[str]], number: int) -> list[str]:
    """A few of them, each from the middle of another hole: a large one is as likely to be nobody's as a small one."""
    return [hole[len(hole) // 2] for hole in holes[:: max(1, len(holes) // number)][:number]]


def nearest(holes: Sequence[Sequence[str]]) -> list[str]:
    """The addresses of the smallest holes, as many as may be asked for."""
    return [url for hole in sorted(holes, key=len) for url in hole][:_MOST]


def by_example(pages: Mapping[int, str], wanted: int) -> str | None:
    """The address of a page of a list, where those of two others end with their numbers and differ in nothing else."""
    forms = Counter(
        (url[: found.start()], url[found.end() :])
        for number, url in pages.items()
        if (found := _LAST_NUMBER.search(url)) and int(found[0]) == number
    )
    (before, after), times = max(forms.items(), key=lambda one: one[1], default=(("", ""), 0))
    return f"{before}{wanted}{after}" if times > 1 else None
