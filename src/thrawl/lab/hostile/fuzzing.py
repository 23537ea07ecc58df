"""Mutated pages through all that reads pages: nothing may raise, and time must follow size.

Each page is read as learning does (the whole page, its type), as the crawl does by wrappers that were learned from the
same site's sound pages, and by the general reader. CPU seconds are measured, in a process that collects garbage as the
crawl's workers do. A busy machine doubles them at times, so what seems slow is done again, and the fastest time counts.

A long run can keep what it found in a file, portion by portion: one that was stopped goes on where it was, and runs of
other numbers add up.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any, Final

from thrawl.crawl.garbage import collecting_rarely
from thrawl.crawl.reader import SiteReader
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
_TRIES: Final = 3  # of a step that seems slow
_PORTION: Final = 100  # pages that a process reads before it tells: some 10 seconds
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
        known, general = self._readers[original.site], SiteReader(Profile(original.url, (), ()))
        steps: dict[str, Callable[[], object]] = {
            "study": partial(_study, self._classifier, html, original.url),
            "cut": partial(known.read, job),
            "index": partial(known.read, index),
            "general": partial(general.read, job),
        }
        for step, call in steps.items():
            trial = _tried(number, step, len(html), call)
            for _ in range(1, _TRIES):
                if trial.slow:
                    trial = min(trial, _tried(number, step, len(html), call), key=attrgetter("seconds"))
            yield trial


def fuzz(number: int, seed: int = 1, more: Sequence[Original] = (), *, first: int = 0) -> Iterator[Trial]:
    """Read so many mutated pages, from the `first` on."""
    fuzzer = Fuzzer(seed, more)
    with collecting_rarely():
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


def _readers(pages: Sequence[Original]) -> dict[str, SiteReader]:
    """A reader by wrappers for each site, as far as wrappers can be learned from some of its pages."""
    found: dict[str, SiteReader] = {}
    for site in dict.fromkeys(page.site for page in pages):
        own = [page for page in pages if page.site == site][-_LEARNED_FROM:]
        wrapper = learn_post_wrapper([read_page(page.html, page.url) for page in own])
        profile = Profile(own[0].url, (), (), post_wrapper=wrapper.to_json() if wrapper else None)
        found[site] = SiteReader(profile)
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

    def join(self, other: Tally) -> None:
        """Add what another part of the run found."""
        self.trials += other.trials
        self.seconds += other.seconds
        self.raised += other.raised
        self.slow += other.slow
        self.worst = max(filter(None, (self.worst, other.worst)), key=attrgetter("seconds"), default=None)
        self.example = max(filter(None, (self.example, other.example)), key=lambda one: bool(one.error), default=None)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Tally:
        worst, example = (Trial(**one) if one else None for one in (data.pop("worst"), data.pop("example")))
        return cls(**data, worst=worst, example=example)

    def finding(self, step: str) -> Finding:
        assert self.worst is not None
        seen = f"raised {self.raised}, slow {self.slow}, slowest {self.worst.seconds:.2f} s of {self.worst.chars:,}"
        seen += f" characters, {1000 * self.seconds / self.trials:.0f} ms on average"
        if (one := self.example) is not None:
            seen += f"; e.g. page {one.number} {one.error or f'{one.seconds:.2f} s of {one.chars:,}'}"
        return Finding("fuzzing", f"mutated pages, {step}", self.trials, not self.raised and not self.slow, seen)


def findings(
    number: int,
    seed: int = 1,
    *,
    first: int = 0,
    jobs: int = 1,
    kept: Path | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[Finding]:
    """The lines of the table: one for each step. `jobs` processes read the pages; `say` is told how far they are.

    What was found is `kept` in a file, and what this file tells of the same seed is not read again, and counts.
    """
    before = list(_read_before(kept, seed)) if kept else []
    portions = list(_portions(range(first, first + number), [pages for pages, _ in before]))
    whole: dict[str, Tally] = {}
    for _, found in before:
        _join(whole, found)
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(seed,)) as pool:
        for pages, found in zip(portions, pool.map(_read_portion, portions), strict=True):
            if kept:
                _keep(kept, seed, pages, found)
            _join(whole, found)
            told = ", ".join(f"{step} {one.raised}/{one.slow}" for step, one in whole.items())
            say(f"{whole['study'].trials:,} mutated pages, now up to page {pages.stop:,}; raised/slow: {told}")
    for step, tally in whole.items():
        yield tally.finding(step)


def _join(whole: dict[str, Tally], part: dict[str, Tally]) -> None:
    for step, tally in part.items():
        whole.setdefault(step, Tally()).join(tally)


def _portions(pages: range, done: Sequence[range]) -> Iterator[range]:
    """The pages that were not read before, a portion at a time."""
    at = pages.start
    for start, stop in (*sorted((one.start, one.stop) for one in done), (pages.stop, pages.stop)):
        end = min(start, pages.stop)
        yield from (range(one, min(one + _PORTION, end)) for one in range(at, end, _PORTION))
        at = max(at, stop)


def _keep(kept: Path, seed: int, pages: range, found: dict[str, Tally]) -> None:
    steps = {step: asdict(tally) for step, tally in found.items()}
    with kept.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"seed": seed, "first": pages.start, "stop": pages.stop, "steps": steps}) + "\n")


def _read_before(kept: Path, seed: int) -> Iterator[tuple[range, dict[str, Tally]]]:
    """The portions of a seed that a file tells of."""
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    for one in map(json.loads, lines):
        if one["seed"] == seed:
            steps = {step: Tally.from_json(tally) for step, tally in one["steps"].items()}
            yield range(one["first"], one["stop"]), steps


def _start(seed: int) -> None:
    global _fuzzer  # of a worker process, which lives for this alone
    _fuzzer = Fuzzer(seed)


def _read_portion(numbers: range) -> dict[str, Tally]:
    assert _fuzzer is not None
    found: dict[str, Tally] = {}
    with collecting_rarely():
        for number in numbers:
            for trial in _fuzzer.read(number):
                found.setdefault(trial.step, Tally()).add(trial)
    return found
