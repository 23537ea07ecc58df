"""`thrawl bench --modules`: every site measured with a classifier that was trained without it (FoCUS 5.2).

Leave one out: the pages of each site are read once, as training examples; for each site a classifier is trained in
memory on those of all others. Beside the results stand the paper's own figures, on its 160 forums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thrawl.errors import InputError
from thrawl.lab.bench.measure import Effort, SiteResult, measure
from thrawl.lab.bench.mirrors import open_mirror
from thrawl.lab.bench.scores import Score, mean_score
from thrawl.lab.training.training import Example, load_examples, train

MODULES: Final = ("entry", "index", "thread", "flip")
_EXAMPLES_A_TYPE: Final = 40


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """What the paper measured, as shares."""

    precision: float
    recall: float
    where: str


PAPER: Final = {
    "entry": PaperFigure(0.9808, 0.9581, "Table 3"),
    "keywords": PaperFigure(0.7638, 0.7638, "Table 3, baseline"),
    "index": PaperFigure(0.9902, 0.9814, "Table 2, 5 training forums"),
    "thread": PaperFigure(0.9902, 0.9814, "Table 2, 5 training forums"),
    "flip": PaperFigure(0.99, 0.93, "5.2.2"),
}
PAPER_PAGES: Final = 442
"""Pages that the paper fetched to learn a forum, on average."""

Progress = Callable[[str], None]


async def run_modules(
    folders: Sequence[Path],
    effort: Effort,
    seed: int,
    *,
    training: Sequence[Path] = (),
    progress: Progress = lambda _: None,
) -> list[SiteResult]:
    """Measure every module on every mirror."""
    progress("reading pages to train on")
    examples = load_examples([*folders, *training], _EXAMPLES_A_TYPE, seed)
    results = []
    for folder in folders:
        progress(folder.name)
        classifier = train(without_site(examples, folder.name))
        results.append(await measure(open_mirror(folder), classifier, effort, seed))
    return results


def without_site(examples: Sequence[Example], site: str) -> list[Example]:
    """The examples of all other sites. Raises InputError where there are none."""
    others = [example for example in examples if example.site != site]
    if not others:
        raise InputError("one mirror is not enough: the classifier is trained without the site that is measured")
    return others


def score_of(result: SiteResult, module: str) -> Score:
    return {
        "entry": result.entry,
        "keywords": result.keywords,
        "index": result.index,
        "thread": result.thread,
        "flip": result.flip,
    }[module]


def average(results: Sequence[SiteResult], module: str) -> Score | None:
    return mean_score([score_of(result, module) for result in results])
