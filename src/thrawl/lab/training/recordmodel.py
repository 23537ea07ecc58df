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
from itertools import product
from pathlib import Path
from typing import Final

import numpy
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from thrawl.lab.random.site import ORIGIN, forum
from thrawl.lab.training.annotation import sample
from thrawl.lab.training.postscore import EDGE, judge, read_annotated_page, truth_of_mirror
from thrawl.lab.training.recordtruth import TruePost
from thrawl.lab.world import Post
from thrawl.learn.wrappers.authorevidence import AuthorEvidence, Known, template_of
from thrawl.learn.wrappers.evidence import Evidence
from thrawl.learn.wrappers.growth import Held
from thrawl.learn.wrappers.learnshape import authors_proposed, hold, names_in
from thrawl.learn.wrappers.posts import wrapper_of
from thrawl.learn.wrappers.proposing import propose
from thrawl.learn.wrappers.sample import take_samples
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import Page, read_page
from thrawl.profile.fields import AuthorField
from thrawl.profile.folding import fold
from thrawl.profile.models import Model
from thrawl.profile.shapes import PostShape

_GROUPS: Final = (1, 1, 1, 5)  # pages of the samples that are drawn, again and again
_RIGHT: Final = 0.97  # of the posts, as F1: a cut that is right but for words that the software altered
_DIFFERENT: Final = 0.02  # in F1: less is no reason to put one proposal before another
_FIELDS: Final = 0.2  # of the worth of posts that name neither author nor time, where they could
_GOOD: Final = 0.8  # of the posts, as F1: authors are looked for in cuts that are at least so right
_NOBODY: Final = TruePost("", "", 0)
_RANDOM: Final = 5000  # where the seeds of random forums for training begin; tests and reports use others
_KINDS: Final = 100  # more than a cut has: authors are compared within their kind
# What the mirrors at hand hardly show and other sites do: figures that the data says little of keep these weights.
_PRIOR: Final = {
    "presence": 3.0,
    "echoed": -2.0,
    "narrow": -1.0,
    "marked": 2.0,
    "known": 1.5,
    "pictured": 1.0,
    "wordy": -2.0,
    "long": -3.0,
    "loose": -1.0,
    "shared": 1.0,
    "mentioned": 1.0,
}
# Figures that count what is wrong with a cut: however few pages show it, none of them may speak for one.
_AGAINST: Final = frozenset({"crowded", "missed", "kinds", "linked", "narrow", "furnished", "echoed", "left"})
_STIFF: Final = 1.0  # how much data it takes to move a weight: some pair of proposals that it would part
_LATE: Final = datetime(2100, 1, 1, tzinfo=UTC)


Array = NDArray[numpy.float64]
Bounds = Sequence[tuple[None, float | None]]


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


@dataclass(frozen=True, slots=True)
class Draw:
    """Some thread pages of one forum, with the posts that each shows."""

    site: str
    number: int
    pages: tuple[Page, ...]
    posts: tuple[Sequence[TruePost], ...]


def draw_from_mirror(folder: Path, draws: int, seed: int) -> Iterator[Draw]:
    """Single pages and small samples of a mirror's thread pages."""
    truth = truth_of_mirror(folder)
    if truth is None:
        return
    pages = [page for page in sample(folder, 4 * draws, seed) if page.type is PageKind.THREAD and page.posts]
    chosen = random.Random(f"{seed} {folder.name}")
    for number in range(draws):
        drawn = chosen.sample(pages, min(len(pages), _GROUPS[number % len(_GROUPS)]))
        read = [(page, one) for one in drawn if (page := read_annotated_page(one)) is not None]
        posts = tuple(truth.posts_on(page.tree, one) for page, one in read)
        yield Draw(folder.name, number, tuple(page for page, _ in read), posts)


def draw_from_random(seeds: Iterable[int]) -> Iterator[Draw]:
    """The same of random forums, one draw a seed."""
    for number, seed in enumerate(seeds):
        site, chosen = forum(seed), random.Random(seed)
        urls = [url for url, kind in site.canonical_urls() if kind.startswith("thread")]
        drawn = chosen.sample(urls, min(len(urls), _GROUPS[number % len(_GROUPS)]))
        pages = tuple(read_page(site.answer(url.removeprefix(ORIGIN)).body, url) for url in drawn)
        posts = tuple([_of_world(post) for post in site.posts_at(url)] for url in drawn)
        yield Draw(f"random {seed}", 0, pages, posts)


def _of_world(post: Post) -> TruePost:
    words = fold(post.text)
    return TruePost(words[:EDGE], words[-EDGE:], post.thread, len(words), post.author.name)


def try_proposals(draw: Draw) -> Iterator[Tried | TriedAuthor]:
    """All proposals for the pages of a draw, each with its quality; those of authors in the best cut."""
    pages, posts, site, number = draw.pages, draw.posts, draw.site, draw.number
    samples = take_samples(pages)
    best: tuple[float, Sequence[PostShape]] = (_GOOD, ())
    for proposal in propose(samples):
        wrapper = wrapper_of(samples, proposal.shapes, None)
        cut = [wrapper.cut(page.tree, page.url, _LATE) or () for page in pages]
        scores = [judge(site, page.url, true, found) for page, true, found in zip(pages, posts, cut, strict=True)]
        right = sum(one.right for one in scores)
        quality = 2 * right / max(1, sum(one.posts + one.read for one in scores))
        yield Tried(site, number, proposal.name, proposal.evidence, quality)
        if quality > best[0]:
            best = quality, proposal.shapes
    true = {id(page): posts for page, posts in zip(samples, posts, strict=True)}
    held = hold(samples, [shape.kind for shape in best[1]])
    names = [names_in(records, shape) for records, shape in zip(held, best[1], strict=True)]
    for kind, shape in enumerate(best[1]):
        others = frozenset().union(*names[:kind], *names[kind + 1 :])
        yield from _try_authors(site, _KINDS * number + kind, held[kind], shape, true, Known(others))


def _try_authors(
    site: str,
    draw: int,
    records: Sequence[Held],
    shape: PostShape,
    true: Mapping[int, Sequence[TruePost]],
    known: Known,
) -> Iterator[TriedAuthor]:
    authors = {at: name for at, held in enumerate(records) if (name := _true_author(held, true[id(held.page)]))}
    for words, evidence in authors_proposed(records, shape, known):
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


def train_models(folders: Iterable[Path], draws: int, seed: int) -> dict[str, Model]:
    """The models of `learn/wrappers` by their names, trained on mirrors and on ten times as many random forums."""
    drawn = [draw for folder in folders for draw in draw_from_mirror(folder, draws, seed)]
    drawn += draw_from_random(range(_RANDOM * seed, _RANDOM * seed + 10 * draws))
    tried = [one for draw in drawn for one in try_proposals(draw)]
    return {
        "records": train_model([one for one in tried if isinstance(one, Tried)]),
        "authors": train_model([one for one in tried if isinstance(one, TriedAuthor)]),
    }


def train_model(tried: Iterable[Tried | TriedAuthor]) -> Model:
    """The model that ranks these proposals, all for one question, best."""
    draws: dict[tuple[str, int], list[Tried | TriedAuthor]] = {}
    for one in tried:
        draws.setdefault((one.site, one.draw), []).append(one)
    every = [one for found in draws.values() for one in found]
    names = every[0].evidence.names()
    bounds = [(None, 0.0 if name in _AGAINST else None) for name in names]
    weights = _ranking(draws.values(), numpy.array([_PRIOR.get(name, 0.0) for name in names]), bounds)
    # what wins is asked for its probability, so it is measured on winners
    winners = [max(found, key=lambda one: float(numpy.dot(weights, astuple(one.evidence)))) for found in draws.values()]
    scale, bias = _scale(weights, winners)
    if scale <= 0:  # too few winners are wrong, or right, to tell
        scale, bias = _scale(weights, every)
    scaled_weights = {name: scale * float(one) for name, one in zip(names, weights, strict=True)}
    return Model(bias, scaled_weights)


def _scale(weights: Array, asked: Sequence[Tried | TriedAuthor]) -> tuple[float, float]:
    """What makes of these proposals' scores the probability of being right; 0 where all or none of them are."""
    right = numpy.array([one.quality >= _RIGHT for one in asked])
    if right.all() or not right.any():
        return 0.0, 0.0
    scores = numpy.array([[numpy.dot(weights, astuple(one.evidence))] for one in asked])
    fitted = LogisticRegression(C=1e3).fit(scores, right)
    return float(fitted.coef_[0][0]), float(fitted.intercept_[0])


def _ranking(draws: Iterable[Sequence[Tried | TriedAuthor]], prior: Array, bounds: Bounds) -> Array:
    """Weights that put a best proposal of each draw before the others, as often as a linear model can."""
    rows, importance = [], []
    for found in draws:
        top = max(map(_worth, found))
        best = [one for one in found if _worth(one) > top - _DIFFERENT]
        worse = [one for one in found if _worth(one) <= top - _DIFFERENT]
        for one, two in product(best, worse):
            difference = numpy.subtract(astuple(one.evidence), astuple(two.evidence))
            rows.append(difference)
            importance.append((_worth(one) - _worth(two)) / (len(best) * len(worse)) ** 0.5)
    return _fitted(numpy.array(rows), numpy.array(importance), prior, bounds)


def _worth(one: Tried | TriedAuthor) -> float:
    """How good a proposal is: of two cuts with the same words the better one also has authors and times."""
    if isinstance(one, TriedAuthor):
        return one.quality
    return one.quality * (1 - _FIELDS * (2 - one.evidence.timed - one.evidence.authored) / 2)


def _fitted(rows: Array, importance: Array, prior: Array, bounds: Bounds) -> Array:
    """The weights under which most rows are positive, close to the prior where the rows say nothing."""

    def loss(weights: Array) -> tuple[float, Array]:
        margins = rows @ weights
        off = weights - prior
        cost = float(importance @ numpy.logaddexp(0, -margins) + _STIFF / 2 * off @ off)
        slope = -(importance / (1 + numpy.exp(numpy.clip(margins, -30, 30)))) @ rows + _STIFF * off
        return cost, slope

    return numpy.asarray(minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=bounds).x)
