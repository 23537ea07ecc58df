"""The strategies by their names, as `--strategy` takes them; `thrawl` itself is none of them."""

from __future__ import annotations

from typing import Final

from thrawl.errors import UsageError
from thrawl.lab.rivals.focus.learner import Focus
from thrawl.lab.rivals.generic import Generic
from thrawl.lab.rivals.irobot import IRobot
from thrawl.lab.rivals.sampling import SAMPLE
from thrawl.lab.rivals.skeleton import Skeleton
from thrawl.lab.rivals.structure import Structure
from thrawl.lab.rivals.way import Strategy

THRAWL: Final = "thrawl"
RIVALS: Final = ("focus", "skeleton", "irobot", "structure", "generic")
STRATEGIES: Final = (THRAWL, *RIVALS)
"""In the order that the papers give them, the best first."""


def strategy_named(name: str, *, seed: int = 1, sample: int = SAMPLE) -> Strategy:
    """A rival. Raises UsageError for a name that none has."""
    match name:
        case "generic":
            return Generic()
        case "irobot":
            return IRobot(sample, seed)
        case "skeleton":
            return Skeleton(sample, seed)
        case "focus":
            return Focus(seed)
        case "structure":
            return Structure(sample, seed)
    raise UsageError(f"there is no strategy '{name}'; choose one of {', '.join(STRATEGIES)}.")
