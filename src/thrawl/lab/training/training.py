"""Train the page type classifiers on annotated forums (section 5.2.1 of FoCUS).

A linear SVM a type over the standardised features, every site and class weighing the same whatever its number of
pages, then Platt's scaling on margins of sites that were left out. scikit-learn is imported here and nowhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from thrawl.errors import InputError, PageError, UsageError
from thrawl.lab.training.annotation import AnnotatedPage, sample
from thrawl.learn.classifier import CLASSIFIED, PageClassifier
from thrawl.learn.together import Sight, sight_of
from thrawl.page.features import NAMES
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import read_page
from thrawl.profile.models import Model

_SOFTNESS: Final = 0.01  # the SVM's C: small, as a handful of sites must speak for all others
# How far each feature may pull, in standard deviations: plain sizes differ between designs more than between types,
# so they speak softly. Chosen on draws of five training sites.
_SOFT_FEATURES: Final = frozenset(
    (
        "record_count",
        "max_anchor",
        "max_height",
        "max_text",
        "average_text",
        "has_time",
        "has_user",
        "page_share",
        "single",
    )
)
_SOFT_VOICE: Final = 0.3
_ENOUGH_PAGES: Final = 10
_CONSTANT: Final = 1e-9  # a feature that deviates less than this is the same on all pages
_CALIBRATION_FOLDS: Final = 5
_SEED: Final = 1


@dataclass(frozen=True, slots=True)
class Example:
    """What training needs of an annotated page: its type, what was seen on it, and how many records it truly shows."""

    site: str
    type: PageKind
    sight: Sight
    shown: int | None

    @property
    def vector(self) -> tuple[float, ...]:
        return self.sight.features.vector()

    @property
    def is_single(self) -> bool:
        """Whether the page shows one record only: nothing repeats within it."""
        return (self.sight.records if self.shown is None else self.shown) <= 1


def examples_of(pages: Iterable[AnnotatedPage]) -> Iterator[Example]:
    """Read each page once; pages that cannot be read are no examples."""
    for page in pages:
        try:
            read = read_page(page.html, page.url)
        except PageError:
            continue
        kind = PageKind.INDEX if page.type is PageKind.ENTRY else page.type
        yield Example(page.site, kind, sight_of(read), page.shown)


def load_examples(folders: Sequence[Path], per_type: int, seed: int = _SEED) -> list[Example]:
    """The examples of several annotated forums."""
    return [example for folder in folders for example in examples_of(sample(folder, per_type, seed))]


def train(examples: Sequence[Example]) -> PageClassifier:
    """Fit both classifiers."""
    if not examples:
        raise InputError("there is nothing to train on: give folders of annotated forums")
    missing = set(CLASSIFIED) - {example.type for example in examples}
    if missing:
        raise InputError(f"the annotated pages have none of type {', '.join(sorted(missing))}: annotate some")
    need_scikit_learn()
    sites = len({example.site for example in examples})
    return PageClassifier(_fit(examples, PageKind.INDEX), _fit(examples, PageKind.THREAD), sites)


def need_scikit_learn() -> None:
    if find_spec("sklearn") is None:
        raise UsageError("training needs scikit-learn: pip install 'thrawl[train]'")


def _fit(examples: Sequence[Example], kind: PageKind) -> Model:
    model = _svm(examples, kind)
    return model.scaled(*_platt(examples, kind, model))


def _svm(examples: Sequence[Example], kind: PageKind) -> Model:
    """The hyperplane, in the units of the features (standardisation folded into the weights)."""
    import numpy
    from sklearn.svm import LinearSVC

    vectors = numpy.array([example.vector for example in examples])
    wanted = numpy.array([example.type == kind for example in examples])
    shares = numpy.array(_shares(examples, kind))
    # By hand: with weights, scikit-learn's scaler finds negative variances in features that hardly vary.
    means = numpy.average(vectors, axis=0, weights=shares)
    scales = numpy.sqrt(numpy.average((vectors - means) ** 2, axis=0, weights=shares))
    scales[scales < _CONSTANT] = 1.0
    scales /= numpy.array([_SOFT_VOICE if name in _SOFT_FEATURES else 1.0 for name in NAMES])
    machine: Any = LinearSVC(C=_SOFTNESS, random_state=_SEED, max_iter=20_000)
    machine.fit((vectors - means) / scales, wanted, sample_weight=shares)
    weights = machine.coef_[0] / scales
    return Model(float(machine.intercept_[0] - weights @ means), dict(zip(NAMES, map(float, weights), strict=True)))


def _shares(examples: Sequence[Example], kind: PageKind) -> list[float]:
    """The weight of each page: more pages of one site and class than enough share what enough would weigh."""
    sizes = Counter((example.site, example.type == kind) for example in examples)
    shares = [min(1.0, _ENOUGH_PAGES / sizes[example.site, example.type == kind]) for example in examples]
    wanted = sum(share for example, share in zip(examples, shares, strict=True) if example.type == kind)
    others = sum(shares) - wanted
    half = len(examples) / 2
    return [
        share * half / (wanted if example.type == kind else others)
        for example, share in zip(examples, shares, strict=True)
    ]


def _platt(examples: Sequence[Example], kind: PageKind, model: Model) -> tuple[float, float]:
    """Slope and offset that turn margins into probabilities, from sites that the margins were not fitted on."""
    from sklearn.linear_model import LogisticRegression

    margins = _foreign_margins(examples, kind) or [model.margin(example.vector) for example in examples]
    wanted = [example.type == kind for example in examples]
    logistic: Any = LogisticRegression(C=1.0)
    logistic.fit([[margin] for margin in margins], wanted, sample_weight=_shares(examples, kind))
    return float(logistic.coef_[0][0]), float(logistic.intercept_[0])


def _foreign_margins(examples: Sequence[Example], kind: PageKind) -> list[float]:
    sites = sorted({example.site for example in examples})
    folds = min(_CALIBRATION_FOLDS, len(sites))
    if folds < 2:
        return []
    fold_of = {site: number % folds for number, site in enumerate(sites)}
    margins = [0.0] * len(examples)
    for fold in range(folds):
        inside = [example for example in examples if fold_of[example.site] != fold]
        if len({example.type == kind for example in inside}) < 2:
            return []
        model = _svm(inside, kind)
        for at, example in enumerate(examples):
            if fold_of[example.site] == fold:
                margins[at] = model.margin(example.vector)
    return margins
