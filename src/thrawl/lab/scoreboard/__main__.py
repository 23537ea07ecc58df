"""`make score`: measure everything and write the scoreboard, or say what fell.

python -m thrawl.lab.scoreboard ../shared -o scoreboard.json [--sites xmb,q2a] [--forums 100] [--shipped] [--check]

Each mirror is measured in a copy of the package with models that do not know it: those of `--models` (`leftout` makes
them), or models trained now. With `--shipped` mirrors are measured by the shipped models: not blind, but quick.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from statistics import mean, median
from typing import Final

from thrawl.errors import InputError, ThrawlError
from thrawl.lab.bench.forums import Order, run_orders
from thrawl.lab.bench.mirrors import mirror_folders
from thrawl.lab.scoreboard.figures import Scoreboard
from thrawl.lab.scoreboard.leftout import SURE, laid_over, make_models
from thrawl.lab.scoreboard.mirrors import crawl_figures, real_figures
from thrawl.lab.training.postscore import PageScore, score_labelled_pages, summarise_pages

_FORUMS: Final = 400_000  # the first seed of the random forums that are scored: never used to develop or to train
_SEED: Final = 7
_PROCESSES: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make score", description="Measure everything there is to measure on.")
    parser.add_argument("shared", type=Path, help="the folder with corpus/, real/ and pages/")
    parser.add_argument("-o", "--output", type=Path, default=Path("scoreboard.json"))
    parser.add_argument("--sites", help="only these mirrors, with commas; default: all")
    parser.add_argument("--forums", type=int, default=100, help="random forums to crawl")
    parser.add_argument("--shipped", action="store_true", help="crawl mirrors by the shipped models: quick, not blind")
    parser.add_argument("--models", type=Path, help="a folder with the models that do not know each site")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a figure fell")
    asked = parser.parse_args(arguments)
    try:
        before = Scoreboard.load(asked.output) if asked.output.exists() else Scoreboard({})
        now = Scoreboard({})
        for site, figures in measured(
            asked.shared, asked.sites, asked.forums, shipped=asked.shipped, models=asked.models
        ):
            print(f"{site}: {', '.join(f'{name} {value:.3f}' for name, value in figures.items())}", flush=True)
            now = now.with_site(site, figures)
        falls = before.falls(now)
        if not asked.check:
            Scoreboard({**before.figures, **now.figures}).save(asked.output)
    except ThrawlError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    for fall in falls:
        print(fall)
    return 1 if falls and asked.check else 0


def measured(
    shared: Path, sites: str | None, forums: int, *, shipped: bool = False, models: Path | None = None
) -> Iterator[tuple[str, dict[str, float]]]:
    """The figures of every site as they come."""
    folders = mirror_folders([shared / "corpus"])
    wanted = [one for one in folders if sites is None or one.name in sites.split(",")]
    if shipped:
        yield from ((f"{one.name}, shipped models", asyncio.run(crawl_figures(one))) for one in wanted)
    elif wanted:
        yield from _mirrors(shared, wanted, models)
    if sites is None:
        real = sorted(one.parent for one in (shared / "real").glob("*/rules.json"))
        yield from ((f"{one.name}, a real site", asyncio.run(real_figures(one))) for one in real)
    if (labels := shared / "pages" / "posts.jsonl").exists():
        mirrors = sorted(one.parent for one in (shared / "real").glob("*/pages.jsonl.xz"))
        pages = list(score_labelled_pages(labels, [shared / "pages", *mirrors]))
        yield from ([("labelled pages", _page_figures(pages))] if pages else [])
    if forums:
        yield f"{forums} random forums", _forum_figures(forums)


def _mirrors(shared: Path, wanted: Sequence[Path], models: Path | None) -> Iterator[tuple[str, dict[str, float]]]:
    with tempfile.TemporaryDirectory(prefix="thrawl-") as place, ThreadPoolExecutor(_PROCESSES) as pool:
        known = models or Path(place) / "models"
        if models is None:
            make_models(shared, known, lambda words: print(words, file=sys.stderr))
        waiting = {pool.submit(_mirror, folder, known / folder.name): folder for folder in wanted}
        for done in as_completed(waiting):
            yield waiting[done].name, done.result()


def _mirror(folder: Path, models: Path) -> dict[str, float]:
    """The figures of a mirror by models that do not know it, in a process that has no others."""
    with tempfile.TemporaryDirectory(prefix="thrawl-") as place:
        command = [sys.executable, "-m", "thrawl.lab.scoreboard.mirrors", str(folder), str(_SEED)]
        run = subprocess.run(
            command, env={**os.environ, "PYTHONPATH": laid_over(models, Path(place))}, capture_output=True
        )
    if run.returncode:
        raise InputError(f"{folder.name} cannot be measured: {run.stderr.decode(errors='replace').strip()[-500:]}")
    figures: dict[str, float] = json.loads(run.stdout)
    sure = models / SURE
    return {**figures, "sure_right": json.loads(sure.read_text())} if sure.exists() else figures


def _page_figures(pages: Sequence[PageScore]) -> dict[str, float]:
    """Single pages of other sites, read alone; the shipped models were not trained on their posts."""
    told = summarise_pages("labelled pages", pages)
    return {
        "posts_precision": told.precision,
        "outer_precision": told.outer,
        "posts_recall": told.recall,
        "perfect_pages": told.perfect,
        "authors": told.authors,
        "times": told.timed,
    }


def _forum_figures(number: int) -> dict[str, float]:
    """Random forums crawled from an address; the shipped models know other seeds of the same laboratory."""
    orders = [Order(_FORUMS + at) for at in range(number)]
    results = [result for _, result in run_orders(orders, _PROCESSES)]
    short = [one for one in results if not one.passed]
    return {
        "passed": mean(one.passed for one in results),
        "coverage": mean(one.posts.coverage for one in results),
        "posts_precision": mean(one.posts.precision for one in results),
        "posts_recall": mean(one.posts.recall for one in results),
        "overhead": median(one.fetched.overhead for one in results),
        "learning_pages": median(one.learning_pages for one in results),
        "told": mean(not one.complete for one in short) if short else 1.0,
    }


if __name__ == "__main__":
    sys.exit(main())
