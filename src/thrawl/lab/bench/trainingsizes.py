"""How many annotated forums the page classifiers need, from 1 to 10 (the issue's figure, after FoCUS' Table 2)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from thrawl.lab.rivals.focus.classifier import few_of_each, train_focus
from thrawl.lab.training.evaluation import trainable_sites
from thrawl.lab.training.training import Example, train
from thrawl.learn.classifier import verdict
from thrawl.page.pagekind import PageKind

SIZES: Final = tuple(range(1, 11))
_DRAWS: Final = 3

Classify = Callable[[Example], PageKind]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of pages of other forums that a classifier tells right, by the number of forums it was trained on."""

    classifier: str
    forums: int
    accuracy: float


def accuracies(examples: Sequence[Example], seed: int) -> list[Accuracy]:
    """For each number of training forums that leaves some to test on, over a few draws; all the same with one seed."""
    able = trainable_sites(examples)
    chosen = random.Random(seed)
    found: dict[tuple[str, int], list[float]] = {}
    for size in SIZES:
        for _ in range(_DRAWS if size < len(able) else 0):
            inside = set(chosen.sample(able, size))
            trained = few_of_each([one for one in examples if one.site in inside])
            tested = [one for one in examples if one.site not in inside]
            for name, classify in _classifiers(trained):
                found.setdefault((name, size), []).append(fmean(classify(one) == one.type for one in tested))
    return [Accuracy(name, size, fmean(shares)) for (name, size), shares in found.items()]


def _classifiers(trained: Sequence[Example]) -> Iterator[tuple[str, Classify]]:
    focus = train_focus(trained)
    yield "Table 1", lambda one: focus.classify(one.sight.features)
    ours = train(trained)
    yield "Thrawl", lambda one: verdict(*ours.probabilities(one.sight.features)).type
