"""What is measured on a site beside the strategies: entry against other starts, and connectivity of loop-back links.

FoCUS 5.3.2 lets an ideal crawler, which follows needed URLs only, start from the entry page and from others. Wang et
al. 6.3 take every loop-back link of the sitemap and see whether its connectivity tells page-flipping links from others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from thrawl.errors import ThrawlError
from thrawl.lab.bench.requests import LoggedMirror
from thrawl.lab.bench.sitetruth import SiteTruth
from thrawl.lab.rivals.look import Looks
from thrawl.lab.rivals.sampling import draw_sample
from thrawl.lab.rivals.sitemap import SiteLink, Sitemap
from thrawl.net.message import Request

_OTHER_STARTS: Final = 5
_FEWEST_WAYS: Final = 5  # a link that the sample shows less often says nothing of its connectivity
_SIZES: Final = (0.25, 0.5, 1.0, 2.0)  # of the sample that the strategies draw


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop-back link in a sample of some size: its connectivity, and whether it truly flips pages."""

    sampled: int
    form: str
    score: float
    flips: bool


@dataclass(frozen=True, slots=True)
class SiteExtras:
    """`from_entry` and `from_others` are the shares of the thread pages that an ideal crawler reaches."""

    from_entry: float | None = None
    from_others: float | None = None
    loops: tuple[Loop, ...] = ()


async def measure_extras(truth: SiteTruth, looks: Looks, seed: int, sample: int) -> SiteExtras:
    if not truth.canonical:
        return SiteExtras()
    needed = await truth.needed()
    others = sorted(url for url in needed if truth.type_of(url) != "entry")
    random.Random(f"{seed} {truth.site}").shuffle(others)
    reached = [await _ideal(truth, looks, url, needed) for url in others[:_OTHER_STARTS]]
    entry = await _ideal(truth, looks, truth.start, needed)
    loops = tuple(await _loops(truth, looks, needed, seed, sample))
    return SiteExtras(entry, fmean(reached) if reached else None, loops)


async def _ideal(truth: SiteTruth, looks: Looks, start: str, needed: Mapping[str, str]) -> float:
    """The share of the thread pages that a crawler reaches which follows needed URLs and no others."""
    fetcher = LoggedMirror(truth.replay)
    seen = {start}
    waiting = [start]
    for url in waiting:
        try:
            look = looks.look(await fetcher.fetch(Request(url)))
        except ThrawlError:
            continue
        for link in look.links if look is not None else ():
            if link.url in needed and link.url not in seen:
                seen.add(link.url)
                waiting.append(link.url)
    threads = {url for url, kind in needed.items() if kind.startswith("thread")}
    got = {one.url for one in fetcher.log if one.status == 200}
    return len(got & threads) / max(1, len(threads))


async def _loops(truth: SiteTruth, looks: Looks, needed: Mapping[str, str], seed: int, sample: int) -> Sequence[Loop]:
    size = max(1, round(sample * _SIZES[-1]))
    whole = await draw_sample(truth.start, LoggedMirror(truth.replay), looks, size=size, seed=seed)
    found: list[Loop] = []
    for share in _SIZES:
        part = whole.first(round(sample * share))
        if len(part.looks) < len(whole.looks) or share == _SIZES[-1]:
            found.extend(_scored(Sitemap(part), needed, len(part.looks)))
    return found


def _scored(sitemap: Sitemap, needed: Mapping[str, str], size: int) -> Iterator[Loop]:
    for link in sitemap.links:
        if link.is_loop and len(link.ways) >= _FEWEST_WAYS:
            score = sitemap.connectivity_of(link)
            if score is not None:
                yield Loop(size, link.form, score, _flips(link, needed))


def _flips(link: SiteLink, needed: Mapping[str, str]) -> bool:
    """Whether most of a link's URLs are later pages of lists."""
    flips = sum(needed.get(url, "").endswith("flip") for _, url in link.ways)
    return flips * 2 > len(link.ways)
