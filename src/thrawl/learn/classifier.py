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
from importlib import resources
from math import exp
from pathlib import Path
from typing import Final, Literal

from thrawl.errors import InputError
from thrawl.learn.together import Sight, read_together, sight_of
from thrawl.page.features import NAMES
from thrawl.page.reading import Page

PageType = Literal["index", "thread", "other"]
FORMAT: Final = 1
_FULL_RECORDS: Final = 4
_LEAST_WEIGHT: Final = 0.25


@dataclass(frozen=True, slots=True)
class Verdict:
    """A page type and how sure it is, from 0 to 1."""

    type: PageType
    confidence: float


@dataclass(frozen=True, slots=True)
class LinearModel:
    """One binary classifier: a margin from weighted features, a probability from the margin."""

    weights: tuple[float, ...]
    bias: float
    slope: float
    offset: float

    def margin(self, vector: Sequence[float]) -> float:
        return self.bias + sum(weight * value for weight, value in zip(self.weights, vector, strict=True))

    def probability(self, vector: Sequence[float]) -> float:
        exponent = max(-40.0, min(40.0, self.slope * self.margin(vector) + self.offset))
        return 1 / (1 + exp(-exponent))


@dataclass(frozen=True, slots=True)
class PageClassifier:
    """Says what type a page is."""

    index: LinearModel
    thread: LinearModel
    sites: int = 0

    @classmethod
    def load(cls, path: Path | None = None) -> PageClassifier:
        """The classifier of a model file; without one, the classifier that comes with Thrawl."""
        if path is None:
            text = resources.files("thrawl.learn").joinpath("model.json").read_text(encoding="utf-8")
            return parse_model(text, "the built-in model")
        try:
            return parse_model(path.read_text(encoding="utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"the model file {path} cannot be read: {error}") from error

    def save(self, path: Path) -> None:
        path.write_text(self.to_json(), encoding="utf-8")

    def to_json(self) -> str:
        """The model file: one weight a line, by the feature's name."""
        content = {
            "format": FORMAT,
            "trained_on_sites": self.sites,
            "index": _model_to_json(self.index),
            "thread": _model_to_json(self.thread),
        }
        return json.dumps(content, indent=1) + "\n"

    def probabilities(self, vector: Sequence[float]) -> tuple[float, float]:
        """How likely a page with these features is an index page, and a thread page."""
        return self.index.probability(vector), self.thread.probability(vector)

    def classify(self, page: Page) -> Verdict:
        """The type of one page by itself."""
        return verdict(*self.probabilities(page.features.vector()))

    def classify_group(self, pages: Sequence[Page]) -> Verdict:
        """The type of pages that belong together: one template, or the destinations of one link group."""
        return self.vote([sight_of(page) for page in pages])

    def vote(self, sights: Sequence[Sight]) -> Verdict:
        """As `classify_group`, on what was kept of the pages."""
        return verdict(*self.chances(sights)) if sights else Verdict("other", 0.0)

    def chances(self, sights: Sequence[Sight]) -> tuple[float, float]:
        """How likely pages that belong together are index pages, and thread pages; there must be one."""
        weights = [max(_LEAST_WEIGHT, min(1.0, one.records / _FULL_RECORDS)) for one in sights]
        chances = [self.probabilities(features.vector()) for features in read_together(sights)]
        total = sum(weights)
        index = sum(weight * chance[0] for weight, chance in zip(weights, chances, strict=True)) / total
        thread = sum(weight * chance[1] for weight, chance in zip(weights, chances, strict=True)) / total
        return index, thread


def verdict(index: float, thread: float) -> Verdict:
    """The likelier type if it is likelier than not, else other."""
    if max(index, thread) < 0.5:
        return Verdict("other", 1 - max(index, thread))
    return Verdict("index", index) if index >= thread else Verdict("thread", thread)


def parse_model(text: str, name: str) -> PageClassifier:
    """Read a model file; `name` is what error messages call it."""
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise InputError(f"{name} has format {content['format']}, this Thrawl reads {FORMAT}: train it again")
        return PageClassifier(
            _model_from_json(content["index"]), _model_from_json(content["thread"]), int(content["trained_on_sites"])
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{name} is no model file of this Thrawl ({error!r}): train it again") from error


def _model_to_json(model: LinearModel) -> dict[str, object]:
    return {
        "bias": round(model.bias, 6),
        "slope": round(model.slope, 6),
        "offset": round(model.offset, 6),
        "weights": {name: round(weight, 6) for name, weight in zip(NAMES, model.weights, strict=True)},
    }


def _model_from_json(content: Mapping[str, object]) -> LinearModel:
    weights = content["weights"]
    if not isinstance(weights, dict) or set(weights) != set(NAMES):
        raise ValueError("its features are not those of this version")
    bias, slope, offset = (float(str(content[key])) for key in ("bias", "slope", "offset"))
    return LinearModel(tuple(float(weights[name]) for name in NAMES), bias, slope, offset)
