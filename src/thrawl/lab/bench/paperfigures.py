"""What the papers printed, as shares and counts, beside which the bench shows its own figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PaperCrawl:
    """One crawler's figures; None where no paper prints one.

    Effectiveness and coverage are those of FoCUS 5.3 (averages of figures 8 and 9), informativeness, valuable coverage
    and the rest those of Wang et al. 6.2; `pages_for_one` is requests for a valuable page (figure 9).
    """

    effectiveness: float | None = None
    coverage: float | None = None
    informativeness: float | None = None
    valuable_coverage: float | None = None
    valuable_first: float | None = None
    pages_for_one: float | None = None
    learning_pages: str = ""


PAPER_CRAWLS: Final = {
    "focus": PaperCrawl(effectiveness=0.9985, coverage=0.9746, learning_pages="442 (252 to 2,663)"),
    "skeleton": PaperCrawl(None, None, 0.97, 0.83, 0.91, 1.10, "5,000"),
    "irobot": PaperCrawl(0.90, 0.86, learning_pages="2,000 and more"),
    "structure": PaperCrawl(None, None, 0.85, 0.40, 0.69, 1.42, "3,000 and more"),
    "generic": PaperCrawl(0.53, 1.0, 0.67, None, 0.59, 1.74, "0"),
}
FROM_ENTRY: Final = 1.0
FROM_OTHERS: Final = 0.52
FLIPS_AT_LEAST: Final = 0.7
OTHERS_AT_MOST: Final = 0.5
TABLE_5: Final = (("micro", 0.9996, 0.9916), ("macro", 0.9985, 0.9746))
