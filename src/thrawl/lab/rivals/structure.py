"""The structure-driven crawler (Vidal et al. 2006), as both papers describe it, adapted to forums as they did.

First the site is mapped breadth first from its entry page. A page is a target where its DOM tree is like that of a
sample page; the paths that lead to the targets are generalised into navigation patterns, one URL regex a step, and for
each sample page the pattern that leads to most targets is taken. The crawler then follows these patterns. Wang et al.
(6.1) chose one sample page from each vertex by hand: here they are given, or typical pages of the informative layout
clusters. FoCUS (5.3.3) added patterns of page-flipping URLs: links with numbers as anchors between pages of one step
that are alike.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from thrawl.lab.rivals.irobot import informative
from thrawl.lab.rivals.look import Looks, PageLook
from thrawl.lab.rivals.sampling import SAMPLE, Sample, draw_sample
from thrawl.lab.rivals.sitemap import Sitemap
from thrawl.lab.rivals.treelikeness import SIMILAR, Outline, Outlines
from thrawl.lab.rivals.urlregex import UrlRegex, generalised
from thrawl.lab.rivals.way import Found, Moves, Say, Step
from thrawl.net.message import Fetcher
from thrawl.page.pagekind import PageKind
from thrawl.page.tree import parse
from thrawl.profile.urls import same_site

_RULE: Final = re.compile(r"step (\d+) of navigation patterns? ([\d ]+)")


@dataclass(frozen=True, slots=True)
class Navigation:
    """A navigation pattern: a regex for each step, and for the pages of each step those of their flips."""

    steps: tuple[UrlRegex, ...]
    flips: Mapping[int, tuple[UrlRegex, ...]]
    targets: int


@dataclass(frozen=True, slots=True)
class Structure:
    """Maps the site, then follows navigation patterns. `targets` are URLs of sample pages that somebody chose."""

    sample: int = SAMPLE
    seed: int = 1
    targets: tuple[str, ...] = ()
    name: str = "structure"

    async def find_way(self, start: str, fetcher: Fetcher, looks: Looks, say: Say) -> Found:
        mapped = await draw_sample(start, fetcher, looks, size=self.sample, seed=self.seed, both_ends=False, say=say)
        examples = self.targets or tuple(_examples(Sitemap(mapped)))
        navigations = Navigations(mapped).learn(examples)
        say(f"{len(navigations)} navigation patterns for {len(examples)} sample pages")
        return Found(NavigationWay(mapped.start, navigations), tuple(mapped.pages), mapped.requests)


def _examples(sitemap: Sitemap) -> Iterable[str]:
    """A typical page of each informative vertex but the entry page's own."""
    return (one.typical for one in informative(sitemap) if one.number != sitemap.entry)


class Navigations:
    """Learns navigation patterns from a map of the site."""

    def __init__(self, mapped: Sample) -> None:
        self._mapped = mapped
        self._outlines = Outlines()
        self._outline = {
            page.url: self._outlines.outline(parse(page.text)) for page in mapped.pages if page.status == 200
        }
        self._paths = _paths(mapped)

    def learn(self, examples: Iterable[str]) -> list[Navigation]:
        """The best pattern for each sample page, each pattern once."""
        found: dict[tuple[str, ...], Navigation] = {}
        for example in examples:
            page = self._mapped.page_of(example)
            if page is not None and page.url in self._outline:
                navigation = self._navigation(self._like(self._outline[page.url]))
                if navigation is not None:
                    found.setdefault(tuple(step.expression for step in navigation.steps), navigation)
        return list(found.values())

    def _like(self, example: Outline) -> list[str]:
        """The target pages: those whose trees are like the sample page's."""
        likeness = self._outlines.likeness
        return [url for url in self._paths if url in self._outline and likeness(self._outline[url], example) >= SIMILAR]

    def _navigation(self, targets: Sequence[str]) -> Navigation | None:
        """The pattern that leads to most targets: of all their paths, generalised step by step."""
        levels: dict[int, list[str]] = defaultdict(list)
        for target in targets:
            for level, url in enumerate(self._paths[target]):
                levels[level].append(url)
        regexes = {level: generalised(urls) for level, urls in levels.items()}
        patterns: Counter[tuple[UrlRegex, ...]] = Counter()
        for target in targets:
            path = self._paths[target]
            if path:
                patterns[tuple(regexes[level][url] for level, url in enumerate(path))] += 1
        if not patterns:
            return None
        steps, number = patterns.most_common(1)[0]
        return Navigation(steps, {level: self._flips(step) for level, step in enumerate(steps)}, number)

    def _flips(self, step: UrlRegex) -> tuple[UrlRegex, ...]:
        """FoCUS' adaptation: the patterns of numbered links between pages of one step that are alike."""
        urls = []
        for url, look in self._mapped.looks.items():
            if not step.matches(url):
                continue
            for link in look.links:
                page = self._mapped.page_of(link.url) if link.anchor.isdigit() else None
                if page is not None and page.url != url and self._alike(url, page.url):
                    urls.append(link.url)
        return tuple(dict.fromkeys(generalised(urls).values()))

    def _alike(self, one: str, other: str) -> bool:
        return self._outlines.likeness(self._outline[one], self._outline[other]) >= SIMILAR


def _paths(mapped: Sample) -> dict[str, tuple[str, ...]]:
    """For each page of the map the URLs that lead to it from the entry page, on a shortest path."""
    paths: dict[str, tuple[str, ...]] = {mapped.start: ()}
    waiting = [mapped.start]
    for url in waiting:
        for link in mapped.looks[url].links:
            page = None if link.nofollow else mapped.page_of(link.url)
            if page is not None and page.url not in paths:
                paths[page.url] = (*paths[url], link.url)
                waiting.append(page.url)
    return paths


class NavigationWay:
    """Along navigation patterns: the rule of a page names the step and the patterns by which it was reached."""

    def __init__(self, start: str, navigations: Sequence[Navigation]) -> None:
        self._start = start
        self._navigations = navigations

    @property
    def starts(self) -> Sequence[Step]:
        return (Step(self._start, PageKind.ENTRY, _rule(0, range(len(self._navigations)))),)

    def onward(self, look: PageLook, rule: str) -> Moves:
        named = _RULE.fullmatch(rule)
        if named is None:
            return Moves()
        step, reached = int(named[1]), [int(number) for number in named[2].split()]
        steps = []
        for link in look.links:
            if link.nofollow or not same_site(link.url, self._start):
                continue
            onward = [one for one in reached if self._leads(one, step, link.url)]
            flips = [one for one in reached if self._flips(one, step, link.url)]
            if onward:
                steps.append(Step(link.url, PageKind.OTHER, _rule(step + 1, onward)))
            elif flips:
                steps.append(Step(link.url, PageKind.OTHER, _rule(step, flips)))
        return Moves(steps)

    def _leads(self, number: int, step: int, url: str) -> bool:
        steps = self._navigations[number].steps
        return step < len(steps) and steps[step].matches(url)

    def _flips(self, number: int, step: int, url: str) -> bool:
        """Flips of the page that a step led to; those of the entry page are none."""
        return any(regex.matches(url) for regex in self._navigations[number].flips.get(step - 1, ()))


def _rule(step: int, numbers: Iterable[int]) -> str:
    listed = list(numbers)
    return f"step {step} of navigation pattern{'s' if len(listed) != 1 else ''} {' '.join(map(str, listed))}"
