"""What a family of links is: a small linear model of the evidence, one readable JSON file.

Two rounds: the first gives an opinion by looks alone, the second adds how families hang together given the first. Both
are softmax models over board, thread and neither, trained by `thrawl train`; their figures are probabilities.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from math import exp
from pathlib import Path
from typing import Any, Final

from thrawl.errors import InputError
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.evidence import LOOKS, TIES, Opinion, figures, looks_of, ties_of
from thrawl.learn.structure.families import Family

FORMAT: Final = 1
ROLES: Final = ("board", "thread", "other")


@dataclass(frozen=True, slots=True)
class SoftmaxModel:
    """One weight a feature and role, and a bias a role."""

    names: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]
    biases: tuple[float, ...]

    def opinion(self, vector: Sequence[float]) -> Opinion:
        sums = [
            bias + sum(weight * value for weight, value in zip(row, vector, strict=True))
            for row, bias in zip(self.weights, self.biases, strict=True)
        ]
        top = max(sums)
        parts = [exp(one - top) for one in sums]
        return Opinion(parts[0] / sum(parts), parts[1] / sum(parts))

    def reasons(self, vector: Sequence[float], role: str, against: str) -> dict[str, float]:
        """What each feature adds to the log-odds of one role against another."""
        rows = self.weights[ROLES.index(role)], self.weights[ROLES.index(against)]
        figures_ = zip(self.names, vector, *rows, strict=True)
        return {name: value * (mine - theirs) for name, value, mine, theirs in figures_}

    def to_json(self) -> dict[str, Any]:
        return {
            role: {
                "bias": round(bias, 4),
                **{name: round(weight, 4) for name, weight in zip(self.names, row, strict=True)},
            }
            for role, bias, row in zip(ROLES, self.biases, self.weights, strict=True)
        }

    @classmethod
    def from_json(cls, names: tuple[str, ...], data: Mapping[str, Mapping[str, float]]) -> SoftmaxModel:
        rows = tuple(tuple(float(data[role][name]) for name in names) for role in ROLES)
        return cls(names, rows, tuple(float(data[role]["bias"]) for role in ROLES))


@dataclass(frozen=True, slots=True)
class RoleModel:
    """Gives an opinion of every family of a site."""

    first: SoftmaxModel
    second: SoftmaxModel

    @classmethod
    def load(cls, path: Path | None = None) -> RoleModel:
        """The model of a file; without one, the model that comes with Thrawl."""
        text = (
            resources.files("thrawl.learn.structure").joinpath("roles.json").read_text(encoding="utf-8")
            if path is None
            else path.read_text(encoding="utf-8")
        )
        return cls.parse(text, str(path or "the built-in model of roles"))

    @classmethod
    def parse(cls, text: str, name: str) -> RoleModel:
        try:
            data = json.loads(text)
            if data["format"] != FORMAT:
                raise InputError(f"{name} has format {data['format']}, this Thrawl reads {FORMAT}: train it again.")
            first = SoftmaxModel.from_json(LOOKS, data["first"])
            return cls(first, SoftmaxModel.from_json((*LOOKS, *TIES), data["second"]))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{name} is no model file of this Thrawl ({error!r}): train it again.") from error

    def to_json(self) -> str:
        content = {"format": FORMAT, "first": self.first.to_json(), "second": self.second.to_json()}
        return json.dumps(content, indent=1) + "\n"

    def opinions(self, atlas: Atlas) -> dict[Family, Opinion]:
        """What each family is likely to be, after both rounds."""
        return {family: self.second.opinion(vector) for family, vector in self.evidence(atlas).items()}

    def evidence(self, atlas: Atlas) -> dict[Family, tuple[float, ...]]:
        """All figures of each family, in the order of the second round's features."""
        looks = {family: looks_of(atlas, family) for family in atlas.families}
        first = {family: self.first.opinion(figures(one)) for family, one in looks.items()}
        return {family: (*figures(one), *figures(ties_of(atlas, family, first))) for family, one in looks.items()}
