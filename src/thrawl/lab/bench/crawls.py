"""`thrawl bench`: each strategy on each mirror, in processes of their own.

Every strategy starts from the site's entry URL, goes through a polite fetcher on the mirror and writes an archive of
its own. Classifiers are trained without the site in question wherever there are enough annotated mirrors. All
strategies of one site run in one process, which reads each page of the mirror once for all of them.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from thrawl.archive.store import Archive
from thrawl.archive.values import PageState
from thrawl.crawl.allowance import Allowance, Bounded
from thrawl.crawl.forum import ForumCrawl
from thrawl.crawl.options import CrawlOptions, Finished
from thrawl.errors import ThrawlError
from thrawl.lab.bench.crawlscore import CrawlScore, score_crawl
from thrawl.lab.bench.requests import LoggedMirror
from thrawl.lab.bench.siteextras import SiteExtras, measure_extras
from thrawl.lab.bench.sitetruth import SiteTruth, open_truth
from thrawl.lab.rivals.crawl import RivalCrawl
from thrawl.lab.rivals.focus.classifier import FocusClassifier, few_of_each, train_focus
from thrawl.lab.rivals.focus.learner import Focus
from thrawl.lab.rivals.look import Looks
from thrawl.lab.rivals.strategies import THRAWL, strategy_named
from thrawl.lab.rivals.way import Strategy
from thrawl.lab.training.training import Example, load_examples, train
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.learner import Learned, learn
from thrawl.net.message import Request, Response
from thrawl.page.pagekind import PageKind

_BATCH: Final = 32  # pages asked for at a time; the order stays the order of finding
_MOST_REQUESTS: Final = 10  # for each page of a mirror: a crawl that asks for more goes round in circles, and is ended
_EXAMPLES: Final = 15  # annotated pages of a type and site; FoCUS uses five of them
_ENOUGH_SITES: Final = 3  # annotated mirrors from which classifiers are trained without the one in question

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """What is run. `sample` is how many pages the strategies that learn from a sample may look at."""

    strategies: tuple[str, ...]
    sample: int
    seed: int = 1
    processes: int = 2


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl of one site by one strategy; `problem` says why it ended early.

    `crawled` are the pages that the crawl itself asked for, whether or not learning had them already, and
    `crawled_good` those of them that were needed. `forbidden` URLs were kept from it by robots.txt,
    `nofollow` ones by their mark.
    """

    site: str
    strategy: str
    score: CrawlScore
    learning_pages: int
    crawled: int
    crawled_good: int
    forbidden: int
    nofollow: int
    seconds: float
    cpu_seconds: float
    problem: str = ""

    @property
    def online_effectiveness(self) -> float | None:
        """As the papers count: without the pages that only learning looked at."""
        if self.score.good is None:
            return None
        # one request may settle two needed URLs where one leads to the other
        return min(1.0, self.crawled_good / self.crawled) if self.crawled else 0.0


@dataclass(frozen=True, slots=True)
class SiteRuns:
    """All that was measured on one site."""

    site: str
    runs: tuple[Run, ...]
    extras: SiteExtras


@dataclass(frozen=True, slots=True)
class _Classifiers:
    page: PageClassifier | None = None
    focus: FocusClassifier | None = None


def run_bench(folders: Sequence[Path], options: BenchOptions, say: Say) -> tuple[list[SiteRuns], list[Example]]:
    """Run everything: the results in the order of the folders, and the annotated pages that were trained on."""
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        say(f"reading annotated pages of {len(folders)} mirrors")
        annotated = [folder for folder in folders if (folder / "rules.json").is_file()]
        examples = [one for found in pool.map(_examples, annotated, [options.seed] * len(annotated)) for one in found]
        trained = {folder: _without(examples, folder.name) for folder in folders}
        # the largest first: what is left at the end is short, and no process waits long for another
        order = sorted(folders, key=_size, reverse=True)
        waiting = {pool.submit(run_site, folder, options, trained[folder]): folder for folder in order}
        done: dict[Path, SiteRuns] = {}
        for future in as_completed(waiting):
            folder = waiting[future]
            done[folder] = future.result()
            say(f"{folder.name} is done, {len(folders) - len(done)} mirrors left")
    return [done[folder] for folder in folders], examples


def _examples(folder: Path, seed: int) -> list[Example]:
    return load_examples([folder], _EXAMPLES, seed)


def _without(examples: Sequence[Example], site: str) -> _Classifiers:
    """Classifiers that never saw a site; those that come with Thrawl where there are too few others."""
    others = [example for example in examples if example.site != site]
    types = {example.type for example in others}
    if len({example.site for example in others}) < _ENOUGH_SITES - 1 or len(types) < 3:
        return _Classifiers()
    return _Classifiers(train(others), train_focus(few_of_each(others)))


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("pages.jsonl*"))


def run_site(folder: Path, options: BenchOptions, classifiers: _Classifiers) -> SiteRuns:
    """Run all strategies on one mirror."""
    return asyncio.run(_run_site(folder, options, classifiers))


async def _run_site(folder: Path, options: BenchOptions, classifiers: _Classifiers) -> SiteRuns:
    truth = open_truth(folder)
    looks = Looks(keep=True)
    runs = []
    for name in options.strategies:
        run = await _run(truth, name, options, classifiers, looks)
        runs.append(run)
        print(_line(run), file=sys.stderr, flush=True)
    extras = await measure_extras(truth, looks, options.seed, options.sample)
    return SiteRuns(folder.name, tuple(runs), extras)


def _line(run: Run) -> str:
    share = run.score.effectiveness
    told = "" if share is None else f", effectiveness {share:.1%}"
    reached = "" if run.score.coverage is None else f", coverage {run.score.coverage:.1%}"
    why = f" ({run.problem})" if run.problem else ""
    return f"{run.site} {run.strategy}: {run.score.requests} requests{told}{reached} in {run.seconds:.0f} s{why}"


async def _run(truth: SiteTruth, name: str, options: BenchOptions, classifiers: _Classifiers, looks: Looks) -> Run:
    fetcher = LoggedMirror(truth.replay)
    began, used = time.monotonic(), time.process_time()
    problem, learning, crawled, good = "", 0, 0, 0
    with (
        tempfile.TemporaryDirectory(prefix="thrawl-") as scratch,
        Archive.open(f"{scratch}/bench.db", create=True) as archive,
    ):
        try:
            finished = await _crawl(truth.start, name, archive, fetcher, options, classifiers, looks)
        except ThrawlError as error:
            problem, learning = str(error), len(fetcher.log)
        else:
            learning, crawled = finished.tally.learning_pages, finished.tally.pages
            good = len(_good(archive, truth, await truth.needed()))
            if name == THRAWL:  # its tally has the pages that learning alone looked at, too
                crawled -= finished.tally.requests[PageKind.OTHER]
    seconds, cpu = time.monotonic() - began, time.process_time() - used
    score = await score_crawl(fetcher.log, truth, looks)
    marked = await _nofollow(fetcher, looks) if name == "generic" else 0
    return Run(truth.site, name, score, learning, crawled, good, len(fetcher.forbidden), marked, seconds, cpu, problem)


def _good(archive: Archive, truth: SiteTruth, needed: Mapping[str, str]) -> set[str]:
    """The pages that were needed among those that the crawl asked for."""
    pages = (page.url for page in archive.pages() if page.state is PageState.DONE)
    return {url for url in pages if url in needed or truth.type_of(url) == "entry"}


async def _nofollow(fetcher: LoggedMirror, looks: Looks) -> int:
    """How many URLs were met with nofollow and never asked for."""
    asked = {one.url for one in fetcher.log}
    met: set[str] = set()
    for url in {one.url for one in fetcher.log if one.status == 200}:
        look = looks.look(await fetcher.replay.fetch(Request(url)))
        met |= {link.url for link in look.links if link.nofollow} if look is not None else set()
    return len(met - asked)


async def _crawl(
    start: str,
    name: str,
    archive: Archive,
    fetcher: LoggedMirror,
    options: BenchOptions,
    classifiers: _Classifiers,
    looks: Looks,
) -> Finished:
    most = _MOST_REQUESTS * len(fetcher.replay)
    choices = CrawlOptions(concurrency=_BATCH, workers=0, max_pages=most)
    if name == THRAWL:

        async def learn_site(
            start: str, allowance: Allowance, known: Sequence[Response] = (), also: Sequence[str] = ()
        ) -> Learned:
            return await learn(start, Bounded(fetcher, allowance), classifier=classifiers.page, known=known, also=also)

        return await ForumCrawl(start, archive, fetcher, learn_site, choices).run()
    strategy = _strategy(name, options, classifiers)
    return await RivalCrawl(start, archive, fetcher, strategy, choices, looks, posts=False).run()


def _strategy(name: str, options: BenchOptions, classifiers: _Classifiers) -> Strategy:
    if name == "focus":
        return Focus(options.seed, classifiers.focus)
    return strategy_named(name, seed=options.seed, sample=options.sample)


def cores() -> int:
    return os.cpu_count() or 1


def all_runs(sites: Sequence[SiteRuns]) -> Iterator[Run]:
    return (run for site in sites for run in site.runs)
