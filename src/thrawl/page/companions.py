"""The whole list of a page: its main region, and the records of the same list that look different.

A question has one record unlike its answers, an article stands above its comments, answers carry comments of their
own. All of them name their author in the same way: a link of the same form as the user links of the main region,
beside a time. That is what makes a companion, together with standing near the main region. Records inside records are
flattened: each keeps its own part, with holes where others begin.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from thrawl.page.links import Link, LinkGroup
from thrawl.page.lone import Grower
from thrawl.page.records import Record, Region, common_parent, place_in, record, text_weights
from thrawl.page.shape import Shapes
from thrawl.page.users import address_form, may_name_a_user, user_group

_NUMBERED: Final = re.compile(r"\d")
_NEAR_LEVELS: Final = 6
_NEAR_NUMBERED_LEVELS: Final = 10
_MOST_LONE: Final = 40
_MOST_KIN: Final = 12
_SAMPLE: Final = 40
_ARTICLE_CHARS: Final = 200
_FEW_CHARS: Final = 40  # of a head without a body
_LONGEST_OPENING: Final = 6  # elements: head, body, tags, links; more are a page


def lone_region(grower: Grower, times: Sequence[int], taken: Sequence[Region]) -> Region | None:
    """The best single record of a page around a time outside the timed regions, scored like a region."""
    page = grower.page
    weights = text_weights(page.tree)
    barriers = sorted(one.start for region in taken if region.timed for one in region.records)
    spans = [(one.start, one.end) for region in taken if region.timed for one in region.records]
    best: Region | None = None
    for time in _outside(times, spans)[:_MOST_LONE]:
        root = grower.grow(time, barriers)
        end = page.tree.ends[root]
        if grower.plain(root, end) <= grower.plain(time, page.tree.ends[time]):
            continue
        score = 0.6 * (weights[end] - weights[root]) / max(1, weights[-1])
        if best is None or score > best.score:
            best = Region(page.tree.parents[root], (record(page.tree, (root,)),), (time,), score)
    return best


def _outside(nodes: Iterable[int], spans: Sequence[tuple[int, int]]) -> list[int]:
    covered = sorted(spans)
    found, at = [], 0
    for node in nodes:
        while at < len(covered) and covered[at][1] <= node:
            at += 1
        if at == len(covered) or node < covered[at][0]:
            found.append(node)
    return found


def whole_list(
    grower: Grower,
    main: Region,
    candidates: Sequence[Region],
    links: Sequence[Link],
    groups: Sequence[LinkGroup],
    times: Sequence[int],
) -> tuple[Record, ...]:
    """The records of the main region and its companions in page order, each with its own part only.

    `groups` is the link table of the page with the main region first.
    """
    if not main.timed:
        return main.records
    page = grower.page
    forms = user_forms(main, links, groups)
    users = [link.node for link in links if address_form(link.url) in forms and may_name_a_user(link.anchor)]
    records = _with_kin(page, main, candidates, users, times)
    return flatten((*_singles(grower, main, records, users, times), *records))


def user_forms(region: Region, links: Sequence[Link], groups: Sequence[LinkGroup]) -> set[str]:
    """The forms of the addresses behind the user names of the main region."""
    if len(region.records) == 1:
        inside = [link for link in links if region.records[0].start <= link.node < region.records[0].end]
        return {address_form(link.url) for link in inside if may_name_a_user(link.anchor)}
    found = user_group(groups, 0, len(region.records))
    return {address_form(link.url) for link in found.links} if found else set()


def _with_kin(
    page: Shapes, main: Region, candidates: Sequence[Region], users: Sequence[int], times: Sequence[int]
) -> tuple[Record, ...]:
    """Add regions of numbered records around or inside those of the main one that have users and times of their own."""
    records = main.records
    kin = [one for one in candidates if one is not main and one.timed and _numbered(page, one)]
    for region in sorted(kin, key=lambda one: -one.score)[:_MOST_KIN]:
        new = _new(records, region.records)
        joined = flatten((*records, *new))
        if _one_in_each(records, new):
            continue
        if len(joined) > len(records) and _complete(joined, users) and _complete(joined, times):
            records = joined
    return records


def _one_in_each(known: Sequence[Record], offered: Sequence[Record]) -> bool:
    """Whether nearly each known record holds exactly one of the offered: a part of it (the author's box), no reply."""
    starts = sorted(one.start for one in offered)
    counts = [bisect_left(starts, one.end) - bisect_left(starts, one.start) for one in known]
    return counts.count(1) >= 0.8 * len(known)


def _new(known: Sequence[Record], offered: Sequence[Record]) -> list[Record]:
    starts = {part for one in known for part in one.parts}
    return [one for one in offered if not starts.intersection(one.parts)]


def _numbered(page: Shapes, region: Region) -> bool:
    names = [page.tree.attributes[one.parts[0]].get("id", "") for one in region.records]
    return all(_NUMBERED.search(name) for name in names) and len(set(names)) == len(names)


def _complete(records: Sequence[Record], nodes: Sequence[int]) -> bool:
    """Whether each record has one of these nodes in its own part (one in ten may lack it)."""
    held = sum(any(_holds(nodes, start, end) for start, end in one.ranges) for one in records)
    return held >= 0.9 * len(records)


def _singles(
    grower: Grower, main: Region, records: Sequence[Record], users: Sequence[int], times: Sequence[int]
) -> list[Record]:
    """Records of the list that stand alone: before it, and numbered ones after it or inside its records."""
    page = grower.page
    found: list[Record] = []
    barriers = sorted({*(one.start for one in records), *main.anchors})
    heading = _heading_before(page, records[0].start)
    for time in _unclaimed(page, records, times):
        inside = any(one.start <= time < one.end for one in found)
        above = time < records[0].start and not inside
        root = grower.grow(time, barriers) if above else _numbered_above(page, time, barriers, users)
        if root is None or root in barriers or page.tree.ends[root] <= heading or _usual(page, root, records):
            continue
        parts: tuple[int, ...] = (root,)
        least = 0 if _holds(users, root, page.tree.ends[root]) else _ARTICLE_CHARS
        if above and grower.plain(root, page.tree.ends[root]) - _said(grower, time) <= _FEW_CHARS:
            parts = _up_to(page, root, barriers)
        end = page.tree.ends[parts[-1]]
        levels = _NEAR_LEVELS if above else _NEAR_NUMBERED_LEVELS
        if grower.plain(root, end) - _said(grower, time) > least and _distance(page, root, main) <= levels:
            found.append(record(page.tree, parts))
            barriers = sorted((*barriers, root, time))
    return found


def _said(grower: Grower, time: int) -> int:
    """The characters of a time's own element."""
    return grower.plain(time, grower.page.tree.ends[time])


def _up_to(page: Shapes, root: int, barriers: Sequence[int]) -> tuple[int, ...]:
    """A node and the elements after it, as far as no known record stands in them: an opening post whose element holds
    the replies too is what stands in it before them."""
    tree = page.tree
    row = [node for node in tree.elements(tree.parents[root]) if node >= root]
    held = (at for at, node in enumerate(row) if _holds(barriers, node, tree.ends[node]))
    end = next(held, None)
    return tuple(row[:end]) if end and end <= _LONGEST_OPENING else (root,)


def _heading_before(page: Shapes, node: int) -> int:
    """The page's main heading above a node, -1 if there is none: what ends before it is not of the list."""
    return max((at for at in range(node) if page.tree.tags[at] == "h1"), default=-1)


def _unclaimed(page: Shapes, records: Sequence[Record], times: Sequence[int]) -> list[int]:
    """Times that could open a record of their own: outside the records, or at a place of few of them."""
    places: dict[int, list[int]] = defaultdict(list)
    free: list[int] = []
    at = 0
    for time in times:
        while at < len(records) and records[at].end <= time:
            at += 1
        if at < len(records) and records[at].start <= time:
            places[place_in(page, time, records[at])].append(time)
        else:
            free.append(time)
    rare = [time for found in places.values() if len(found) < max(2, 0.5 * len(records)) for time in found]
    return sorted((*free, *rare))[:_MOST_LONE] if len(records) > 1 else free[:_MOST_LONE]


def _numbered_above(page: Shapes, node: int, barriers: Sequence[int], users: Sequence[int]) -> int | None:
    """The lowest element around a node that has a number in its id and holds a user, below any known record."""
    tree = page.tree
    while (node := tree.parents[node]) > 0 and not _holds(barriers, node, tree.ends[node]):
        if _is_numbered(page, node) and _holds(users, node, tree.ends[node]):
            return node
    return None


def _is_numbered(page: Shapes, node: int) -> bool:
    return _NUMBERED.search(page.tree.attributes[node].get("id", "")) is not None


def _usual(page: Shapes, root: int, records: Sequence[Record]) -> bool:
    """Whether most records have a numbered element at this place: then it is a part of a record, not a record."""
    home = next((one for one in records if one.start <= root < one.end), None)
    if home is None:
        return False
    place = place_in(page, root, home)
    tag = page.tree.tags[root]
    having = sum(
        any(
            page.tree.tags[node] == tag and _is_numbered(page, node) and place_in(page, node, one) == place
            for node in range(one.start, one.end)
        )
        for one in records[:_SAMPLE]
    )
    return having >= 0.6 * len(records[:_SAMPLE])


def _holds(nodes: Sequence[int], start: int, end: int) -> bool:
    at = bisect_left(nodes, start)
    return at < len(nodes) and nodes[at] < end


def _distance(page: Shapes, root: int, main: Region) -> int:
    """Levels of the tree from a node up to what it shares with the main region, and down to that."""
    depths = page.tree.depths
    shared = common_parent(page.tree, (root, main.records[-1].start))
    return (depths[root] - depths[shared]) + (depths[main.parent] - depths[shared])


def flatten(records: Iterable[Record]) -> tuple[Record, ...]:
    """Records in page order, those inside others cut out of them."""
    ordered = sorted(records, key=lambda one: (one.start, -one.end))
    holes: list[list[tuple[int, int]]] = [[] for _ in ordered]
    depths = [0] * len(ordered)
    around: list[int] = []
    for index, one in enumerate(ordered):
        while around and ordered[around[-1]].end <= one.start:
            around.pop()
        if around:
            holes[around[-1]].append((one.start, one.end))
        depths[index] = len(around)
        around.append(index)
    return tuple(
        replace(one, holes=tuple(found), depth=depth) if found or depth or one.holes else one
        for one, found, depth in zip(ordered, holes, depths, strict=True)
    )
