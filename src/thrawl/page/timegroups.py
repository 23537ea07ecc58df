"""Which of a record's times is its own: algorithm 2 of the list-wise paper (section 3.3).

Times are grouped by their place in the record; the group whose times run one way through the lists wins, so that join
dates and last visits lose. Differences to the paper, which takes the largest order in [-1, 1] and nothing else:
both directions are allowed (index rows run down), a group's order counts the less the fewer pairs it rests on (two
records are in order by chance), and where the order says little, the group that most records have, that is shown most
finely and that is later than its neighbours in the record is preferred: a post is younger than its author's account.
Records that show the time elsewhere ("today" in bold) are filled from a group that stands in for the chosen one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, TypeVar

from thrawl.page.timeparts import ORDERS, moment
from thrawl.page.times import TimeMention

Key = TypeVar("Key", bound=Hashable)
Mentions = Mapping[Key, TimeMention]
_FINENESS: Final = {"second": 0.35, "minute": 0.35, "hour": 0.3, "day": 0.1, "month": 0.0, "year": 0.0}
_SHOWN: Final = 0.15  # for a time that a reader sees over one that only an attribute holds
_EDIT_SPAN: Final = timedelta(days=30)  # a post is rarely edited later; most accounts are older than this at a post
_DOUBT_PAIRS: Final = 2  # pairs that an order must have beyond chance before it counts half


def choose_times(lists: Sequence[Sequence[Mentions[Key]]], falling: bool | None = None) -> tuple[Key, ...]:
    """The group that holds the records' own times, and after it those that stand in for it; none if no record has one.

    A list is a sequence of records in page order (one page, or the pages of a list joined); a record maps the place of
    each time in it to the mention. `falling` says which way the times run where that is known: post lists rise, index
    lists fall.
    """
    records = [record for line in lists for record in line]
    keys = list(dict.fromkeys(key for record in records for key in record))
    if not keys:
        return ()
    values = {key: _values(lists, key) for key in keys}
    later = _later(values)
    scores = {key: _score(key, records, values[key], later[key], falling) for key in keys}
    best, *others = sorted(keys, key=lambda key: -scores[key])
    return (best, *_stand_ins(best, others, lists, values))


_Line = list[datetime | None]


def _values(lists: Sequence[Sequence[Mentions[Key]]], key: Key) -> list[_Line]:
    """The moments of one group, list by list, under the order of their numbers that turns back least."""
    mentions = [[record.get(key) for record in line] for line in lists]
    readings = [
        [[None if one is None else moment(one.exact or one.parts, None, order) for one in line] for line in mentions]
        for order in ORDERS
    ]
    return min(readings, key=lambda lines: (sum(line.count(None) for line in lines), min(_steps(lines))))


def _steps(lines: list[_Line]) -> tuple[int, int]:
    """SeqOrd and RevOrd of the paper: how often a time is earlier, and later, than the next one of its list."""
    rising = falling = 0
    for line in lines:
        for one, other in pairwise([value for value in line if value is not None]):
            rising += one < other
            falling += one > other
    return rising, falling


def _score(key: Key, records: Sequence[Mentions[Key]], lines: list[_Line], later: float, falling: bool | None) -> float:
    up, down = _steps(lines)
    order = (up - down) / (up + down) if up + down else 0.0
    trust = (up + down) / (up + down + _DOUBT_PAIRS)
    run = abs(order) if falling is None else (-order if falling else order)
    mentions = [record[key] for record in records if key in record]
    coverage = len(mentions) / len(records)
    fineness = sum(_FINENESS[mention.precision] for mention in mentions) / len(mentions)
    shown = _SHOWN * sum(mention.kind != "attribute" for mention in mentions) / len(mentions)
    return 1.5 * run * trust + coverage + fineness + shown + 0.3 * later


def _later(values: dict[Key, list[_Line]]) -> dict[Key, float]:
    """For each group, the share of its records in which it is among the latest times. A note of an edit is later than
    the post, but seldom by much; the author's account is older by far."""
    fresh: Counter[Key] = Counter()
    seen: Counter[Key] = Counter()
    flat = {key: [value for line in lines for value in line] for key, lines in values.items()}
    for place in range(len(next(iter(flat.values())))):
        here = {key: value for key, line in flat.items() if (value := line[place]) is not None}
        latest = max(here.values(), default=None)
        seen.update(here.keys())
        fresh.update(key for key, value in here.items() if latest and latest - value < _EDIT_SPAN)
    return {key: fresh[key] / seen[key] if seen[key] else 0.0 for key in values}


def _stand_ins(
    best: Key, others: Sequence[Key], lists: Sequence[Sequence[Mentions[Key]]], values: dict[Key, list[_Line]]
) -> list[Key]:
    """Groups found only where the chosen one is missing, in lists that have both, and that fit into its order."""
    merged, chosen = values[best], []
    if all(best in record for line in lists for record in line):
        return []
    for key in others:
        if not _alternates(best, key, lists):
            continue
        tried = [
            [new if old is None else old for old, new in zip(line, extra, strict=True)]
            for line, extra in zip(merged, values[key], strict=True)
        ]
        if min(_steps(tried)) <= min(_steps(merged)):
            merged = tried
            chosen.append(key)
    return chosen


def _alternates(one: Key, other: Key, lists: Sequence[Sequence[Mentions[Key]]]) -> bool:
    """Whether records of the same lists have either the one or the other; a time that only other lists have belongs to
    something else (a footer's clock, an archive's months)."""
    together = apart = 0
    for line in lists:
        if any(one in record and other in record for record in line):
            return False
        if any(other in record for record in line):
            found = any(one in record for record in line)
            together, apart = together + found, apart + (not found)
    return together >= max(1, apart / 4)
