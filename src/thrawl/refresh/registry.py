"""The policies by their names: what `thrawl watch` runs on a site is what `thrawl simulate` runs on a timeline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thrawl.errors import UsageError
from thrawl.refresh.policies.layers import Layers
from thrawl.refresh.policies.listwise import ListWise, ListWiseBandwidth
from thrawl.refresh.policies.longevity import BoundBased, CurveFitting
from thrawl.refresh.policies.ours import Ours
from thrawl.refresh.policies.pagewise import FixedRate
from thrawl.refresh.policies.predicted import Predicted
from thrawl.refresh.policy import Policy
from thrawl.refresh.predictors.registry import MODELS, parse_models
from thrawl.refresh.predictors.words import WordReader

POLICIES: Final[dict[str, Callable[[], Policy]]] = {
    "fixed-rate": FixedRate,
    "bound-based": BoundBased,
    "curve-fitting": CurveFitting,
    "lws": ListWise,
    "lws+bc": ListWiseBandwidth,
    "layers": Layers,
    "ours": Ours,
}
BEST: Final = "ours"
SEED: Final = 0


def make_policy(name: str, predictor: str | None = None, *, once: bool = False) -> Policy:
    """A policy for a site. A predictor is for `ours`; only `ours` knows when a round is over."""
    if name not in POLICIES:
        raise UsageError(f"There is no policy {name!r}; there are {', '.join(POLICIES)}.")
    if name != BEST:
        if predictor is not None or once:
            raise UsageError(f"Only the policy {BEST!r} takes a predictor and makes rounds; leave {name!r} out.")
        return POLICIES[name]()
    if predictor is None:
        return Ours(once=once)
    model = MODELS[parse_models(predictor)[0]]
    return Predicted(model.make(WordReader(), SEED), once=once)
