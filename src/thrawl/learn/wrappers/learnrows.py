"""Learn the row wrapper: how one site's index pages are cut into thread rows.

The title is the link to a thread with the most words that are no preview of its posts; the row is what stands around it
and no other title. Times run down an index page, so the group that falls is the last post's; its author stands beside
it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from thrawl.learn.wrappers.authorevidence import Known
from thrawl.learn.wrappers.authors import rank_authors
from thrawl.learn.wrappers.candidates import kinds_around
from thrawl.learn.wrappers.counts import find_counts
from thrawl.learn.wrappers.facts import TimePlace, time_places
from thrawl.learn.wrappers.growth import Held, Place, grow
from thrawl.learn.wrappers.learnmoments import find_times_of
from thrawl.learn.wrappers.learnshape import hold
from thrawl.learn.wrappers.sample import Sample, settle_times, take_samples
from thrawl.page.links import Link
from thrawl.page.reading import Page
from thrawl.page.timeformat import TimeFormat
from thrawl.page.tree import Tree
from thrawl.profile.fields import AuthorField
from thrawl.profile.kinds import Kind
from thrawl.profile.nodes import prefixes, under
from thrawl.profile.places import NOWHERE, Path, classes_of, follow
from thrawl.profile.rows import RowWrapper, marks_of, name_at

_SUPPORT: Final = 0.3  # of the rows: unread, sticky and closed threads have looks of their own
_MOST_WAYS: Final = 4  # to a title: plain, sticky, closed, moved
_AGREED: Final = 0.6  # of the rows, with what threads say: names change, and last posts come in between
_LONG_TITLE: Final = 120  # characters; boards allow titles of 60 to 150, a link with more shows the first post's words
_UNLIKELY: Final = 0.03  # a row names two people or more; what threads say of them decides, so more are looked at
_NOW: Final = datetime(2100, 1, 1, tzinfo=UTC)  # only differences are looked at


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    """What is known of a thread whose pages were read: the witnesses for its row. `posts` if all of it was read."""

    posts: int | None
    first_author: str | None
    last_author: str | None


def learn_row_wrapper(
    index_pages: Sequence[Page],
    is_thread_url: Callable[[str], bool],
    threads: Mapping[str, ThreadFacts] | None = None,
    fetched: datetime | None = None,
) -> RowWrapper | None:
    """Learn how the rows of these index pages are cut; None if they link to no threads.

    `threads` tells what is known of some threads by their URL: it tells replies from views and first from last authors.
    """
    samples = take_samples(index_pages)
    linked = [
        _thread_links(page.links, len(sample.tree), is_thread_url)
        for page, sample in zip(index_pages, samples, strict=True)
    ]
    titles = _title_links(samples, linked)
    if not titles:
        return None
    nodes = [[link.node for link in titles.get(number, ())] for number in range(len(samples))]
    kind = _choose_kind(samples, nodes)
    if kind is None:
        return None
    return _learn_fields(samples, kind, titles, threads or {}, fetched)


def _thread_links(shown: Iterable[Link], end: int, is_thread_url: Callable[[str], bool]) -> list[Link]:
    """Links to threads in the part of a page that is learned from; those to a place on the thread's page only where
    there are no others."""
    links = [link for link in shown if link.node < end and is_thread_url(link.url)]
    return [link for link in links if not link.fragment] or links


def _title_links(samples: Sequence[Sample], linked: Sequence[Sequence[Link]]) -> dict[int, list[Link]]:
    """The links of the place with the most words, one for each thread, by page."""
    groups: dict[tuple[str, ...], dict[int, dict[str, Link]]] = defaultdict(lambda: defaultdict(dict))
    for number, (sample, links) in enumerate(zip(samples, linked, strict=True)):
        for link in links:
            if any(map(str.isalpha, link.anchor)):
                for key in _keys(sample.tree, link.node):
                    kept = groups[key][number].get(link.url)
                    if kept is None or len(kept.anchor) < len(link.anchor):
                        groups[key][number][link.url] = link
    if not groups:
        return {}
    best = max(groups.values(), key=_said_in_titles)
    return {number: sorted(page.values(), key=lambda link: link.node) for number, page in best.items()}


def _said_in_titles(group: Mapping[int, Mapping[str, Link]]) -> tuple[int, int]:
    """The letters of a group's anchors: of those that are no longer than titles, then of all."""
    sizes = [len(link.anchor) for page in group.values() for link in page.values()]
    return sum(size for size in sizes if size <= _LONG_TITLE), sum(sizes)


def _keys(tree: Tree, node: int) -> list[tuple[str, ...]]:
    tags = [tree.tags[one] for one in [node, *tree.ancestors(node)][:4]]
    look = " ".join(sorted(classes_of(tree, node)))
    return [("tags", *tags), ("look", tree.tags[node], look)]


def _choose_kind(samples: Sequence[Sample], nodes: Sequence[Sequence[int]]) -> Kind | None:
    anchors = [(sample, list(found)) for sample, found in zip(samples, nodes, strict=True) if found]
    total = sum(len(found) for _, found in anchors)
    scored: list[tuple[float, int, Kind]] = []
    for kind in kinds_around(anchors):
        cuts = [(sample, sample.cut(kind), found) for sample, found in anchors]
        one = sum(
            bisect_left(found, cut.end) - bisect_left(found, cut.start) == 1
            for _, on_page, found in cuts
            for cut in on_page
        )
        timed = sum(bool(sample.times_in(cut.start, cut.end)) for sample, on_page, _ in cuts for cut in on_page)
        count = max(1, sum(len(on_page) for _, on_page, _ in cuts))
        scored.append((round(one / total * one / count * (1 + timed / count), 3), -len(scored), kind))
    return max(scored)[2] if scored else None


def _learn_fields(
    samples: Sequence[Sample],
    kind: Kind,
    titles: Mapping[int, Sequence[Link]],
    threads: Mapping[str, ThreadFacts],
    fetched: datetime | None,
) -> RowWrapper | None:
    numbers = {id(sample): number for number, sample in enumerate(samples)}
    cuts = [sample.cut(kind) for sample in samples]
    linked: list[tuple[Held, Link]] = []
    for held in hold(samples, [kind])[0]:
        link = next(
            (one for one in titles.get(numbers[id(held.page)], ()) if held.cut.start <= one.node < held.cut.end), None
        )
        if link is not None:
            linked.append((held, link))
    if not linked:
        return None
    records = [held for held, _ in linked]
    places = grow(records, _SUPPORT)
    ways = _title_paths(linked, places)
    if not ways:
        return None
    known = {number: threads[link.url] for number, (_, link) in enumerate(linked) if link.url in threads}
    shown = [time for time in time_places(records, places) if not under(time.place.path, ways[0])]
    last, own = find_times_of(records, shown, (), falling=True)
    timed = prefixes(time.place.path for time in shown)
    plain = [place for place in _outside(places, ways) if place.path not in timed]
    counted = {number: fact.posts for number, fact in known.items() if fact.posts is not None}
    replies, views = find_counts(records, plain, counted)
    author, last_author = _authors(records, _outside(places, ways), shown, own, known)
    times = _settle(samples, records, own, fetched)
    share = len(linked) / max(1, sum(map(len, cuts)))
    sticky = _sticky(records, own, times)
    return RowWrapper(kind, ways, replies, views, author, last_author, last, sticky, times, share)


def _outside(places: Sequence[Place], ways: Sequence[Path]) -> list[Place]:
    return [place for place in places if place.path and not any(under(place.path, way) for way in ways)]


def _title_paths(linked: Sequence[tuple[Held, Link]], places: Sequence[Place]) -> tuple[Path, ...]:
    """The paths to the titles: the most common first, then those of the rows it does not fit."""
    ways: list[Path] = []
    left = dict(enumerate(linked))
    while left and len(ways) < _MOST_WAYS:
        hits = Counter(
            place.path for place in places for number, (_, link) in left.items() if place.nodes.get(number) == link.node
        )
        if not hits:
            again = [held for held, _ in left.values()]
            if len(again) == len(linked) or len(again) < 2:
                break
            return (*ways, *_title_paths(list(left.values()), grow(again, _SUPPORT))[: _MOST_WAYS - len(ways)])
        path = hits.most_common(1)[0][0]
        ways.append(path)
        left = {
            number: (held, link)
            for number, (held, link) in left.items()
            if follow(held.page.tree, held.cut.parts, path) == NOWHERE
        }
    return tuple(ways)


def _authors(
    records: Sequence[Held],
    places: Sequence[Place],
    shown: Sequence[TimePlace],
    own: TimePlace | None,
    known: Mapping[int, ThreadFacts],
) -> tuple[AuthorField | None, AuthorField | None]:
    """Who began the thread and who wrote last: as the threads say, else the last one is nearer to its time."""
    names = {name for fact in known.values() for name in (fact.first_author, fact.last_author) if name}
    fields = rank_authors(records, places, (), shown, Known(frozenset(names)), _UNLIKELY)[:_MOST_WAYS]
    if not fields:
        return None, None
    first = [_agreement(records, field, {n: fact.first_author for n, fact in known.items()}) for field in fields]
    last = [_agreement(records, field, {n: fact.last_author for n, fact in known.items()}) for field in fields]
    if max(*first, *last) >= _AGREED:
        begun, ended = first.index(max(first)), last.index(max(last))
        author = fields[begun] if first[begun] >= _AGREED else None
        latest = fields[ended] if last[ended] >= _AGREED and (ended != begun or last[ended] > first[begun]) else None
        return (author, latest) if begun != ended or latest is None else (None, latest)
    return _by_distance(fields[:2], own)


def _agreement(records: Sequence[Held], field: AuthorField, said: Mapping[int, str | None]) -> float:
    """How many of the known names a place shows."""
    names = [(name_at(records[n].page.tree, records[n].cut, field), name) for n, name in said.items() if name]
    return sum(one == other for one, other in names) / len(names) if len(names) > 2 else 0.0


def _by_distance(fields: Sequence[AuthorField], own: TimePlace | None) -> tuple[AuthorField | None, AuthorField | None]:
    if own is None:
        return fields[0], fields[1] if len(fields) > 1 else None
    nearest = sorted(fields, key=lambda field: -_shared(field.path, own.place.path))
    if len(fields) == 1:
        beside = _shared(fields[0].path, own.place.path) >= len(own.place.path) - 2
        return (None, fields[0]) if beside else (fields[0], None)
    return nearest[1], nearest[0]


def _shared(one: Path, other: Path) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _sticky(records: Sequence[Held], own: TimePlace | None, times: TimeFormat) -> frozenset[str]:
    """Marks that only rows at the head of a list have, and of which some stand out of order there."""
    mentions = own.mentions if own is not None else {}
    moments = {number: times.read_mention(mention, _NOW).value for number, mention in mentions.items()}
    pages: dict[int, list[int]] = defaultdict(list)
    for number, held in enumerate(records):
        pages[id(held.page)].append(number)
    marked: dict[str, set[int]] = defaultdict(set)
    for number, held in enumerate(records):
        for mark in marks_of(held.page.tree, held.cut):
            marked[mark].add(number)
    return frozenset(mark for mark, rows in marked.items() if _is_sticky(rows, list(pages.values()), moments))


def _is_sticky(rows: set[int], pages: Sequence[Sequence[int]], moments: Mapping[int, datetime | None]) -> bool:
    total = sum(map(len, pages))
    if not 1 <= len(rows) <= 0.3 * total:
        return False
    out_of_order = False
    for page in pages:
        here = [number in rows for number in page]
        count = sum(here)
        if count and (not all(here[:count]) or count == len(page)):
            return False
        if count:
            early, late = moments.get(page[count - 1]), moments.get(page[count])
            out_of_order |= early is not None and late is not None and early < late
    return out_of_order


def _settle(
    samples: Sequence[Sample], records: Sequence[Held], own: TimePlace | None, fetched: datetime | None
) -> TimeFormat:
    lines: dict[int, list[Any]] = defaultdict(list)
    for number, held in enumerate(records):
        mention = own.mentions.get(number) if own is not None else None
        if mention is not None:
            lines[id(held.page)].append(mention)
    return settle_times(samples, lines, fetched)
