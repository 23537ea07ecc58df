"""Every predictor by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from thrawl.errors import UsageError
from thrawl.refresh.predictors.baselines import MeanGap, OnePeriod, WindowMean
from thrawl.refresh.predictors.boosted import BoostedRate
from thrawl.refresh.predictors.exciting import SelfExciting
from thrawl.refresh.predictors.forecast import Predictor
from thrawl.refresh.predictors.linear import ListwiseLinear
from thrawl.refresh.predictors.sigmoid import ScaledSigmoid
from thrawl.refresh.predictors.svr import DiscountedSvr, WindowSvr
from thrawl.refresh.predictors.topics import Topics
from thrawl.refresh.predictors.windows import WindowShape
from thrawl.refresh.predictors.words import WordReader

WINDOW: Final = 5
LONG_WINDOW: Final = 15
VOCABULARY: Final = 15


@dataclass(frozen=True, slots=True)
class Model:
    """How a predictor is made: a reader of words may be shared, and a seed settles what is random."""

    make: Callable[[WordReader, int], Predictor]
    window: int | None = None


def _svr(**parts: bool | int) -> Callable[[WordReader, int], Predictor]:
    shape = WindowShape(
        window=int(parts.get("window", WINDOW)),
        vocabulary=int(parts.get("vocabulary", 0)),
        tf_idf=bool(parts.get("tf_idf", False)),
        tags=bool(parts.get("tags", False)),
    )
    return lambda reader, seed: WindowSvr(shape, reader=reader)


MODELS: Final[dict[str, Model]] = {
    "period": Model(lambda reader, seed: OnePeriod()),
    "mean": Model(lambda reader, seed: MeanGap()),
    "window": Model(lambda reader, seed: WindowMean(WINDOW), WINDOW),
    "window15": Model(lambda reader, seed: WindowMean(LONG_WINDOW), LONG_WINDOW),
    "linear": Model(lambda reader, seed: ListwiseLinear(), WINDOW),
    "svr": Model(_svr(), WINDOW),
    "svr-words": Model(_svr(vocabulary=VOCABULARY), WINDOW),
    "svr-tfidf": Model(_svr(vocabulary=VOCABULARY, tf_idf=True), WINDOW),
    "svr-tags": Model(_svr(tags=True), WINDOW),
    "discounted": Model(lambda reader, seed: DiscountedSvr(reader=reader), 1),
    "sigmoid": Model(lambda reader, seed: ScaledSigmoid(reader=reader), WINDOW),
    "exciting": Model(lambda reader, seed: SelfExciting()),
    "boosted": Model(lambda reader, seed: BoostedRate(seed=seed)),
    "boosted-words": Model(
        lambda reader, seed: BoostedRate(content=True, topics=Topics(reader=reader, seed=seed), seed=seed)
    ),
}


def parse_models(names: str) -> list[str]:
    chosen = list(dict.fromkeys(name.strip().lower() for name in names.split(",") if name.strip()))
    unknown = [name for name in chosen if name not in MODELS]
    if unknown or not chosen:
        raise UsageError(f"There is no predictor {', '.join(unknown) or names!r}; there are {', '.join(MODELS)}.")
    return chosen
