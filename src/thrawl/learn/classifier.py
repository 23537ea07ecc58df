"""The page type classifiers: one linear SVM for index pages, one for thread pages (section 4.3.1.1 of FoCUS).

The weights were learned by `thrawl train` and stand in a small JSON file that can be read and compared; using them
needs neither scikit-learn nor anything else. Beyond the paper: margins are turned into probabilities (Platt's
scaling), and a group of pages is judged together: read without what their template says (`together`), each page
weighing as much as it shows. A page with one record shows little; its neighbours of the same template show the rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from thrawl.learn.together import Sight, read_together
from thrawl.page.features import NAMES, Features
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import Page
from thrawl.profile.models import Model, model_text, parsed

CLASSIFIED: Final = (PageKind.INDEX, PageKind.THREAD, PageKind.OTHER)  # what it tells apart
FORMAT: Final = 2
_DIGITS: Final = 6  # of a weight that are kept: some weigh thousandths
_FULL_RECORDS: Final = 4  # on a page that votes with its whole weight: what repeats shows by then
_LEAST_WEIGHT: Final = 0.25  # of a page with one record or none


@dataclass(frozen=True, slots=True)
class Verdict:
    """A page type and how sure it is, from 0 to 1."""

    type: PageKind
    confidence: float


@dataclass(frozen=True, slots=True)
class PageClassifier:
    """Says what type a page is."""

    index: Model
    thread: Model
    sites: int = 0

    @classmethod
    def load(cls, path: Path | None = None) -> PageClassifier:
        """The classifier of a model file; without one, the classifier that comes with Thrawl."""
        return parse_model(*model_text(path, "learn/model.json"))

    def save(self, path: Path) -> None:
        path.write_text(self.to_json(), encoding="utf-8")

    def to_json(self) -> str:
        """The model file: one weight a line, by the feature's name."""
        content = {
            "format": FORMAT,
            "trained_on_sites": self.sites,
            "index": self.index.to_data(_DIGITS),
            "thread": self.thread.to_data(_DIGITS),
        }
        return json.dumps(content, indent=1) + "\n"

    def probabilities(self, features: Features) -> tuple[float, float]:
        """How likely a page with these features is an index page, and a thread page."""
        return self.index.probability(features), self.thread.probability(features)

    def classify(self, page: Page) -> Verdict:
        """The type of one page by itself."""
        return verdict(*self.probabilities(page.features))

    def vote(self, sights: Sequence[Sight]) -> Verdict:
        """The type of pages that belong together: one template, or the destinations of one link group."""
        return verdict(*self.chances(sights)) if sights else Verdict(PageKind.OTHER, 0.0)

    def chances(self, sights: Sequence[Sight]) -> tuple[float, float]:
        """How likely pages that belong together are index pages, and thread pages; there must be one."""
        weights = [max(_LEAST_WEIGHT, min(1.0, one.records / _FULL_RECORDS)) for one in sights]
        chances = [self.probabilities(features) for features in read_together(sights)]
        total = sum(weights)
        index = sum(weight * chance[0] for weight, chance in zip(weights, chances, strict=True)) / total
        thread = sum(weight * chance[1] for weight, chance in zip(weights, chances, strict=True)) / total
        return index, thread


def verdict(index: float, thread: float) -> Verdict:
    """The likelier type if it is likelier than not, else other."""
    if max(index, thread) < 0.5:
        return Verdict(PageKind.OTHER, 1 - max(index, thread))
    return Verdict(PageKind.INDEX, index) if index >= thread else Verdict(PageKind.THREAD, thread)


def parse_model(text: str, name: str) -> PageClassifier:
    """Read a model file; `name` is what error messages call it."""

    def read(data: Mapping[str, Any]) -> PageClassifier:
        index, thread = (Model.from_data(data[kind], NAMES) for kind in ("index", "thread"))
        return PageClassifier(index, thread, int(data["trained_on_sites"]))

    return parsed(text, name, FORMAT, read)
