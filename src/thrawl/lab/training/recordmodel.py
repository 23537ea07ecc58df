"""Train the model that weighs ways to cut posts, on annotated mirrors: `learn/wrappers/records.json`.

For single pages and for small samples of a site's pages, every proposal of the record finder is carried out and
compared with the truth. The weights are those that put the better proposal of each pair first (a linear ranking);
then they are scaled, so that the figure is a probability: of the proposals said to be 90 % sure, 90 % are right.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy
from sklearn.linear_model import LogisticRegression

from thrawl.lab.training.annotation import AnnotatedPage, sample
from thrawl.lab.training.postscore import Truth, judge, read_annotated_page, truth_of_mirror
from thrawl.lab.training.recordtruth import TruePost
from thrawl.learn.wrappers.authors import AuthorEvidence, template_of
from thrawl.learn.wrappers.choosing import propose
from thrawl.learn.wrappers.evidence import Evidence
from thrawl.learn.wrappers.growth import Held
from thrawl.learn.wrappers.learnshape import authors_proposed, cut_all, hold
from thrawl.learn.wrappers.models import Model
from thrawl.learn.wrappers.posts import wrapper_of
from thrawl.learn.wrappers.sample import take_samples
from thrawl.profile.fields import AuthorField
from thrawl.profile.nodes import fold
from thrawl.profile.shapes import PostShape

_GROUPS: Final = (1, 1, 1, 5)  # pages of the samples that are drawn, again and again
_RIGHT: Final = 0.97  # of the posts, as F1: a cut that is right but for words that the software altered
_DIFFERENT: Final = 0.02  # in F1: less is no reason to put one proposal before another
_GOOD: Final = 0.8  # of the posts, as F1: authors are looked for in cuts that are at least so right
_NOBODY: Final = TruePost("", "", 0)
_LATE: Final = datetime(2100, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Tried:
    """One proposal that was carried out: where, what spoke for it, and how right it was (F1)."""

    site: str
    draw: int
    name: str
    evidence: Evidence
    quality: float


@dataclass(frozen=True, slots=True)
class TriedAuthor:
    """One place that was proposed as the author's: what spoke for it, and for how many records it names the author."""

    site: str
    draw: int
    evidence: AuthorEvidence
    quality: float


def try_proposals(folder: Path, draws: int, seed: int) -> Iterator[Tried | TriedAuthor]:
    """All proposals for samples of a mirror's thread pages, each with its quality; those of authors in the best cut."""
    truth = truth_of_mirror(folder)
    if truth is None:
        return
    pages = [page for page in sample(folder, 4 * draws, seed) if page.type == "thread" and page.posts]
    chosen = random.Random(f"{seed} {folder.name}")
    for draw in range(draws):
        drawn = chosen.sample(pages, min(len(pages), _GROUPS[draw % len(_GROUPS)]))
        yield from _try(folder.name, draw, drawn, truth)


def _try(site: str, draw: int, drawn: Sequence[AnnotatedPage], truth: Truth) -> Iterator[Tried | TriedAuthor]:
    pages = [page for one in drawn if (page := read_annotated_page(one)) is not None]
    posts = [truth.posts_on(page.tree, one) for page, one in zip(pages, drawn, strict=False)]
    samples = take_samples(pages)
    best: tuple[float, Sequence[PostShape]] = (_GOOD, ())
    for proposal in propose(samples):
        wrapper = wrapper_of(samples, proposal.shapes, None)
        cut = [wrapper.cut(page.tree, page.url, _LATE) or () for page in pages]
        scores = [judge(site, page.url, true, found) for page, true, found in zip(pages, posts, cut, strict=True)]
        right = sum(one.right for one in scores)
        quality = 2 * right / max(1, sum(one.posts + one.read for one in scores))
        yield Tried(site, draw, proposal.name, proposal.evidence, quality)
        if quality > best[0]:
            best = quality, proposal.shapes
    true = {id(page): posts for page, posts in zip(samples, posts, strict=True)}
    cuts = cut_all(samples, [shape.kind for shape in best[1]])
    for number, shape in enumerate(best[1]):
        yield from _try_authors(site, draw, hold(samples, cuts, number), shape, true)


def _try_authors(
    site: str, draw: int, records: Sequence[Held], shape: PostShape, true: Mapping[int, Sequence[TruePost]]
) -> Iterator[TriedAuthor]:
    authors = {at: name for at, held in enumerate(records) if (name := _true_author(held, true[id(held.page)]))}
    for words, evidence in authors_proposed(records, shape):
        prefix, suffix = template_of(words)
        said = {at: AuthorField((), prefix, suffix).strip(value) for at, value in words.values.items()}
        right = sum(said.get(at, "").casefold() == name.casefold() for at, name in authors.items())
        if authors:
            yield TriedAuthor(site, draw, evidence, right / len(authors))


def _true_author(held: Held, posts: Sequence[TruePost]) -> str:
    tree = held.page.tree
    text = fold(tree.text_of(held.cut.start, min([held.cut.end, *held.inner])))
    holding = [post for post in posts if (at := text.find(post.start)) >= 0 and text.find(post.end, at) >= 0]
    return max(holding, key=lambda post: text.rfind(post.end), default=_NOBODY).author


def train_model(tried: Iterable[Tried | TriedAuthor]) -> Model:
    """The model that ranks these proposals, all for one question, best."""
    draws: dict[tuple[str, int], list[Tried | TriedAuthor]] = {}
    for one in tried:
        draws.setdefault((one.site, one.draw), []).append(one)
    weights = _ranking(draws.values())
    every = [one for found in draws.values() for one in found]
    scores = numpy.array([[numpy.dot(weights, astuple(one.evidence))] for one in every])
    right = numpy.array([one.quality >= _RIGHT for one in every])
    scaled = LogisticRegression(C=1e3).fit(scores, right)
    scale = float(scaled.coef_[0][0])
    scaled_weights = {name: scale * float(one) for name, one in zip(every[0].evidence.names(), weights, strict=True)}
    return Model(float(scaled.intercept_[0]), scaled_weights)


def _ranking(draws: Iterable[Sequence[Tried | TriedAuthor]]) -> numpy.ndarray:
    """Weights that put the better of two proposals first, as often as a linear model can."""
    rows, targets, importance = [], [], []
    for found in draws:
        for one, two in combinations(found, 2):
            gap = one.quality - two.quality
            if abs(gap) > _DIFFERENT:
                difference = numpy.subtract(astuple(one.evidence), astuple(two.evidence))
                rows += [difference, -difference]
                targets += [gap > 0, gap < 0]
                importance += [abs(gap)] * 2
    fitted = LogisticRegression(C=1.0, fit_intercept=False, max_iter=1000)
    return numpy.asarray(fitted.fit(numpy.array(rows), numpy.array(targets), sample_weight=importance).coef_[0])
