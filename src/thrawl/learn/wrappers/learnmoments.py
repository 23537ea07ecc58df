"""Which place of a record shows its time: learned over the records of several pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from thrawl.learn.wrappers.facts import TimePlace
from thrawl.learn.wrappers.growth import Held
from thrawl.page.timegroups import choose_times
from thrawl.page.times import TimeMention
from thrawl.profile.moments import TimeField
from thrawl.profile.nodes import under
from thrawl.profile.places import Path

_ALONE: Final = 0.9  # of the mentions: a few stand beside a word ("today", "edited")


def find_times_of(
    records: Sequence[Held], times: Sequence[TimePlace], body: Path, *, falling: bool | None = None
) -> tuple[tuple[TimeField, ...], TimePlace | None]:
    """The fields of the records' own time, the best first, and its place."""
    outside = [
        time for time in times if not (body and under(time.place.path, body) and len(time.place.path) > len(body))
    ]
    smallest = _smallest(records, outside)
    lists: dict[int, list[dict[Path, TimeMention]]] = {}
    for number, held in enumerate(records):
        shown = {time.place.path: time.mentions[number] for time in smallest if number in time.mentions}
        lists.setdefault(id(held.page), []).append(shown)
    keys = choose_times(list(lists.values()), falling)
    if not keys:
        return (), None
    by_path = {time.place.path: time for time in smallest}
    chosen = [_alone_instead(records, by_path[path], smallest) for path in keys]
    fields = ((time.place.path, _exact(records, time), _is_alone(records, time)) for time in chosen)
    return tuple(TimeField(*field) for field in fields), chosen[0]


def _alone_instead(records: Sequence[Held], time: TimePlace, others: Sequence[TimePlace]) -> TimePlace:
    """A place that names the same instants and shows nothing else, where the chosen one is an attribute of more.

    The time in an attribute of the whole record would seem to be shown by all words of the record.
    """
    if _is_alone(records, time) or any(mention.kind != "attribute" for mention in time.mentions.values()):
        return time
    return next((one for one in others if _says_the_same(one, time) and _is_alone(records, one)), time)


def _says_the_same(one: TimePlace, other: TimePlace) -> bool:
    seconds = [_second(one.mentions.get(number)) for number in other.mentions]
    return None not in seconds and seconds == [_second(mention) for mention in other.mentions.values()]


def _second(mention: TimeMention | None) -> datetime | None:
    value = mention.value() if mention is not None else None
    return None if value is None else value.replace(microsecond=0)


def _smallest(records: Sequence[Held], times: Sequence[TimePlace]) -> list[TimePlace]:
    """Of places that show the same mentions (an element and its text) the best to read: see `_readable`."""
    groups: dict[tuple[tuple[int, int], ...], list[TimePlace]] = {}
    for time in times:
        key = tuple(sorted((number, mention.node) for number, mention in time.mentions.items()))
        groups.setdefault(key, []).append(time)
    return [max(group, key=lambda time: _readable(records, time)) for group in groups.values()]


def _readable(records: Sequence[Held], time: TimePlace) -> tuple[bool, bool, int]:
    """It holds the whole time; nothing but the time; then the outermost, or the innermost if none is alone."""
    ends = [
        records[number].page.tree.ends[time.place.nodes[number]] >= mention.end
        for number, mention in time.mentions.items()
    ]
    alone = _is_alone(records, time)
    depth = len(time.place.path)
    return sum(ends) >= _ALONE * len(ends), alone, -depth if alone else depth


def _is_alone(records: Sequence[Held], time: TimePlace) -> bool:
    alone = sum(
        len(records[number].page.text(time.place.nodes[number])) <= len(mention.text) + 1
        for number, mention in time.mentions.items()
    )
    return alone >= _ALONE * len(time.mentions)


def _exact(records: Sequence[Held], time: TimePlace) -> Path | None:
    """The place whose attribute says the time more precisely: that of the time or one close above."""
    for number, mention in time.mentions.items():
        if mention.attribute is None:
            continue
        tree = records[number].page.tree
        node = time.place.nodes[number]
        for level in range(min(4, len(time.place.path) + 1)):
            if node >= 0 and mention.attribute in tree.attributes[node]:
                return time.place.path[: len(time.place.path) - level]
            node = tree.parents[node]
    return None
