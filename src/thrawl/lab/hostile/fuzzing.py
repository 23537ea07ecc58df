"""Mutated pages through all that reads pages: nothing may raise, and time must follow size.

Each page is read as learning does (the whole page, its type), as the crawl does by wrappers that were learned from the
same site's sound pages, and by the general reader. CPU seconds are measured, so a busy machine changes little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from random import Random
from typing import Final

from thrawl.crawl.reader import PageReader
from thrawl.crawl.values import PageJob, Role
from thrawl.errors import PageError
from thrawl.lab.hostile.finding import Finding
from thrawl.lab.hostile.mutation import Original, mutated, originals
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.wrappers.posts import learn_post_wrapper
from thrawl.page.reading import read_page
from thrawl.profile.profile import Profile

MEGABYTE_SECONDS: Final = 1.0  # CPU a megabyte-sized page may take in one step
PAGE_SECONDS: Final = 0.3  # CPU that any other page may take
_MEGABYTE: Final = 1_000_000
_LEARNED_FROM: Final = 12
_MOMENT: Final = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Trial:
    """One step of reading one mutated page. `error` is empty where all went well."""

    number: int
    step: str
    chars: int
    seconds: float
    error: str = ""

    @property
    def slow(self) -> bool:
        """Whether it took longer than a page of its size may, which grows with the size above a megabyte."""
        allowed = PAGE_SECONDS if self.chars < _MEGABYTE / 2 else MEGABYTE_SECONDS * max(1, self.chars / _MEGABYTE)
        return self.seconds > allowed


def fuzz(number: int, seed: int = 1, more: Sequence[Original] = ()) -> Iterator[Trial]:
    """Read so many mutated pages."""
    pages = [*originals(seed=seed), *more]
    readers = _readers(pages)
    classifier = PageClassifier.load()
    for at in range(number):
        draw = Random(f"{seed}/{at}")
        original = draw.choice(pages)
        html = mutated(original, draw, pages)
        job = PageJob(original.url, Role.THREAD, original.url, html.encode("utf-8", "replace"), "utf-8", _MOMENT)
        index = PageJob(original.url, Role.INDEX, original.url, job.body, "utf-8", _MOMENT)
        known, general = readers[original.site], PageReader(Profile(original.url, (), ()))
        steps: dict[str, Callable[[], object]] = {
            "study": partial(_study, classifier, html, original.url),
            "cut": partial(known.read, job),
            "index": partial(known.read, index),
            "general": partial(general.read, job),
        }
        for step, call in steps.items():
            yield _tried(at, step, len(html), call)


def _study(classifier: PageClassifier, html: str, url: str) -> object:
    return classifier.classify(read_page(html, url, reference=_MOMENT))


def _tried(number: int, step: str, chars: int, call: Callable[[], object]) -> Trial:
    began = time.process_time()
    error = ""
    try:
        call()
    except PageError:
        pass  # refused in words: that is an answer
    except Exception as unexpected:  # noqa: BLE001 - whatever is raised is what the trial is about
        error = repr(unexpected)
    return Trial(number, step, chars, time.process_time() - began, error)


def _readers(pages: Sequence[Original]) -> dict[str, PageReader]:
    """A reader by wrappers for each site, as far as wrappers can be learned from some of its pages."""
    found: dict[str, PageReader] = {}
    for site in dict.fromkeys(page.site for page in pages):
        own = [page for page in pages if page.site == site][-_LEARNED_FROM:]
        wrapper = learn_post_wrapper([read_page(page.html, page.url) for page in own])
        profile = Profile(own[0].url, (), (), post_wrapper=wrapper.to_json() if wrapper else None)
        found[site] = PageReader(profile)
    return found


def findings(number: int, seed: int = 1, more: Sequence[Original] = ()) -> Iterator[Finding]:
    """The lines of the table: one for each step."""
    trials = list(fuzz(number, seed, more))
    for step in dict.fromkeys(one.step for one in trials):
        own = [one for one in trials if one.step == step]
        raised = [one for one in own if one.error]
        slow = [one for one in own if one.slow]
        worst = max(own, key=lambda one: one.seconds)
        seen = f"raised {len(raised)}, slow {len(slow)}, slowest {worst.seconds:.2f} s of {worst.chars:,} characters"
        if raised or slow:
            first = (raised or slow)[0]
            seen += f"; e.g. page {first.number} {first.error or f'{first.seconds:.2f} s of {first.chars:,}'}"
        yield Finding("fuzzing", f"mutated pages, {step}", len(own), not raised and not slow, seen)
