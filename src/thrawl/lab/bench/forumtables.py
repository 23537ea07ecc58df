"""The results of `thrawl bench --random` for a person and for programs: failures one by one, and counted by choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from thrawl.lab.bench.blame import blamed
from thrawl.lab.bench.forums import COVERAGE, POSTS, ForumResult
from thrawl.lab.random.choices import OPTIONS, standing_out, told
from thrawl.lab.report import Report, Section, Value
from thrawl.lab.report import Table as ReportTable

# --- lines of the table by choice; below them nothing but chance is left
_LINES: Final = 30
# --- seeds named beside a choice: enough to try one
_SEEDS: Final = 6


@dataclass(frozen=True, slots=True)
class ChoiceCount:
    """Forums that share a choice, and how many of them failed.

    `surprise` is by how many standard deviations that is more than chance gives; above 2 it is worth a look.
    """

    choice: str
    forums: int
    failed: int
    surprise: float


def failure_line(result: ForumResult) -> str:
    """One line for a failure: the seed, the figures, what is missing, what stands out."""
    posts, fetched = result.posts, result.fetched
    claim = "complete" if result.complete else f"status {result.status}"
    return (
        f"seed {result.choices.seed}: coverage {posts.coverage:.2f} posts {posts.precision:.2f}/{posts.recall:.2f} "
        f"overhead {fetched.overhead:.2f} ({claim}); {result.missing or 'nothing missing'}; "
        f"{' '.join(standing_out(result.choices))}"
    )


def by_choice(results: Sequence[ForumResult]) -> list[ChoiceCount]:
    """Every choice that some failure shares, those first that fail more often than chance lets them."""
    forums: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for result in results:
        names = [f"{name}={value}" for name, value in told(result.choices) if value in OPTIONS[name]]
        forums.update(names)
        failed.update(names if not result.passed else ())
    share = sum(not result.passed for result in results) / max(len(results), 1)
    counts = [
        ChoiceCount(name, forums[name], failed[name], _surprise(failed[name], forums[name], share)) for name in failed
    ]
    return sorted(counts, key=lambda count: (-count.surprise, count.choice))


def _surprise(failed: int, forums: int, share: float) -> float:
    spread = sqrt(forums * share * (1 - share))
    return (failed - forums * share) / spread if spread else 0.0


def choice_table(results: Sequence[ForumResult]) -> Table:
    table = Table(title="failures by choice", box=SIMPLE_HEAD)
    for heading in ("choice", "forums", "failed", "share", "surprise"):
        table.add_column(heading, justify="left" if heading == "choice" else "right", no_wrap=True)
    for count in by_choice(results)[:_LINES]:
        if count.surprise > 0:
            table.add_row(*_cells(count))
    return table


def blame_table(found: Mapping[int, Sequence[str]]) -> Table:
    """The choices that are to blame for failures, and by themselves."""
    table = Table(title="choices to blame", box=SIMPLE_HEAD)
    table.add_column("choice", no_wrap=True)
    table.add_column("failures", justify="right")
    table.add_column("seeds")
    for choice, number in blamed(found):
        seeds = [str(seed) for seed, choices in found.items() if choice in choices]
        table.add_row(choice, str(number), " ".join(seeds[:_SEEDS]))
    table.add_row("no single choice", str(sum(not choices for choices in found.values())), "")
    return table


def _cells(count: ChoiceCount) -> list[str]:
    share = f"{count.failed / count.forums:.0%}"
    return [count.choice, str(count.forums), str(count.failed), share, f"{count.surprise:+.1f}"]


def summary_rows(results: Sequence[ForumResult]) -> Iterator[tuple[str, str]]:
    """The figures over all forums, each with its name."""
    number = len(results)
    passed = [result for result in results if result.passed]
    failed = [result for result in results if not result.passed]
    authors = [result.posts.author for result in results if result.posts.author is not None]
    times = [result.posts.time for result in results if result.posts.time is not None]
    yield f"passed (coverage ≥ {COVERAGE}, posts ≥ {POSTS})", f"{len(passed)} of {number} ({len(passed) / number:.1%})"
    yield f"coverage ≥ {COVERAGE}", _share(result.posts.coverage >= COVERAGE for result in results)
    yield f"post coverage ≥ {COVERAGE}", _share(result.fetched.post_coverage >= COVERAGE for result in results)
    yield f"posts P and R ≥ {POSTS}", _share(min(r.posts.precision, r.posts.recall) >= POSTS for r in results)
    yield "failures that call themselves complete", f"{sum(result.complete for result in failed)} of {len(failed)}"
    yield "authors, mean of forums with posts", _mean(authors)
    yield "times, mean of forums with posts", _mean(times)
    yield "overhead of those that passed, median", _median([result.fetched.overhead for result in passed])
    yield "learning pages, median", _median([float(result.learning_pages) for result in results])
    yield "learning pages, most", str(max(result.learning_pages for result in results))
    yield "seconds a forum, median", _median([result.seconds for result in results])


def summary_table(results: Sequence[ForumResult]) -> Table:
    table = Table(title="random forums", box=SIMPLE_HEAD, show_header=False)
    table.add_column("figure", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    for name, value in summary_rows(results):
        table.add_row(name, value)
    return table


def report_of(results: Sequence[ForumResult], seed: int) -> Report:
    figures = ReportTable("Figures", ["figure", "value"], [list(row) for row in summary_rows(results)])
    choices = ReportTable(
        "By choice",
        ["choice", "forums", "failed", "share", "surprise"],
        [_cells(count) for count in by_choice(results)],
    )
    failures = [[failure_line(result)] for result in results if not result.passed]
    sections = [
        Section("Random forums", tables=[figures]),
        Section("Failures by choice", "Surprise: standard deviations above chance.", [choices]),
        Section("Failures", tables=[ReportTable("Seeds", ["failure"], failures)]),
    ]
    command = f"thrawl bench --random {len(results)} --seed {seed}"
    return Report(command, "Random forums", seed, [_row(result) for result in results], sections)


def _row(result: ForumResult) -> dict[str, Value]:
    """The contract's fields, and those that only random forums have."""
    fetched, posts = result.fetched, result.posts
    requests = max(fetched.requests, 1)
    return {
        "site": f"random-{result.choices.seed}",
        "strategy": "thrawl",
        "requests": fetched.requests,
        "learning_pages": result.learning_pages,
        "thread_pages": round(fetched.thread_pages, 4),
        "effectiveness": round(fetched.distinct / requests, 4),
        "coverage": round(posts.coverage, 4),
        "informativeness": round(fetched.useful / requests, 4),
        "seconds": round(result.seconds, 2),
        "seed": result.choices.seed,
        "passed": result.passed,
        "complete": result.complete,
        "status": result.status,
        "post_coverage": round(fetched.post_coverage, 4),
        "post_precision": round(posts.precision, 4),
        "post_recall": round(posts.recall, 4),
        "author": _rounded(posts.author),
        "time": _rounded(posts.time),
        "overhead": round(fetched.overhead, 3),
        "choices": " ".join(f"{name}={value}" for name, value in told(result.choices)),
    }


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def _share(true: Iterator[bool]) -> str:
    marks = list(true)
    return f"{sum(marks) / max(len(marks), 1):.1%}"


def _mean(values: Sequence[float]) -> str:
    return f"{fmean(values):.1%}" if values else "–"


def _median(values: Sequence[float]) -> str:
    return f"{median(values):.2f}" if values else "–"
