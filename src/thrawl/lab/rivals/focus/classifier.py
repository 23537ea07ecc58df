"""The page classifiers of FoCUS 4.3.1.1: one linear SVM a type over the features of Table 1 and no others.

Where Thrawl's own classifier (`learn.classifier`) has more features, a calibration and a vote by templates, this one
has what the paper prints. It is trained as in 5.2.1: five index, five thread and five other pages of each forum.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from thrawl.errors import InputError
from thrawl.lab.training.training import Example, need_scikit_learn
from thrawl.learn.classifier import CLASSIFIED
from thrawl.page.features import Features
from thrawl.page.pagekind import PageKind

TABLE_1: Final = (
    "record_count",
    "max_anchor",
    "max_height",
    "max_text",
    "average_text",
    "has_time",
    "time_order",
    "has_user",
)
PAGES_A_TYPE: Final = 5
_SEED: Final = 1
_TYPES: Final = (PageKind.INDEX, PageKind.THREAD)


@dataclass(frozen=True, slots=True)
class Hyperplane:
    """A page is of the type where the weighted sum of its features is above zero."""

    weights: tuple[float, ...]
    bias: float

    def margin(self, vector: Sequence[float]) -> float:
        return self.bias + sum(weight * value for weight, value in zip(self.weights, vector, strict=True))


@dataclass(frozen=True, slots=True)
class FocusClassifier:
    """Says what type a page is: the one whose hyperplane it is farther above, other where it is above none."""

    index: Hyperplane
    thread: Hyperplane
    sites: int

    @classmethod
    def load(cls) -> FocusClassifier:
        """The classifier that comes with Thrawl, trained on the mirrors that docs/experiments.md names."""
        content = json.loads(resources.files(__package__).joinpath("model.json").read_text(encoding="utf-8"))
        index, thread = (
            Hyperplane(tuple(content[kind]["weights"][name] for name in TABLE_1), content[kind]["bias"])
            for kind in _TYPES
        )
        return cls(index, thread, content["trained_on_sites"])

    def to_json(self) -> str:
        content: dict[str, object] = {"trained_on_sites": self.sites}
        for kind, plane in zip(_TYPES, (self.index, self.thread), strict=True):
            weights = {name: round(weight, 6) for name, weight in zip(TABLE_1, plane.weights, strict=True)}
            content[kind] = {"bias": round(plane.bias, 6), "weights": weights}
        return json.dumps(content, indent=1) + "\n"

    def classify(self, features: Features) -> PageKind:
        vector = vector_of(features)
        index, thread = self.index.margin(vector), self.thread.margin(vector)
        if max(index, thread) <= 0:
            return PageKind.OTHER
        return PageKind.INDEX if index >= thread else PageKind.THREAD


def vector_of(features: Features) -> tuple[float, ...]:
    return tuple(float(getattr(features, name)) for name in TABLE_1)


def train_focus(examples: Sequence[Example]) -> FocusClassifier:
    """Fit both classifiers. Raises InputError where a type has no examples."""
    missing = set(CLASSIFIED) - {example.type for example in examples}
    if missing:
        raise InputError(f"the annotated pages have none of type {', '.join(sorted(missing))}: annotate some")
    need_scikit_learn()
    sites = len({example.site for example in examples})
    return FocusClassifier(_fit(examples, PageKind.INDEX), _fit(examples, PageKind.THREAD), sites)


def few_of_each(examples: Sequence[Example], number: int = PAGES_A_TYPE) -> list[Example]:
    """The first pages of each type and site: examples are drawn at random already."""
    kept: dict[tuple[str, str], list[Example]] = {}
    for example in examples:
        kept.setdefault((example.site, example.type), []).append(example)
    return [example for group in kept.values() for example in group[:number]]


def _fit(examples: Sequence[Example], kind: PageKind) -> Hyperplane:
    import numpy
    from sklearn.svm import LinearSVC

    vectors = numpy.array([vector_of(example.sight.features) for example in examples])
    means, scales = vectors.mean(axis=0), vectors.std(axis=0)
    scales[scales == 0] = 1.0
    machine: Any = LinearSVC(C=1.0, random_state=_SEED, max_iter=20_000)
    machine.fit((vectors - means) / scales, [example.type == kind for example in examples])
    weights = machine.coef_[0] / scales
    return Hyperplane(tuple(map(float, weights)), float(machine.intercept_[0] - weights @ means))
