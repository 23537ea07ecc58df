"""Train the model that weighs pagers (`profile/pager.json`) on annotated mirrors, and measure it on sites left out.

Every pager that the rules propose on sampled pages is an example, twice: as the page alone shows it, and together with
a page behind it. The truth is the mirror's list of canonical URLs: a pager is right if its links are flips of the list
that its page belongs to, and if its frame has its hole where the page stands.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy

from thrawl.errors import FetchError, InputError, PageError
from thrawl.lab.bench.mirrors import Mirror, open_mirror
from thrawl.lab.random.choices import ONE_POST
from thrawl.lab.random.site import ORIGIN, Site, forum
from thrawl.lab.skins.routes import SitePage
from thrawl.learn.flips.evidence import pagers_of, seen_behind
from thrawl.net.message import Request
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import Page, read_page
from thrawl.profile.models import Model
from thrawl.profile.pager import Pager
from thrawl.profile.pagerframes import HOLE
from thrawl.profile.pagermodel import LIKELY, Evidence

_PAGES: Final = {
    PageKind.INDEX: 16,
    PageKind.THREAD: 24,
}  # of each kind and site; lists are learned by their first pages
_INDEX_URLS: Final = (PageKind.INDEX, PageKind.INDEX_FLIP)
_THREAD_URLS: Final = (PageKind.THREAD, PageKind.THREAD_FLIP)
_LOOKED_BEHIND: Final = 4  # pagers of a page that are looked behind, the likeliest first
_FORUM_PAGES: Final = 6  # of a random forum: its longest lists, and as many others
_FORUM_FOLDS: Final = 8  # sites that all random forums count as
_OTHER_VALUE: Final = "918273"  # stands in a frame to see what it changes
# What is expected before any data: words, numbers and a kept address are each half of what it takes; other records
# behind the link outweigh any doubt about it, and the same ones any hope.
_EXPECTED_BIAS: Final = -5.0
_EXPECTED: Final = {
    "numbers": 3.0,
    "next_words": 3.0,
    "next_hint": 1.5,
    "rel_next": 2.0,
    "previous": -2.0,
    "second": 0.5,
    "wordy": -2.0,
    "keeps_list": 4.0,
    "changes_number": -3.0,
    "changes_more": -1.5,
    "many_lists": -2.0,
    "other_records": 3.5,
    "alike": 1.0,
    "leads_back": 1.0,
    "same_title": 1.0,
}
_TRUST: Final = 3.0  # in what is expected, as examples; a dozen sites cannot speak for all others alone
_STEPS: Final = 20  # of Newton's method; it settles in ten
_SMALLEST_STEP: Final = 1e-6  # of any weight
_STEEPEST: Final = 40.0  # exponents beyond are 0 or 1 anyway
_ENOUGH: Final = 40  # examples of one site and class that weigh fully; more share that weight
_WORDS: Final = re.compile(r"[A-Za-z]+|\d+")


@dataclass(frozen=True, slots=True)
class PagerExample:
    """One proposed pager: its site, what speaks for it, and whether it is one."""

    site: str
    evidence: Evidence
    is_pager: bool


@dataclass(frozen=True, slots=True)
class PagerFigures:
    """How many pagers called likely are some, and how many of all are called likely, on sites left out."""

    precision: float
    recall: float
    examples: int
    sure_right: float
    """The share of right ones among decisions that are said to be at least 90 % sure."""


async def pager_examples(folders: Sequence[Path], seed: int = 1) -> list[PagerExample]:
    """The examples of all mirrors whose rules tell canonical URLs."""
    found: list[PagerExample] = []
    for folder in folders:
        try:
            mirror = open_mirror(folder)
        except InputError:
            continue
        async for example in _examples(mirror, _Truth.read(mirror), seed):
            found.append(example)
    return found


def train_pagers(examples: Sequence[PagerExample]) -> Model:
    """Fit the weights: logistic regression that leaves what is expected only where data speaks.

    Every site and class weighs the same, however many examples it has.
    """
    wanted = numpy.array([example.is_pager for example in examples], dtype=float)
    if len(set(wanted)) < 2:
        raise InputError("there are no pagers to train on: give mirrors with canonical flips")
    vectors = numpy.array([(1.0, *astuple(example.evidence)) for example in examples])
    shares = numpy.array(_shares(examples))
    expected = numpy.array([_EXPECTED_BIAS, *(_EXPECTED[name] for name in Evidence.names())])

    def slope_and_curve(weights: Any) -> tuple[Any, Any]:
        called = 1 / (1 + numpy.exp(-numpy.clip(vectors @ weights, -_STEEPEST, _STEEPEST)))
        slope = vectors.T @ (shares * (called - wanted)) + _TRUST * (weights - expected)
        curve = (vectors * (shares * called * (1 - called))[:, None]).T @ vectors
        return slope, curve + _TRUST * numpy.eye(len(weights))

    def loss(weights: Any) -> float:
        margins = numpy.clip(vectors @ weights, -_STEEPEST, _STEEPEST) * (2 * wanted - 1)
        return float(shares @ numpy.log1p(numpy.exp(-margins)) + _TRUST / 2 * ((weights - expected) ** 2).sum())

    weights = expected.copy()
    for _ in range(_STEPS):  # Newton's method; a step that leads too far is halved
        slope, curve = slope_and_curve(weights)
        step = numpy.linalg.solve(curve, slope)
        while loss(weights - step) > loss(weights) and abs(step).max() > _SMALLEST_STEP:
            step = step / 2
        weights = weights - step
    return Model(float(weights[0]), dict(zip(Evidence.names(), map(float, weights[1:]), strict=True)))


def evaluate_pagers(examples: Sequence[PagerExample]) -> dict[str, PagerFigures]:
    """Each site measured with a model that was trained without it, and all together as `all`."""
    judged: dict[str, list[tuple[float, bool]]] = {}
    for site in sorted({example.site for example in examples}):
        model = train_pagers([example for example in examples if example.site != site])
        own = [example for example in examples if example.site == site]
        judged[site] = [(model.probability(example.evidence), example.is_pager) for example in own]
    judged["all"] = [pair for pairs in judged.values() for pair in pairs]
    return {site: _figures(pairs) for site, pairs in judged.items()}


def _figures(judged: Sequence[tuple[float, bool]]) -> PagerFigures:
    called = [right for probability, right in judged if probability >= LIKELY]
    pagers = sum(right for _, right in judged)
    sure = [
        right == (probability >= LIKELY) for probability, right in judged if max(probability, 1 - probability) >= 0.9
    ]
    return PagerFigures(
        precision=sum(called) / max(1, len(called)),
        recall=sum(called) / max(1, pagers),
        examples=len(judged),
        sure_right=sum(sure) / max(1, len(sure)),
    )


def _shares(examples: Sequence[PagerExample]) -> list[float]:
    sizes = Counter((example.site, example.is_pager) for example in examples)
    return [min(1.0, _ENOUGH / sizes[example.site, example.is_pager]) for example in examples]


@dataclass(frozen=True, slots=True)
class _Truth:
    """What a mirror's rules tell of lists and their pages."""

    mirror: Mirror
    thread_key: re.Pattern[str]
    page_key: re.Pattern[str]

    @classmethod
    def read(cls, mirror: Mirror) -> _Truth:
        rules = json.loads((mirror.folder / "rules.json").read_text(encoding="utf-8"))
        return cls(mirror, re.compile(rules.get("thread_key") or "(?!)"), re.compile(rules.get("page_key") or "(?!)"))

    def judge(self, url: str, pager: Pager) -> bool | None:
        """Whether a pager on the page at `url` is one; None where nobody can tell."""
        kinds = (
            (PageKind.INDEX, PageKind.INDEX_FLIP) if self._is_index(url) else (PageKind.THREAD, PageKind.THREAD_FLIP)
        )
        flips = [one for one in pager.urls if self.mirror.kind_of(one) == kinds[1] and self._same_list(url, one)]
        if flips:
            return self._has_page_in_hole(pager)
        variants = [one for one in pager.urls if self._is_variant(url, one, kinds)]
        return None if variants else False

    def _is_index(self, url: str) -> bool:
        return self.mirror.kind_of(url) in _INDEX_URLS or self.mirror.rules.type_of(url) in (
            PageKind.INDEX,
            PageKind.ENTRY,
        )

    def _same_list(self, url: str, flip: str) -> bool:
        if not self._is_index(url):
            return self._key(url) == self._key(flip)
        page = self.page_key.search(url)
        home = url if page is None else url[: page.start(1)] + url[page.end(1) :]
        return set(_WORDS.findall(home)) <= set(_WORDS.findall(flip))

    def _key(self, url: str) -> str | None:
        found = self.thread_key.search(url)
        return found[1] if found else None

    def _has_page_in_hole(self, pager: Pager) -> bool:
        found = self.page_key.search(pager.frame.replace(HOLE, _OTHER_VALUE))
        return found is not None and found[1] == _OTHER_VALUE

    def _is_variant(self, url: str, other: str, kinds: tuple[str, str]) -> bool:
        """A page of the same list in another form, of which rules tell too little."""
        kind = self.mirror.rules.type_of(other)
        if kind is None:
            return True
        return kind == kinds[0] and (kind == PageKind.INDEX or self._key(url) == self._key(other))


def random_examples(seeds: Iterable[int]) -> Iterator[PagerExample]:
    """The examples of random forums; some of them together count as a site."""
    for seed in seeds:
        site = forum(seed)
        posts = site.choices.markup in ONE_POST  # each page of a thread is a post then, and its links no pager
        opened = [
            place
            for place in site.plan.canonical()
            if place.page == site.plan.opening(place) and not (posts and place.what == "thread")
        ]
        long = sorted(opened, key=lambda place: -site.plan.page_count(place))
        for place in dict.fromkeys((*long[:_FORUM_PAGES], *opened[-_FORUM_PAGES:])):
            yield from _of_place(site, place)


def _of_place(site: Site, place: SitePage) -> Iterator[PagerExample]:
    url = ORIGIN + site.addresses.path(place)
    page = _read(site.answer(site.addresses.path(place)).body, url)
    for rank, pager in enumerate(pagers_of(page) if page else ()):
        right = _is_pager_of(site, place, pager)
        if right is None or page is None or (rank >= 2 * _LOOKED_BEHIND and not right):
            continue
        name = f"random {site.choices.seed % _FORUM_FOLDS}"
        yield PagerExample(name, pager.evidence, right)
        target = (pager.next_url or pager.urls[-1]).removeprefix(ORIGIN)
        answer = site.answer(target)
        other = _read(answer.body, ORIGIN + target) if answer.status == 200 and answer.location is None else None
        if other is not None:
            yield PagerExample(name, seen_behind(page, other, pager), right)


def _is_pager_of(site: Site, place: SitePage, pager: Pager) -> bool | None:
    """Whether a pager's links are pages of the list at a place, and its frame that of its flips."""
    found = [site.place(url.removeprefix(ORIGIN)) for url in pager.urls]
    own = [one for one in found if one is not None and (one.what, one.id, one.key) == (place.what, place.id, place.key)]
    if not own:
        return False
    if all(one.form or one.page == place.page for one in own):
        return None  # the same page in another form
    before, _, after = pager.frame.partition(HOLE)

    def fits(one: SitePage) -> bool:
        address = ORIGIN + site.addresses.path(one)
        return address.startswith(before) and address.endswith(after)

    pages = (page for page in range(1, site.plan.page_count(place) + 1) if page not in (1, place.page))
    others = (one for one in site.plan.canonical() if one.what == place.what and one.id != place.id)
    return all(fits(replace(place, page=page)) for page in pages) and not any(map(fits, others))


async def _examples(mirror: Mirror, truth: _Truth, seed: int) -> AsyncIterator[PagerExample]:
    for kind, number in _PAGES.items():
        for response in await mirror.pages_of({kind}, number, seed):
            page = _read(response.text, response.url)
            judged = ((pager, truth.judge(response.url, pager)) for pager in pagers_of(page)) if page else ()
            for rank, (pager, right) in enumerate(judged):
                if right is None or page is None:
                    continue
                yield PagerExample(mirror.site, pager.evidence, right)
                other = await _behind(mirror, pager) if rank < _LOOKED_BEHIND or right else None
                if other is not None:
                    yield PagerExample(mirror.site, seen_behind(page, other, pager), right)


async def _behind(mirror: Mirror, pager: Pager) -> Page | None:
    try:
        response = await mirror.replay.fetch(Request(pager.next_url or pager.urls[-1]))
    except FetchError:
        return None
    return _read(response.text, response.url) if response.status == 200 and response.is_html else None


def _read(html: str, url: str) -> Page | None:
    try:
        return read_page(html, url)
    except PageError:
        return None


def example_counts(examples: Sequence[PagerExample]) -> Iterator[tuple[str, int, int]]:
    """For each site the number of pagers, and of what only looks like one."""
    for site in sorted({example.site for example in examples}):
        own = [example.is_pager for example in examples if example.site == site]
        yield site, sum(own), len(own) - sum(own)
