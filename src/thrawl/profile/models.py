"""Small models that weigh named figures: linear, calibrated, one readable JSON file a question."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from importlib.resources import files
from math import exp
from operator import attrgetter
from typing import Final, cast

_STEEPEST: Final = 40.0  # exponents beyond are 0 or 1 anyway, and would overflow


@dataclass(frozen=True, slots=True)
class Figures:
    """Named figures that a model weighs."""

    @classmethod
    def names(cls) -> list[str]:
        return [field.name for field in fields(cls)]


@dataclass(frozen=True)
class Model:
    """A linear model over named figures; `probability` is that of being right."""

    bias: float
    weights: Mapping[str, float]

    @cached_property
    def _figures(self) -> Callable[[Figures], tuple[float, ...]]:
        return cast("Callable[[Figures], tuple[float, ...]]", attrgetter(*self.weights))

    def probability(self, evidence: Figures) -> float:
        weighed = (weight * one for weight, one in zip(self.weights.values(), self._figures(evidence), strict=True))
        return 1 / (1 + exp(-max(-_STEEPEST, min(_STEEPEST, self.bias + sum(weighed)))))

    def to_json(self) -> str:
        data = {"bias": round(self.bias, 3), "weights": {name: round(one, 3) for name, one in self.weights.items()}}
        return json.dumps(data, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Model:
        data = json.loads(text)
        return cls(float(data["bias"]), {str(name): float(one) for name, one in data["weights"].items()})


@lru_cache(maxsize=8)
def shipped_model(question: str) -> Model:
    """The model for a question that comes with Thrawl, trained on all labelled data."""
    return Model.from_json(files("thrawl").joinpath(f"{question}.json").read_text(encoding="utf-8"))
