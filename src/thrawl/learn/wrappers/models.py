"""Small models that weigh named figures: linear, calibrated, one readable JSON file a question beside this module."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from math import exp
from typing import Any


@dataclass(frozen=True, slots=True)
class Figures:
    """Named figures that a model weighs."""

    @classmethod
    def names(cls) -> list[str]:
        return [field.name for field in fields(cls)]


@dataclass(frozen=True, slots=True)
class Model:
    """A linear model over named figures; `probability` is that of being right."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, evidence: Figures) -> float:
        total = self.bias + sum(weight * getattr(evidence, name) for name, weight in self.weights.items())
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))

    def to_json(self) -> dict[str, Any]:
        return {"bias": round(self.bias, 3), "weights": {name: round(one, 3) for name, one in self.weights.items()}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Model:
        return cls(float(data["bias"]), {str(name): float(one) for name, one in data["weights"].items()})


@lru_cache(maxsize=8)
def shipped_model(question: str) -> Model:
    """The model for a question that was trained on all labelled data."""
    text = files("thrawl.learn.wrappers").joinpath(f"{question}.json").read_text(encoding="utf-8")
    return Model.from_json(json.loads(text))
