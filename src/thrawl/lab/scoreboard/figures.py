"""The file of the scoreboard: site and question → figure, and what fell since it was written.

A figure moves a little by itself: times of answers decide the order of requests, and one start page more or less is a
twentieth. What a question may move by without anything being wrong is its noise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thrawl.errors import InputError

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a site; `better` is 1 where more is better and -1 where less is."""

    name: str
    noise: float
    better: int = 1


QUESTIONS: Final = {
    one.name: one
    for one in (
        Question("entry", 0.10),  # two of twenty start pages
        Question("index", 0.02),
        Question("thread", 0.02),
        Question("flip", 0.05),
        Question("coverage", 0.01),
        Question("overhead", 0.10, -1),
        Question("posts_precision", 0.01),
        Question("outer_precision", 0.01),  # without comments, of which labels name none
        Question("posts_recall", 0.01),
        Question("authors", 0.02),
        Question("times", 0.02),
        Question("perfect_pages", 0.02),
        Question("learning_pages", 15, -1),
        Question("told", 0.0),  # 1 where the crawl said of itself what is so
        Question("sure_right", 0.05),  # of decisions said to be 90 % sure
        Question("passed", 0.08),  # of random forums; a standard error for 40 of them
    )
}


@dataclass(frozen=True, slots=True)
class Fall:
    """A figure that got worse by more than its noise."""

    site: str
    question: str
    was: float
    now: float

    def __str__(self) -> str:
        return f"{self.site}: {self.question} fell from {self.was:.3f} to {self.now:.3f}"


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """All figures, by site and question."""

    figures: Mapping[str, Mapping[str, float]]

    @classmethod
    def load(cls, path: Path) -> Scoreboard:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["format"] != FORMAT:
                raise InputError(f"{path} has format {data['format']}, this Thrawl reads {FORMAT}: run 'make score'.")
            return cls({site: {q: float(v) for q, v in one.items()} for site, one in data["sites"].items()})
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path} cannot be read as a scoreboard ({error!r}): run 'make score'.") from error

    def save(self, path: Path) -> None:
        sites = {site: {q: round(v, 4) for q, v in one.items()} for site, one in sorted(self.figures.items())}
        try:
            path.write_text(json.dumps({"format": FORMAT, "sites": sites}, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"the scoreboard cannot be written to {path}: {error.strerror or error}") from error

    def with_site(self, site: str, figures: Mapping[str, float]) -> Scoreboard:
        unknown = figures.keys() - QUESTIONS.keys()
        if unknown:
            raise InputError(f"the scoreboard has no question {', '.join(sorted(unknown))}.")
        return Scoreboard({**self.figures, site: dict(figures)})

    def falls(self, now: Scoreboard) -> list[Fall]:
        """What is worse now; sites and questions that were not measured this time are left out."""
        return [fall for site, asked in now.figures.items() for fall in self._falls_of(site, asked.items())]

    def _falls_of(self, site: str, asked: Iterable[tuple[str, float]]) -> Iterable[Fall]:
        before = self.figures.get(site, {})
        for name, value in asked:
            question = QUESTIONS[name]
            if name in before and question.better * (before[name] - value) > question.noise:
                yield Fall(site, name, before[name], value)
