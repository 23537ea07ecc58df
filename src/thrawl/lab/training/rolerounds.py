"""The two rounds in which examples for the model of roles are collected, over mirrors and random forums.

How families hang together is told by a first opinion, and that opinion must be as unsure as it will be on a new site:
so both the page classifier and the first model are trained without the mirror in question, and random forums are judged
by a first model that saw only every second of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thrawl.lab.training.roles import (
    RANDOM,
    RoleExample,
    explore_at_random,
    labelled_mirror,
    labelled_random,
    train_first,
)
from thrawl.lab.training.training import load_examples, train
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.structure.roles import SoftmaxModel

_PAGES: Final = 25  # of each type and site, for the page classifiers
_PROCESSES: Final = 2

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Walk:
    """One site to explore: a mirror's folder or a random forum's seed, with the models that do not know it."""

    place: Path | int
    classifier: PageClassifier
    seed: int
    first: SoftmaxModel | None = None

    @property
    def name(self) -> str:
        return self.place.name if isinstance(self.place, Path) else f"{RANDOM}{self.place}"


def role_examples(
    folders: Sequence[Path], forums: Sequence[int], seed: int, progress: Progress = lambda _: None
) -> list[RoleExample]:
    """Examples with ties, of all mirrors and random forums."""
    pages = load_examples(folders, _PAGES, seed)
    everywhere = train(pages)
    walks = [_Walk(one, train([page for page in pages if page.site != one.name]), seed) for one in folders]
    walks += [_Walk(one, everywhere, seed) for one in forums]
    progress(f"first round: {len(walks)} sites")
    looked_at = _explored(walks)
    half = train_first([one for one in looked_at if not one.site.startswith(RANDOM) or _is_odd(one.site)])
    progress(f"second round: {len(walks)} sites")
    again = [_Walk(one.place, one.classifier, seed, _first_for(one, looked_at, half)) for one in walks]
    return _explored(again)


def _first_for(walk: _Walk, examples: Sequence[RoleExample], half: SoftmaxModel) -> SoftmaxModel:
    if isinstance(walk.place, int):
        return half
    return train_first([one for one in examples if one.site != walk.name])


def _is_odd(site: str) -> bool:
    return int(site.removeprefix(RANDOM)) % 2 == 1


def _explored(walks: Sequence[_Walk]) -> list[RoleExample]:
    with ProcessPoolExecutor(_PROCESSES) as pool:
        return [example for found in pool.map(_explore, walks) for example in found]


def _explore(walk: _Walk) -> list[RoleExample]:
    place = walk.place
    site = labelled_mirror(place, walk.seed) if isinstance(place, Path) else labelled_random(place)
    return asyncio.run(explore_at_random(site, walk.classifier, walk.seed, walk.first))
