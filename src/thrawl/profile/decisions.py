"""Decisions: what was taken for what while learning, how likely it is right, on what evidence, and what came second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

Question = Literal["entry", "boards", "threads"]
QUESTIONS: Final = ("entry", "boards", "threads")


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer that a profile gives. `evidence` is what spoke for it most (above 0) or against it (below).

    Its figures are in log-odds against the answer that came second best for the same links. `runner_up` is the best
    proposal that was not taken.
    """

    question: Question
    answer: str
    probability: float
    evidence: tuple[tuple[str, float], ...] = ()
    runner_up: str | None = None
    runner_up_probability: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "answer": self.answer,
            "probability": round(self.probability, 3),
            "evidence": {name: round(figure, 2) for name, figure in self.evidence},
            "runner_up": self.runner_up,
            "runner_up_probability": round(self.runner_up_probability, 3),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Decision:
        """Raises ValueError, KeyError or TypeError for what is no decision."""
        if data["question"] not in QUESTIONS:
            raise ValueError(f"unknown question '{data['question']}'")
        return cls(
            question=data["question"],
            answer=str(data["answer"]),
            probability=float(data["probability"]),
            evidence=tuple((str(name), float(figure)) for name, figure in data.get("evidence", {}).items()),
            runner_up=data.get("runner_up"),
            runner_up_probability=float(data.get("runner_up_probability", 0.0)),
        )
