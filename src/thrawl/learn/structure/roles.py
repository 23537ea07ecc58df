"""What a family of links is: a small linear model of the evidence, one readable JSON file.

Two rounds: the first gives an opinion by looks alone, the second adds how families hang together given the first. Both
are softmax models over board, thread and neither, trained by `thrawl train`; their figures are probabilities.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Any, Final

from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.evidence import LOOKS, TIES, Opinion, figures, looks_of, ties_of
from thrawl.learn.structure.families import Family
from thrawl.profile.models import Model, model_text, parsed

FORMAT: Final = 2
_DIGITS: Final = 4  # of a weight that are kept: figures run to one
ROLES: Final = ("board", "thread", "other")


@dataclass(frozen=True, slots=True)
class SoftmaxModel:
    """A linear model for each role; the largest of what they say is the likeliest."""

    roles: Mapping[str, Model]

    def opinion(self, vector: Sequence[float]) -> Opinion:
        sums = [self.roles[role].margin(vector) for role in ROLES]
        top = max(sums)
        parts = [exp(one - top) for one in sums]
        return Opinion(parts[0] / sum(parts), parts[1] / sum(parts))

    def reasons(self, vector: Sequence[float], role: str, against: str) -> dict[str, float]:
        """What each feature adds to the log-odds of one role against another."""
        mine, theirs = self.roles[role].weights, self.roles[against].weights
        return {name: value * (mine[name] - theirs[name]) for name, value in zip(mine, vector, strict=True)}

    def to_data(self) -> dict[str, Any]:
        return {role: self.roles[role].to_data(_DIGITS) for role in ROLES}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], names: Sequence[str]) -> SoftmaxModel:
        return cls({role: Model.from_data(data[role], names) for role in ROLES})


@dataclass(frozen=True, slots=True)
class RoleModel:
    """Gives an opinion of every family of a site."""

    first: SoftmaxModel
    second: SoftmaxModel

    @classmethod
    def load(cls, path: Path | None = None) -> RoleModel:
        """The model of a file; without one, the model that comes with Thrawl."""
        return cls.parse(*model_text(path, "learn/structure/roles.json"))

    @classmethod
    def parse(cls, text: str, name: str) -> RoleModel:
        def read(data: Mapping[str, Any]) -> RoleModel:
            first = SoftmaxModel.from_data(data["first"], LOOKS)
            return cls(first, SoftmaxModel.from_data(data["second"], (*LOOKS, *TIES)))

        return parsed(text, name, FORMAT, read)

    def to_json(self) -> str:
        content = {"format": FORMAT, "first": self.first.to_data(), "second": self.second.to_data()}
        return json.dumps(content, indent=1) + "\n"

    def opinions(self, atlas: Atlas) -> dict[Family, Opinion]:
        """What each family is likely to be, after both rounds."""
        return {family: self.second.opinion(vector) for family, vector in self.evidence(atlas).items()}

    def evidence(self, atlas: Atlas) -> dict[Family, tuple[float, ...]]:
        """All figures of each family, in the order of the second round's features."""
        looks = {family: looks_of(atlas, family) for family in atlas.families}
        first = {family: self.first.opinion(figures(one)) for family, one in looks.items()}
        return {family: (*figures(one), *figures(ties_of(atlas, family, first))) for family, one in looks.items()}
