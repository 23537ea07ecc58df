"""Tables in the form of the report's 3.2: window and vocabulary sizes of the regression, and the discount factor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from thrawl.lab.prediction.experiment import Outcome, fit, natural
from thrawl.lab.prediction.replay import FALL_BACK
from thrawl.lab.prediction.threads import Split
from thrawl.lab.report import Table, Value
from thrawl.refresh.predictors.forecast import Predictor
from thrawl.refresh.predictors.svr import DiscountedSvr, WindowSvr
from thrawl.refresh.predictors.windows import WindowShape
from thrawl.refresh.predictors.words import WordReader

VOCABULARIES: Final = tuple(range(5, 51, 5))
WINDOWS: Final = (1, 2, 5, 10, 15)
DISCOUNTS: Final = (0.0, 0.3, 0.6, 0.9)


def sweep_table(timeline: str, splits: Sequence[Split], started: Callable[[str], None]) -> Table:
    """Each with knob 1 and the report's fall-back, as the report ran them."""
    rows: list[list[Value]] = []
    for name, predictor in _variants():
        started(f"{timeline} {name}")
        fitted = fit(timeline, name, predictor, splits, None)
        rows.append([timeline, *report_row(natural(fitted, FALL_BACK))])
    return Table("Sizes of window and vocabulary, discount (knob 1)", ["timeline", *REPORT_HEADER], rows)


REPORT_HEADER: Final = ("model", "MAPE", "Pr_miss", "Pr_fa", "Pr_error", "T", "visits a post")


def report_row(one: Outcome) -> list[Value]:
    found = one.metrics
    return [
        one.model,
        one.mape,
        found["pr_miss"],
        found["pr_fa"],
        found["pr_error"],
        one.t_score,
        one.visits_per_post,
    ]


def _variants() -> Iterator[tuple[str, Predictor]]:
    reader = WordReader()
    for window in WINDOWS:
        yield f"w = {window}, no words", WindowSvr(WindowShape(window), reader=reader)
    for size in VOCABULARIES:
        yield f"w = 5, |v| = {size}", WindowSvr(WindowShape(5, size), reader=reader)
    for alpha in DISCOUNTS:
        yield f"discount {alpha:g}, |v| = 15", DiscountedSvr(alpha, reader=reader)
