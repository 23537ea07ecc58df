"""Why a site was explained as it was: each decision with its probability, its evidence and the runner-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.evidence import Opinion
from thrawl.learn.structure.explanation import Chosen, Explanation
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.roles import RoleModel
from thrawl.profile.decisions import Decision, Question

_MOST: Final = 5  # figures of a decision: the strongest ones tell it all
_TELLING: Final = 0.1  # log-odds below which a figure said nothing


def decisions(model: RoleModel, atlas: Atlas, found: Explanation) -> tuple[Decision, ...]:
    """The decisions of an explanation: the entry page, then each family of boards and threads."""
    evidence = model.evidence(atlas)
    opinions = {family: model.second.opinion(vector) for family, vector in evidence.items()}
    told = _Told(model, evidence, opinions)
    return (_entry(found), *told.of("boards", found.boards), *told.of("threads", found.threads))


def _entry(found: Explanation) -> Decision:
    """The entry page with what it lists, as a share of what it and the second best page list together."""
    first, second = found.listed, found.second_listed
    share = first / (first + second) if first + second else 0.0
    evidence = {"lists": round(first, 2)} if first else {}
    return Decision("entry", found.entry.url, share, evidence, found.second_entry, 1 - share if first + second else 0.0)


class _Told:
    def __init__(
        self, model: RoleModel, evidence: dict[Family, tuple[float, ...]], opinions: dict[Family, Opinion]
    ) -> None:
        self._model = model
        self._evidence = evidence
        self._opinions = opinions

    def of(self, question: Question, chosen: Sequence[Chosen]) -> Iterator[Decision]:
        role = question.removesuffix("s")
        second = self._runner_up(role, {url for one in chosen for url in one.family.urls})
        for one in chosen:
            source = self._source(one.family)
            if source is not None and not one.reserve:
                yield Decision(
                    question,
                    ", ".join(str(pattern) for pattern in one.family.patterns),
                    one.probability,
                    self._reasons(source, role),
                    None if second is None else next(iter(second.urls)),
                    0.0 if second is None else _chance(self._opinions[second], role),
                )

    def _reasons(self, family: Family, role: str) -> dict[str, float]:
        """The figures that spoke most for a role, or against it, compared with the next best role."""
        opinion = self._opinions[family]
        against = max(
            (one for one in ("board", "thread", "other") if one != role), key=lambda one: _chance(opinion, one)
        )
        figures = self._model.second.reasons(self._evidence[family], role, against)
        strongest = sorted(figures.items(), key=lambda one: -abs(one[1]))[:_MOST]
        return {name: round(figure, 2) for name, figure in strongest if abs(figure) >= _TELLING}

    def _source(self, family: Family) -> Family | None:
        """The largest of the families that were weighed and of which this one is made."""
        parts = (one for one in self._evidence if family.urls.keys() >= one.urls.keys())
        return max(parts, key=lambda one: len(one.urls), default=None)

    def _runner_up(self, role: str, chosen: set[str]) -> Family | None:
        others = [one for one in self._opinions if not chosen.issuperset(one.urls)]
        return max(others, key=lambda one: _chance(self._opinions[one], role), default=None)


def _chance(opinion: Opinion, role: str) -> float:
    return {"board": opinion.board, "thread": opinion.thread, "other": opinion.other}[role]
