"""The candidates of a `srcset` (HTML, section 4.8.4.2.1): addresses of one picture in several sizes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# An address may hold commas, but neither begins nor ends with one; the descriptor is its width or its density.
_CANDIDATE: Final = re.compile(r"[\s,]*([^\s,](?:\S*[^\s,])?)(?:\s+(\d+(?:\.\d+)?)[wxh])?[^,]*(?:,|$)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One address, and how large its picture is against the others."""

    url: str
    size: float


def candidates(srcset: str) -> tuple[Candidate, ...]:
    """The candidates in their order; one without a descriptor has the size 1."""
    return tuple(Candidate(found[1], float(found[2] or 1)) for found in _CANDIDATE.finditer(srcset))


def largest(srcset: str) -> str | None:
    """The address of the largest picture; the first of those that are alike."""
    found = candidates(srcset)
    return max(found, key=lambda one: one.size).url if found else None
