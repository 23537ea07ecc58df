"""From families to the lists of a profile: their patterns, and what tells one list from another.

Patterns of one kind are refined against the URLs that are known to be of others (`refine`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Final

from thrawl.learn.refine import by_form, carried_from, learn_patterns
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.explanation import Chosen, Explanation
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.groups import head_of
from thrawl.profile.patterns import NUMBER, Pattern
from thrawl.profile.urls import take_apart

_FEW_TITLES: Final = 3  # different titles without which nothing tells which number is the thread's
_KEY_SAMPLE: Final = 12  # URLs without two titles at one number before the number is believed to be the thread's

Titles = Mapping[str, str]
"""The URLs of a family with their anchors."""


@dataclass(frozen=True, slots=True)
class Patterned:
    """A pattern of a chosen family, with the holes that tell one of its lists from another."""

    pattern: Pattern
    chosen: Chosen
    key: tuple[str, ...]

    @property
    def titles(self) -> Titles:
        return self.chosen.family.urls


def without_strays(found: Explanation) -> Explanation:
    """The explanation with each URL in one family, the smallest: a board's link strays into a column of threads."""
    chosen = (*found.boards, *found.threads)
    owner = {url: one for one in sorted(chosen, key=lambda one: -len(one.family.urls)) for url in one.family.urls}

    def own(one: Chosen) -> Chosen:
        urls = {url: anchor for url, anchor in one.family.urls.items() if owner[url] is one}
        return replace(one, family=one.family.holding(urls)) if urls else one

    return replace(found, boards=tuple(map(own, found.boards)), threads=tuple(map(own, found.threads)))


def without_ways_in(atlas: Atlas, found: Explanation) -> Explanation:
    """The explanation without forms of threads that all answer under another form: the next thread, the newest post."""

    def direct(one: Chosen) -> Chosen:
        kept = [group for group in by_form(one.family.urls) if not _leads_elsewhere(atlas, group, one.family)]
        urls = {url: one.family.urls[url] for group in kept for url in group}
        return replace(one, family=one.family.holding(urls)) if urls and not one.ids else one

    return replace(found, threads=tuple(map(direct, found.threads)))


def _leads_elsewhere(atlas: Atlas, urls: Sequence[str], family: Family) -> bool:
    """Whether most URLs of a form, as far as they were asked for, led to others of the family.

    Behind the last thread of a board stands the board, and print views may have the same form.
    """
    ends = [page.url for url in urls if (page := atlas.sampler.known(url)) is not None]
    return 2 * sum(end not in urls and family.fits(end) for end in ends) > len(ends)


def with_forms_of_flips(atlas: Atlas, found: Explanation, flips: Iterable[str]) -> Explanation:
    """The explanation with the threads of later pages of boards, where these show none that is known.

    An address may say on which page of its list it stood; where all that were seen stood on first pages, that looks
    like a word of the program. Of the families whose URLs have a thread's shape the titles say most; what also stands
    beside known threads is something else.
    """
    chosen = list(found.threads)
    pages = {at.seen.sampled.url for one in chosen for at in one.family.sightings}

    def is_known(link: str) -> bool:
        return any(one.family.fits(link) for one in chosen)

    def is_apart(family: Family) -> bool:
        return all(
            is_known(link) for at in family.sightings if at.seen.sampled.url in pages for link in at.candidate.urls
        )

    for url in flips:
        here = [(family, {one.url: one.anchor for one in at.candidate.links}) for family, at in atlas.on_page(url)]
        if any(is_known(link) for _, links in here for link in links):
            continue
        new = [(Family(urls=links), links) for family, links in here if is_apart(family)]
        for number, one in enumerate(chosen):
            alike = [links for family, links in new if family.shapes and family.shapes <= one.family.shapes]
            if alike:
                titles = max(alike, key=lambda links: mean(map(len, links.values())))
                chosen[number] = replace(one, family=one.family.holding({**titles, **one.family.urls}))
    return replace(found, threads=tuple(chosen))


def patterned(
    chosen: Iterable[Chosen], negatives: Iterable[str], *, boards: bool, above: Iterable[Chosen] = ()
) -> list[Patterned]:
    """The patterns of some families, each once, refined against URLs of other kinds, the surest families first.

    `above` are the boards on whose pages they may stand.
    """
    wrong = list(negatives)
    holders = [one.family for one in above]
    found: dict[str, Patterned] = {}
    for one in _pooled(chosen):
        against = [url for url in wrong if url not in one.family.urls]
        pages = [at.seen.sampled.url for at in one.family.sightings]
        carried = carried_from(pages, [other.urls for other in holders if other.urls != one.family.urls])
        for pattern in learn_patterns(one.family.urls, against, boards=boards, carried=carried):
            key = identifying_holes(pattern, one.family.urls, one.ids)
            if boards and not _tell_apart(pattern, key, one.family.urls):
                key = ()
            found.setdefault(str(pattern), Patterned(pattern, one, key))
    return _with_own_numbers(list(found.values()))


def _pooled(chosen: Iterable[Chosen]) -> list[Chosen]:
    """The families, with single addresses of one structure as one: boards below boards are met one by one."""
    kept: list[Chosen] = []
    pools: dict[tuple[object, ...], Chosen] = {}
    for one in chosen:
        if any(pattern.holes for pattern in one.family.patterns) or one.ids:
            kept.append(one)
            continue
        for url, anchor in one.family.urls.items():
            parts = take_apart(url)
            alike = (one.reserve, parts.structure, parts.slots[:1], head_of(url).rpartition("/")[2])
            pool = pools.setdefault(alike, Chosen(Family(), one.probability, one.reserve))
            pool.family.urls[url] = anchor
    return [*kept, *pools.values()]


def identifying_holes(pattern: Pattern, titles: Titles, ids: Mapping[str, str]) -> tuple[str, ...]:
    """The holes that tell one list from another: a number that no two titles share; else all of the URL.

    The rest of the URL (a slug, the list page that the link stood on) may vary for one and the same thread. `ids` are
    the numbers by which rows asked for URLs that they reached by a redirect.
    """
    fitting = {url: values for url in titles if (values := pattern.match(url)) is not None}
    for hole in pattern.holes:
        if ids and fitting and all(ids.get(url) == values[hole.name] for url, values in fitting.items()):
            return (hole.name,)
    distinct = len({titles[url] for url in fitting})
    if (
        len(fitting) < _KEY_SAMPLE or distinct < _FEW_TITLES
    ):  # also where all links say the same, as "Reply": that tells nothing apart
        return ()
    for hole in pattern.holes:
        named: dict[str, set[str]] = {}
        for url, values in fitting.items():
            named.setdefault(values[hole.name], set()).add(titles[url])
        if hole.kind == NUMBER and len(named) >= distinct and all(len(one) == 1 for one in named.values()):
            return (hole.name,)
    return ()


def _tell_apart(pattern: Pattern, key: Sequence[str], urls: Iterable[str]) -> bool:
    """Whether no two lists have one key: months are counted board by board, whose names may be words."""
    matched = [values for url in urls if (values := pattern.match(url)) is not None]
    return len({tuple(one.values()) for one in matched}) == len({tuple(map(one.get, key)) for one in matched})


def _with_own_numbers(found: Sequence[Patterned]) -> list[Patterned]:
    """The patterns without keys that another pattern gives to other lists: archives count threads board by board."""
    clashing = {
        str(one.pattern)
        for one in found
        for other in found
        if one is not other and one.key and one.key == other.key and _numbers_clash(one, other)
    }
    return [Patterned(one.pattern, one.chosen, ()) if str(one.pattern) in clashing else one for one in found]


def _numbers_clash(one: Patterned, other: Patterned) -> bool:
    """Whether most numbers that two patterns share stand for different titles."""
    mine, theirs = _by_key(one), _by_key(other)
    shared = mine.keys() & theirs.keys()
    return sum(mine[number] != theirs[number] for number in shared) * 2 > len(shared)


def _by_key(one: Patterned) -> dict[tuple[str, ...], str]:
    matched = ((one.pattern.match(url), anchor) for url, anchor in one.titles.items())
    return {tuple(values[name] for name in one.key): anchor for values, anchor in matched if values is not None}
