"""Small models that weigh named figures: linear, calibrated, one readable JSON file a question."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from importlib.resources import files
from math import exp, log
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from thrawl.errors import InputError

Said = TypeVar("Said")
_NEVER: Final = 1e-9  # so that log-odds are finite
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
    def _figures(self) -> Callable[[object], tuple[float, ...]]:
        return cast("Callable[[object], tuple[float, ...]]", attrgetter(*self.weights))

    def margin(self, figures: Iterable[float]) -> float:
        """The weighted sum of figures in the order of the weights."""
        return self.bias + sum(weight * one for weight, one in zip(self.weights.values(), figures, strict=True))

    def probability(self, evidence: object) -> float:
        return 1 / (1 + exp(-max(-_STEEPEST, min(_STEEPEST, self.margin(self._figures(evidence))))))

    def scaled(self, factor: float, bias: float = 0.0) -> Model:
        """The model with all that it says multiplied, and something added."""
        weights = {name: factor * weight for name, weight in self.weights.items()}
        return Model(factor * self.bias + bias, weights)

    def to_data(self, digits: int = 3) -> dict[str, Any]:
        weights = {name: round(weight, digits) for name, weight in self.weights.items()}
        return {"bias": round(self.bias, digits), "weights": weights}

    def to_json(self) -> str:
        return json.dumps(self.to_data(), indent=2) + "\n"

    @classmethod
    def from_data(cls, data: Mapping[str, Any], names: Sequence[str] | None = None) -> Model:
        """Raises ValueError, KeyError or TypeError for what is no model of these figures."""
        weights = {str(name): float(weight) for name, weight in data["weights"].items()}
        if names is not None and list(weights) != list(names):
            raise ValueError("its figures are not those of this version")
        return cls(float(data["bias"]), weights)


def log_odds(probability: float) -> float:
    bounded = min(max(probability, _NEVER), 1 - _NEVER)
    return log(bounded / (1 - bounded))


@lru_cache(maxsize=8)
def shipped_model(question: str) -> Model:
    """The model for a question that comes with Thrawl, trained on all labelled data."""
    return Model.from_data(json.loads(files("thrawl").joinpath(f"{question}.json").read_text(encoding="utf-8")))


def model_text(path: Path | None, shipped: str) -> tuple[str, str]:
    """A model file, or without one that which comes with Thrawl, and what error messages call it."""
    if path is None:
        return files("thrawl").joinpath(shipped).read_text(encoding="utf-8"), "the built-in model"
    try:
        return path.read_text(encoding="utf-8"), str(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the model file {path} cannot be read: {error}") from error


def parsed(text: str, name: str, wanted: int, read: Callable[[Mapping[str, Any]], Said]) -> Said:
    """What a model file of the wanted format says. Raises InputError for a file that is none."""
    try:
        data = json.loads(text)
        if data["format"] != wanted:
            raise InputError(f"{name} has format {data['format']}, this Thrawl reads {wanted}: train it again")
        return read(data)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{name} is no model file of this Thrawl ({error!r}): train it again") from error
