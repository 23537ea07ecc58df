"""Rows that lead to threads by a redirect: the addresses that answer are built from those that rows show.

Where a few redirects tell how the one is made of the other, the rest need not be asked for: that would cost a request
more for each thread of the site. A rule is kept only if every page that was asked for by it is the one that its row
names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from thrawl.learn.named import names_page
from thrawl.learn.refine import learn_patterns
from thrawl.learn.sampler import Sampler
from thrawl.learn.structure.explanation import Chosen
from thrawl.profile.patterns import Hole, Pattern

_TOLD: Final = 2  # redirects that agree on how addresses are made: it is tried then,
_PROVEN: Final = 5  # and believed after as many pages, some of other boards among them


def built_by(pattern: Pattern, ends: Mapping[str, str]) -> Pattern | None:
    """The addresses behind those of a pattern, in terms of its holes; None where some redirects do not tell."""
    asked = {url: values for url in ends if (values := pattern.match(url)) is not None}
    found = learn_patterns(ends[url] for url in asked)
    if len(asked) < _TOLD or len(found) != 1:
        return None
    reached = {url: found[0].match(ends[url]) for url in asked}
    names: dict[str, str] = {}
    for hole in found[0].holes:
        same = (
            one.name
            for one in pattern.holes
            if all(end is not None and end[hole.name] == asked[url][one.name] for url, end in reached.items())
        )
        names[hole.name] = next((name for name in same if name not in names.values()), "")
    if not names or not all(names.values()):
        return None
    pieces = found[0].pieces
    return Pattern(tuple(Hole(names[one.name], one.kind) if isinstance(one, Hole) else one for one in pieces))


def direct_addresses(sampler: Sampler, patterns: tuple[Pattern, ...], titles: Mapping[str, str]) -> dict[str, str]:
    """Where those of some addresses lead that were not asked for yet."""
    ends = sampler.led(titles)
    found: dict[str, str] = {}
    for pattern in patterns:
        built = built_by(pattern, ends)
        for url in titles if built is not None else ():
            values = pattern.match(url) if not sampler.asked(url) else None
            found |= {url: built.build(values)} if built is not None and values is not None else {}
    return found


def leads_to(sampler: Sampler, pattern: Pattern, titles: Mapping[str, str]) -> Pattern | None:
    """The pattern of the addresses behind those of another one, if enough pages prove it and none refutes it."""
    ends = sampler.led(titles)
    built = built_by(pattern, ends)
    if built is None:
        return None
    asked = {built.build(values): url for url in titles if (values := pattern.match(url)) is not None}
    tried = [(end, url) for end, url in asked.items() if sampler.asked(end)]
    told = [
        (page := sampler.known(end)) is not None and (ends.get(url) == end or names_page(titles[url], page.page))
        for end, url in tried
    ]
    return built if len(told) >= _PROVEN and all(told) else None


def told_apart(sampler: Sampler, one: Chosen) -> list[Chosen]:
    """Threads as two kinds where some addresses are redirected to others: one pattern would fit both of them.

    Links from thread to thread lead there directly.
    """
    urls = one.family.urls
    ends = sampler.led(urls)
    ways = [pattern for pattern in learn_patterns(ends) if not any(map(pattern.match, ends.values()))]
    asked = {url: anchor for url, anchor in urls.items() if any(pattern.match(url) for pattern in ways)}
    direct = {url: anchor for url, anchor in urls.items() if url not in asked}
    return [replace(one, family=one.family.holding(part)) for part in (direct, asked) if part]
