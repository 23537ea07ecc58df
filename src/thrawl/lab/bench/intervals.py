"""Whether one strategy is better than another over all sites: the mean difference, and how sure it is.

The difference is taken site by site, so that hard sites do not hide it, and sites are drawn again and again with
replacement (the bootstrap): the interval holds the mean in 95 % of the draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy

_DRAWS: Final = 10_000
_LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Paired:
    """How much better the first of two is on average, between which bounds, and on which sites it is worse."""

    better: str
    worse: str
    mean: float
    low: float
    high: float
    sites: int
    against: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether the first is at least as good as the second, on average."""
        return self.mean >= 0

    @property
    def is_sure(self) -> bool:
        """Whether the interval leaves no doubt about the sign."""
        return self.low > 0 or self.high < 0


def paired(
    better: str, worse: str, first: Mapping[str, float], second: Mapping[str, float], seed: int
) -> Paired | None:
    """Compare two strategies on the sites that both have a figure for; None where there are none."""
    sites = [site for site in first if site in second]
    if not sites:
        return None
    differences = numpy.array([first[site] - second[site] for site in sites])
    drawn = numpy.random.default_rng(seed).integers(0, len(sites), (_DRAWS, len(sites)))
    means = differences[drawn].mean(axis=1)
    low, high = numpy.quantile(means, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    against = tuple(site for site, one in zip(sites, differences, strict=True) if one < 0)
    return Paired(better, worse, float(differences.mean()), float(low), float(high), len(sites), against)
