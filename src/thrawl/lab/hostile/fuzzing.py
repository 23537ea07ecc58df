"""Mutated pages through all that reads pages: nothing may raise, and time must follow size.

Each page is read as learning does (the whole page, its type), as the crawl does by wrappers that were learned from the
same site's sound pages, and by the general reader. CPU seconds are measured, so a busy machine changes little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
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
_PORTION: Final = 200  # pages that a process reads before it tells: some 20 seconds
_MOMENT: Final = datetime(2026, 1, 1, tzinfo=UTC)
_fuzzer: Fuzzer | None = None


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


class Fuzzer:
    """Reads mutated pages; the same seed and number give the same page in any process."""

    def __init__(self, seed: int = 1, more: Sequence[Original] = ()) -> None:
        self._seed = seed
        self._pages = [*originals(seed=seed), *more]
        self._readers = _readers(self._pages)
        self._classifier = PageClassifier.load()

    def read(self, number: int) -> Iterator[Trial]:
        """One page, step by step."""
        draw = Random(f"{self._seed}/{number}")
        original = draw.choice(self._pages)
        html = mutated(original, draw, self._pages)
        job = PageJob(original.url, Role.THREAD, original.url, html.encode("utf-8", "replace"), "utf-8", _MOMENT)
        index = PageJob(original.url, Role.INDEX, original.url, job.body, "utf-8", _MOMENT)
        known, general = self._readers[original.site], PageReader(Profile(original.url, (), ()))
        steps: dict[str, Callable[[], object]] = {
            "study": partial(_study, self._classifier, html, original.url),
            "cut": partial(known.read, job),
            "index": partial(known.read, index),
            "general": partial(general.read, job),
        }
        for step, call in steps.items():
            yield _tried(number, step, len(html), call)


def fuzz(number: int, seed: int = 1, more: Sequence[Original] = (), *, first: int = 0) -> Iterator[Trial]:
    """Read so many mutated pages, from the `first` on."""
    fuzzer = Fuzzer(seed, more)
    for at in range(first, first + number):
        yield from fuzzer.read(at)


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


@dataclass(slots=True)
class Tally:
    """What is kept of the trials of one step: there may be a million of them."""

    trials: int = 0
    raised: int = 0
    slow: int = 0
    seconds: float = 0.0
    worst: Trial | None = None
    example: Trial | None = None

    def add(self, trial: Trial) -> None:
        self.trials += 1
        self.seconds += trial.seconds
        self.raised += bool(trial.error)
        self.slow += trial.slow
        if self.worst is None or trial.seconds > self.worst.seconds:
            self.worst = trial
        if (trial.error or trial.slow) and (self.example is None or (trial.error and not self.example.error)):
            self.example = trial

    def finding(self, step: str) -> Finding:
        assert self.worst is not None
        seen = f"raised {self.raised}, slow {self.slow}, slowest {self.worst.seconds:.2f} s of {self.worst.chars:,}"
        seen += f" characters, {1000 * self.seconds / self.trials:.0f} ms on average"
        if (one := self.example) is not None:
            seen += f"; e.g. page {one.number} {one.error or f'{one.seconds:.2f} s of {one.chars:,}'}"
        return Finding("fuzzing", f"mutated pages, {step}", self.trials, not self.raised and not self.slow, seen)


def findings(
    number: int, seed: int = 1, *, first: int = 0, jobs: int = 1, say: Callable[[str], None] = lambda _: None
) -> Iterator[Finding]:
    """The lines of the table: one for each step. `jobs` processes read the pages; `say` is told how far they are."""
    tallies: dict[str, Tally] = {}
    portions = [range(at, min(at + _PORTION, first + number)) for at in range(first, first + number, _PORTION)]
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(seed,)) as pool:
        for portion, trials in zip(portions, pool.map(_read_portion, portions), strict=True):
            for trial in trials:
                tallies.setdefault(trial.step, Tally()).add(trial)
            told = ", ".join(f"{step} {one.raised}/{one.slow}" for step, one in tallies.items())
            say(f"{portion.stop - first:,} of {number:,} mutated pages; raised/slow: {told}")
    for step, tally in tallies.items():
        yield tally.finding(step)


def _start(seed: int) -> None:
    global _fuzzer  # of a worker process, which lives for this alone
    _fuzzer = Fuzzer(seed)


def _read_portion(numbers: range) -> list[Trial]:
    assert _fuzzer is not None
    return [trial for number in numbers for trial in _fuzzer.read(number)]
