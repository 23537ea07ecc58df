"""Precision and recall by page, as the paper counts them (FoCUS 5.2.1: at the page level, not at the URL level).

Each page has a precision (how much of what was detected on it is right) and a recall (how much of what is on it was
detected); both are averaged over the pages that have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class PageCount:
    """What was detected on one page, and what there was to detect."""

    detected: int
    right: int
    found: int
    there: int

    @classmethod
    def of(cls, detected: Set[str], right: Set[str], there: Set[str]) -> PageCount:
        """`right` are the detected ones that are true; `there` are the true ones that the page shows."""
        return cls(len(detected), len(right), len(there & right), len(there))

    @property
    def precision(self) -> float | None:
        return self.right / self.detected if self.detected else None

    @property
    def recall(self) -> float | None:
        return self.found / self.there if self.there else None


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall over `n` pages, each page weighing the same."""

    precision: float
    recall: float
    n: int

    @classmethod
    def over(cls, pages: Iterable[PageCount]) -> Score:
        """Pages without anything there and anything detected say nothing and are not counted."""
        told = [page for page in pages if page.detected or page.there]
        precisions = [page.precision for page in told if page.precision is not None]
        recalls = [page.recall for page in told if page.recall is not None]
        # Nothing detected where something was there is no merit; nothing there to detect is no fault.
        precision = fmean(precisions) if precisions else float(not recalls)
        return cls(precision, fmean(recalls) if recalls else 1.0, len(told))

    @classmethod
    def of_answers(cls, right: int, answered: int, asked: int) -> Score:
        """Of one answer or none for each question."""
        return cls(right / answered if answered else 0.0, right / asked if asked else 0.0, asked)


def mean_score(scores: Sequence[Score]) -> Score | None:
    """The average over sites, each site weighing the same; sites that were not asked are left out."""
    told = [score for score in scores if score.n]
    if not told:
        return None
    precision, recall = fmean(one.precision for one in told), fmean(one.recall for one in told)
    return Score(precision, recall, sum(one.n for one in told))
