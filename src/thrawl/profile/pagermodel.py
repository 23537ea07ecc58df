"""How sure it is that some links are the pager of their page's list: named evidence, weighed by a small linear model.

Nothing here decides alone: words, arithmetic and addresses speak on the page itself; what a page behind the links
shows (other records, the way back: Wang et al. 2008, 5.2) is added by the learner, and is 0 as long as nobody looked.
The weights were learned by `thrawl train` and stand in `pager.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from math import exp
from operator import attrgetter
from typing import Final, cast

LIKELY: Final = 0.5
"""More likely a pager than not."""

_STEEPEST: Final = 40.0  # exponents beyond are 0 or 1 anyway, and would overflow


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for and against a pager; 0 says nothing.

    On the page: `numbers` are anchors that follow a line (one says less), `next_words`, `next_hint` (icon names,
    classes, tooltips) and `rel_next` name the next page, `previous` the one before, `second` the value is one of a
    second page, `wordy` the anchor is a title. Of the addresses: `keeps_list`, `changes_number`, `changes_more`,
    `many_lists` (the page shows pagers of this form for several lists). Behind it, from -1 to 1: `other_records`,
    `alike`, `leads_back`, `same_title`.
    """

    numbers: float = 0.0
    next_words: float = 0.0
    next_hint: float = 0.0
    rel_next: float = 0.0
    previous: float = 0.0
    second: float = 0.0
    wordy: float = 0.0
    keeps_list: float = 0.0
    changes_number: float = 0.0
    changes_more: float = 0.0
    many_lists: float = 0.0
    other_records: float = 0.0
    alike: float = 0.0
    leads_back: float = 0.0
    same_title: float = 0.0

    def vector(self) -> tuple[float, ...]:
        return _values(self)

    @property
    def speaks(self) -> bool:
        """Whether anything on the page itself says that this is a pager."""
        return bool(self.numbers or self.next_words or self.next_hint or self.rel_next)

    def words(self) -> str:
        """What speaks, by name, as a person can read it."""
        return ", ".join(
            f"{field.name} {value:+.1f}" for field, value in zip(fields(self), self.vector(), strict=True) if value
        )


NAMES: Final = tuple(field.name for field in fields(Evidence))
# astuple copies deeply, and takes ten times as long
_values: Final = cast("Callable[[Evidence], tuple[float, ...]]", attrgetter(*NAMES))


@dataclass(frozen=True, slots=True)
class PagerModel:
    """A weight for each kind of evidence."""

    weights: Mapping[str, float]
    bias: float

    def probability(self, evidence: Evidence) -> float:
        weighed = (self.weights[name] * value for name, value in zip(NAMES, evidence.vector(), strict=True))
        exponent = max(-_STEEPEST, min(_STEEPEST, self.bias + sum(weighed)))
        return 1 / (1 + exp(-exponent))

    def to_json(self) -> str:
        data = {"bias": round(self.bias, 3), "weights": {name: round(self.weights[name], 3) for name in NAMES}}
        return json.dumps(data, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> PagerModel:
        data = json.loads(text)
        return cls({name: float(data["weights"][name]) for name in NAMES}, float(data["bias"]))


@cache
def shipped_model() -> PagerModel:
    """The model that comes with Thrawl."""
    return PagerModel.from_json(resources.files("thrawl.profile").joinpath("pager.json").read_text(encoding="utf-8"))
