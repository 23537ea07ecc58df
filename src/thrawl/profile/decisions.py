"""Decisions: what was taken for what while learning, how likely it is right, on what evidence, and what came second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from thrawl.profile.written import Written

Question = Literal["entry", "boards", "threads"]


@dataclass(frozen=True, slots=True)
class Decision(Written):
    """One answer that a profile gives. `evidence` is what spoke for it most (above 0) or against it (below).

    Its figures are in log-odds against the answer that came second best for the same links. `runner_up` is the best
    proposal that was not taken.
    """

    question: Question
    answer: str
    probability: float
    evidence: Mapping[str, float] = field(default_factory=dict)
    runner_up: str | None = None
    runner_up_probability: float = 0.0
