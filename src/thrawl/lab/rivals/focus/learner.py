"""FoCUS as a strategy: entry URL discovery (Algorithm 3), the URL training sets (4.2, 4.3.1), ITF regexes, crawling.

Detection begins on the entry page and goes on with the destinations of the index URLs that it finds until there are no
more; page-flipping URLs are looked for on all index and thread pages that were seen. The crawl is breadth first along
every outgoing URL that matches any learned regex (4.4). Session ids are taken off URLs as the paper says (4.3.2).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from thrawl.errors import LearnError
from thrawl.lab.rivals.focus.classifier import FocusClassifier
from thrawl.lab.rivals.focus.detect import Detector
from thrawl.lab.rivals.focus.regexes import learn_regexes
from thrawl.lab.rivals.look import Looks, PageLook
from thrawl.lab.rivals.way import Found, Moves, Say, Step
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.net.message import Fetcher
from thrawl.page.pagekind import PageKind
from thrawl.profile.urls import same_site

MOST_PAGES: Final = 600
"""Pages that learning may fetch: as many as the other rivals sample. The paper's average is 442, its most 2,663."""
_FEW: Final = 3  # "randomly select a few URLs" (Algorithm 3, line 2)
_MOST_PAGERS: Final = 40  # pages of a type on which page-flipping URLs are looked for


@dataclass(slots=True)
class TrainingSets:
    """URL strings of each type, as they were detected."""

    index: dict[str, None] = field(default_factory=dict)
    thread: dict[str, None] = field(default_factory=dict)
    flip: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Focus:
    """Learns ITF regexes with weak page classifiers, then follows what matches them."""

    seed: int = 1
    classifier: FocusClassifier | None = None
    name: str = "focus"

    async def find_way(self, start: str, fetcher: Fetcher, looks: Looks, say: Say) -> Found:
        sampler = Sampler(fetcher, PageClassifier.load(), budget=MOST_PAGES)
        detector = Detector(sampler, self.classifier or FocusClassifier.load())
        first = await sampler.get(start)
        if first is None:
            raise LearnError(f"the page {start} cannot be read; give another page of the forum.")
        entry = await discover_entry(first, sampler, detector, random.Random(f"{self.seed} {start}"))
        say(f"entry page {entry.url}")
        sets = await training_sets(entry, sampler, detector)
        way = ItfWay(entry.url, learn_regexes(sets.index), learn_regexes(sets.thread), learn_regexes(sets.flip))
        say(f"learned from {sampler.requests} pages: {way}")
        if not sets.thread:
            raise LearnError(f"FoCUS detects no thread URLs on the index pages below {entry.url}.")
        return Found(way, tuple(one.response for one in sampler.sampled), sampler.requests)


async def discover_entry(page: Sampled, sampler: Sampler, detector: Detector, chosen: random.Random) -> Sampled:
    """Algorithm 3: of the URLs that every page has, the one whose page has most index URLs.

    The paper returns nothing where there is none; a user would rather see the page that was given tried.
    """
    candidates = _outgoing(page)
    for url in chosen.sample(candidates, min(_FEW, len(candidates))):
        other = await sampler.get(url)
        if other is not None:
            links = set(_outgoing(other))
            candidates = [one for one in candidates if one in links]
    entry, count = page, 0
    for url in candidates:
        there = await sampler.get(url)
        detected = await detector.index_or_thread(there.page) if there is not None else None
        if (
            there is not None
            and detected is not None
            and detected.type is PageKind.INDEX
            and len(detected.urls) > count
        ):
            entry, count = there, len(detected.urls)
    return entry


def _outgoing(page: Sampled) -> list[str]:
    return list(dict.fromkeys(link.url for link in page.page.links if same_site(link.url, page.url)))


async def training_sets(entry: Sampled, sampler: Sampler, detector: Detector) -> TrainingSets:
    """Section 4.2: detect on the entry page and on every index page that is detected; then look for page flips."""
    sets = TrainingSets()
    waiting, fed = [entry], {entry.url}
    for page in waiting:
        detected = await detector.index_or_thread(page.page)
        if detected is None:
            continue
        found = sets.index if detected.type is PageKind.INDEX else sets.thread
        found.update(dict.fromkeys(detected.urls))
        if detected.type is PageKind.INDEX:
            for one in await sampler.get_all(detected.urls):
                if one.url not in fed and detector.type_of(one) == "index":
                    fed.add(one.url)
                    waiting.append(one)
    threads = [one for one in sampler.sampled if detector.type_of(one) == "thread"]
    for page in (*waiting[:_MOST_PAGERS], *threads[:_MOST_PAGERS]):
        sets.flip.update(dict.fromkeys(await detector.page_flipping(page.page)))
    return sets


class ItfWay:
    """From any page to all of its URLs that match an ITF regex."""

    def __init__(self, entry: str, index: Sequence[str], thread: Sequence[str], flip: Sequence[str]) -> None:
        self._entry = entry
        self._named = {"index": tuple(index), "thread": tuple(thread), "page-flipping": tuple(flip)}
        self._types = [
            (PageKind.INDEX, "an index URL", _any_of(index)),
            (PageKind.THREAD, "a thread URL", _any_of(thread)),
            (PageKind.OTHER, "a page-flipping URL", _any_of(flip)),
        ]

    def __str__(self) -> str:
        return "; ".join(f"{name}: {', '.join(regexes) or 'none'}" for name, regexes in self._named.items())

    @property
    def starts(self) -> Sequence[Step]:
        return (Step(self._entry, PageKind.ENTRY, "the entry page"),)

    def onward(self, look: PageLook, rule: str) -> Moves:
        steps = []
        for link in look.links:
            for kind, name, regex in self._types:
                if regex is not None and regex.fullmatch(link.url):
                    steps.append(Step(link.url, kind, name))
                    break
        return Moves(steps)


def _any_of(regexes: Iterable[str]) -> re.Pattern[str] | None:
    listed = list(regexes)
    return re.compile("|".join(f"(?:{one})" for one in listed)) if listed else None
