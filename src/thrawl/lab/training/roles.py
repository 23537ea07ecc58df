"""Training the model of roles (`learn.structure.roles`): what families of links are, by the evidence for them.

Each annotated site is explored several times at random, as learning would see it on its way: few pages, then more. At
several moments the evidence of every family is noted together with its true role, so that the model knows what evidence
looks like early and late. Sites weigh alike, however many families they have.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thrawl.errors import InputError
from thrawl.lab.bench.mirrors import open_mirror
from thrawl.lab.random.labels import SiteFetcher, is_unclear
from thrawl.lab.random.site import ORIGIN, forum
from thrawl.lab.training.annotation import has_no_answer, read_shown
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.sampler import Sampler
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.entry import above
from thrawl.learn.structure.evidence import LOOKS, TIES, figures, looks_of, ties_of
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.roles import ROLES, RoleModel, SoftmaxModel
from thrawl.net.message import Fetcher
from thrawl.page.pagekind import PageKind
from thrawl.profile.models import Model

_MOMENTS: Final = (6, 16, 36)  # requests after which the evidence is noted
_PENALTY: Final = 1.0  # of the weights' squares: the usual one, features run from -1 to 1
_FOLDS: Final = 5  # parts of the sites, each left out once to measure how sure the model may be
_HEATS: Final = tuple(1 + step / 10 for step in range(21))  # how much less sure: a model is never too modest by far

RANDOM: Final = "random "
"""How the names of random forums begin: together they weigh as much as all mirrors, of which there are fewer."""

RoleOf = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class LabelledSite:
    """A site to train on: its name, where it answers, pages to start from, and the true role of a URL.

    The role is one of ROLES, or empty for a URL that has no right answer.
    """

    name: str
    fetcher: Fetcher
    starts: Sequence[str]
    role_of: RoleOf


@dataclass(frozen=True, slots=True)
class RoleExample:
    """The evidence for one family at one moment; `ties` are empty in the first round."""

    site: str
    role: str
    looks: tuple[float, ...]
    ties: tuple[float, ...] = ()


async def explore_at_random(
    site: LabelledSite, classifier: PageClassifier, seed: int, first: SoftmaxModel | None = None
) -> list[RoleExample]:
    """Examples of a site. Their ties need the model of the first round, best trained without this site.

    The same seed gives the same walk, so both rounds see the same.
    """
    draw = random.Random(f"{seed} {site.name}")
    examples: list[RoleExample] = []
    for start in site.starts:
        sampler = Sampler(site.fetcher, classifier)
        atlas = Atlas(sampler)
        for url in dict.fromkeys([start, *above(start)]):
            page = await sampler.get(url)
            if page is not None:
                atlas.add(page)
        for moment in _MOMENTS:
            await _fetch_some(atlas, draw, moment)
            examples.extend(_note(site, atlas, first))
    return examples


async def _fetch_some(atlas: Atlas, draw: random.Random, until: int) -> None:
    """Ask about families at random, those in rows and those with long anchors more often."""
    sampler = atlas.sampler
    for _ in range(4 * until):
        if sampler.requests >= until or not atlas.families:
            return
        weights = [_interest(family) for family in atlas.families]
        family = draw.choices(atlas.families, weights)[0]
        unasked = [url for url in family.urls if not sampler.asked(url)]
        page = await sampler.get(draw.choice(unasked)) if unasked else None
        if page is not None:
            atlas.add(page)


def _interest(family: Family) -> float:
    rows = any(one.in_rows for one in family.sightings)
    return (4.0 if rows else 1.0) * min(60, sum(map(len, family.urls.values()))) + 1


def _note(site: LabelledSite, atlas: Atlas, first: SoftmaxModel | None) -> list[RoleExample]:
    looks = {family: figures(looks_of(atlas, family)) for family in atlas.families}
    ties: dict[Family, tuple[float, ...]] = {}
    if first is not None:
        opinions = {family: first.opinion(vector) for family, vector in looks.items()}
        ties = {family: figures(ties_of(atlas, family, opinions)) for family in atlas.families}
    return [
        RoleExample(site.name, role, looks[family], ties.get(family, ()))
        for family in atlas.families
        if (role := _role(site, family))
    ]


def _role(site: LabelledSite, family: Family) -> str:
    """The role of most of a family's URLs; empty where there is no right answer or none has most."""
    counted = Counter(site.role_of(url) for url in family.urls)
    role, count = counted.most_common(1)[0]
    return role if 3 * count >= 2 * counted.total() else ""


def train_first(examples: Sequence[RoleExample]) -> SoftmaxModel:
    """The model of the first round."""
    if len({one.role for one in examples}) < len(ROLES):
        raise InputError("training roles needs sites with boards, threads and other pages; give more mirrors.")
    return _fit(examples, LOOKS, lambda one: one.looks)


def train_roles(examples: Sequence[RoleExample]) -> RoleModel:
    """The model of both rounds, from examples with ties; its probabilities are those of sites left out."""
    second = _fit(examples, (*LOOKS, *TIES), _whole)
    return RoleModel(train_first(examples), tempered(second, temperature(examples)))


def _whole(one: RoleExample) -> tuple[float, ...]:
    return (*one.looks, *one.ties)


def temperature(examples: Sequence[RoleExample]) -> float:
    """By how much sums must be divided so that what is said to be 90 % sure is right in nine of ten cases.

    Measured on sites that were left out, in `_FOLDS` parts (Guo et al. 2017 scale the outputs of networks alike).
    """
    from math import log

    left_out: list[tuple[SoftmaxModel, RoleExample]] = []
    sites = sorted({one.site for one in examples})
    for fold in range(_FOLDS):
        without = set(sites[fold::_FOLDS])
        model = _fit([one for one in examples if one.site not in without], (*LOOKS, *TIES), _whole)
        left_out += [(model, one) for one in examples if one.site in without]

    def surprise(heat: float) -> float:
        told = 0.0
        for model, one in left_out:
            opinion = tempered(model, heat).opinion(_whole(one))
            chances = dict(zip(ROLES, (opinion.board, opinion.thread, opinion.other), strict=True))
            told -= log(max(chances[one.role], 1e-6))
        return told

    return min(_HEATS, key=surprise)


def tempered(model: SoftmaxModel, heat: float) -> SoftmaxModel:
    """The model with its sums divided: the same answers, said less surely."""
    return SoftmaxModel({role: one.scaled(1 / heat) for role, one in model.roles.items()})


def calibration(examples: Sequence[RoleExample], model: RoleModel, sure: float = 0.9) -> tuple[int, float]:
    """How many examples a model says it is so sure of, and of how many of them it is right."""
    told = []
    for one in examples:
        opinion = model.second.opinion(_whole(one))
        chances = dict(zip(ROLES, (opinion.board, opinion.thread, opinion.other), strict=True))
        best = max(chances, key=lambda role: chances[role])
        told += [best == one.role] if chances[best] >= sure else []
    return len(told), sum(told) / max(1, len(told))


def _fit(
    examples: Sequence[RoleExample], names: tuple[str, ...], vector: Callable[[RoleExample], Sequence[float]]
) -> SoftmaxModel:
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    sizes = Counter(one.site for one in examples)
    kinds = Counter(site.startswith(RANDOM) for site in sizes)
    weights = np.array([1 / (sizes[one.site] * kinds[one.site.startswith(RANDOM)]) for one in examples])
    weights *= len(examples) / weights.sum()
    fitted = LogisticRegression(C=_PENALTY, max_iter=2000)
    labels = np.array([ROLES.index(one.role) for one in examples])
    fitted.fit(np.array([vector(one) for one in examples]), labels, sample_weight=weights)
    said = zip(ROLES, fitted.intercept_, fitted.coef_, strict=True)
    return SoftmaxModel(
        {role: Model(float(bias), dict(zip(names, map(float, row), strict=True))) for role, bias, row in said}
    )


def labelled_mirror(folder: Path, seed: int) -> LabelledSite:
    """An annotated mirror, from its entry page, a board and a thread."""
    mirror, shown = open_mirror(folder), read_shown(folder)
    rules = mirror.rules
    draw = random.Random(f"{seed} {folder.name}")

    def role_of(url: str) -> str:
        kind = rules.type_of(url)
        known = shown.get(url)
        if kind is None or (kind == "other" and known is not None and has_no_answer(kind, known)):
            return ""
        return "thread" if kind == "thread" else "other" if kind == "other" else "board"

    urls = list(mirror.replay.urls())
    starts = [url for url in urls if mirror.is_entry(url)][:1]
    for kind in (PageKind.INDEX, PageKind.THREAD):
        starts += draw.sample([url for url in urls if mirror.kind_of(url) == kind] or urls, 1)
    return LabelledSite(folder.name, mirror.replay, starts, role_of)


def labelled_random(seed: int) -> LabelledSite:
    """A random forum, from its entry page or from one of its threads."""
    site = forum(seed)
    fetcher = SiteFetcher(site)

    def role_of(url: str) -> str:
        kind = site.truth(url).type
        if kind == "other" and is_unclear(site, url):
            return ""
        return "thread" if kind == "thread" else "other" if kind == "other" else "board"

    threads = [url for url, kind in site.canonical_urls() if kind == "thread"]
    start = ORIGIN + site.entry_path if seed % 2 else random.Random(seed).choice(threads)
    return LabelledSite(f"{RANDOM}{seed}", fetcher, [start], role_of)
