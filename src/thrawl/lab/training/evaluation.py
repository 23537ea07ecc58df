"""How well the classifiers do on sites that they were not trained on (section 5.2.1 and Table 2 of FoCUS).

For each number of training sites, several draws; every other site is the test. Pages that show several records and
pages that show one are counted apart: with one record nothing repeats within the page. Beyond the paper, each page is
also judged together with a few neighbours of its template (found without asking for types), and groups of pages that
share the form of their address by vote, as the learner does with the destinations of a link group.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, pstdev
from typing import Final, Literal

from thrawl.errors import InputError
from thrawl.lab.training.training import Example, train
from thrawl.learn.classifier import CLASSIFIED, PageClassifier, verdict
from thrawl.learn.together import Sight, neighbours
from thrawl.page.pagekind import PageKind
from thrawl.page.users import address_form

Shown = Literal["several", "one", "several among", "one among", "vote"]
SHOWN: Final[tuple[Shown, ...]] = ("several", "one", "several among", "one among", "vote")
Neighbours = dict[int, list[Sight]]
_ENOUGH_TO_TRAIN: Final = 5
_SMALLEST_GROUP: Final = 3
_LARGEST_GROUP: Final = 8
_TYPES: Final[tuple[PageKind, ...]] = (PageKind.INDEX, PageKind.THREAD)


@dataclass(frozen=True, slots=True)
class Measure:
    """Precision and recall of one type in one draw; `n` is the number of pages (or groups) of that type."""

    train_sites: int
    draw: int
    type: PageKind
    shown: Shown
    precision: float
    recall: float
    n: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The means and deviations of the draws with one number of training sites: a line of Table 2."""

    train_sites: int
    type: PageKind
    shown: Shown
    precision: float
    precision_deviation: float
    recall: float
    recall_deviation: float


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer and the truth."""

    truth: PageKind
    answer: PageKind
    shown: Shown


def evaluate(examples: Sequence[Example], sizes: Iterable[int], draws: int, seed: int) -> list[Measure]:
    """Train on drawn sites, test on all others, for each number of training sites."""
    able = trainable_sites(examples)
    if len(able) < 2:
        raise InputError("an evaluation needs two annotated forums or more with pages of every type")
    chosen = random.Random(seed)
    among = _neighbours(examples)
    found: list[Measure] = []
    for size in sizes:
        if size >= len(able):
            continue
        for draw in range(draws):
            sites = set(chosen.sample(able, size))
            classifier = train([example for example in examples if example.site in sites])
            tested = [example for example in examples if example.site not in sites]
            judged = list(_judge(classifier, tested, among))
            found.extend(_measures(judged, size, draw))
    return found


def trainable_sites(examples: Sequence[Example]) -> list[str]:
    """The sites with enough pages of every type to learn from."""
    counts = Counter((example.site, example.type) for example in examples)
    sites = sorted({example.site for example in examples})
    return [site for site in sites if all(counts[site, kind] >= _ENOUGH_TO_TRAIN for kind in CLASSIFIED)]


def _judge(classifier: PageClassifier, examples: Sequence[Example], among: Neighbours) -> Iterator[Judged]:
    for example in examples:
        alone = verdict(*classifier.probabilities(example.sight.features)).type
        yield Judged(example.type, alone, "one" if example.is_single else "several")
        together = classifier.vote([example.sight, *among[id(example)]]).type
        yield Judged(example.type, together, "one among" if example.is_single else "several among")
    for kind, group in _groups(examples):
        yield Judged(kind, classifier.vote([one.sight for one in group]).type, "vote")


def _neighbours(examples: Sequence[Example]) -> Neighbours:
    """The neighbours of each page among the pages of its site, whatever their types."""
    sites: dict[str, list[Sight]] = defaultdict(list)
    for example in examples:
        sites[example.site].append(example.sight)
    return {id(example): neighbours(example.sight, sites[example.site]) for example in examples}


def _groups(examples: Sequence[Example]) -> Iterator[tuple[PageKind, list[Example]]]:
    """Pages of one site and type whose addresses have one form."""
    groups: dict[tuple[str, PageKind, str], list[Example]] = defaultdict(list)
    for example in examples:
        groups[example.site, example.type, address_form(example.sight.url)].append(example)
    for (_, kind, _), group in sorted(groups.items()):
        if len(group) >= _SMALLEST_GROUP:
            yield kind, group[:_LARGEST_GROUP]


def _measures(judged: Sequence[Judged], size: int, draw: int) -> Iterator[Measure]:
    for shown in SHOWN:
        inside = [one for one in judged if one.shown == shown]
        for kind in _TYPES:
            true = sum(one.truth == kind for one in inside)
            given = sum(one.answer == kind for one in inside)
            right = sum(one.truth == one.answer == kind for one in inside)
            if true:
                yield Measure(size, draw, kind, shown, right / max(1, given), right / true, true)


def summarise(measures: Sequence[Measure]) -> list[Summary]:
    """Means and deviations over the draws."""
    groups: dict[tuple[int, PageKind, Shown], list[Measure]] = defaultdict(list)
    for measure in measures:
        groups[measure.train_sites, measure.type, measure.shown].append(measure)
    return [_summary(*key, found) for key, found in groups.items()]


def _summary(train_sites: int, kind: PageKind, shown: Shown, found: Sequence[Measure]) -> Summary:
    precisions = [measure.precision for measure in found]
    recalls = [measure.recall for measure in found]
    return Summary(train_sites, kind, shown, mean(precisions), pstdev(precisions), mean(recalls), pstdev(recalls))
