"""The figures that Wang et al. judge links and pages by: coverage, informativeness and connectivity."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import log


def coverage(retrieved: int, unique: int) -> float:
    """Equation 1: the share of the unique pages that is retrieved."""
    return retrieved / unique if unique else 0.0


def informativeness(sizes: Sequence[int]) -> float:
    """Equation 2: the entropy of the duplicates' groups, 0 where all pages are alike and 1 where no two are.

    `sizes` are the pages in each group of duplicates. The paper leaves open what a single page is worth: it is a
    duplicate of nothing, so 1; and no page at all says nothing, so 0.
    """
    pages = sum(sizes)
    if pages <= 1:
        return float(pages)
    return -sum(size / pages * log(size / pages) for size in sizes) / log(pages) + 0.0


def connectivity(edges: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Equation 3: of the pairs of pages with a path from A to B along one kind of link, the share with a way back.

    None where the links connect no pages. A page and itself are no pair.
    """
    ahead: dict[Hashable, set[Hashable]] = {}
    for source, target in edges:
        if source != target:
            ahead.setdefault(source, set()).add(target)
            ahead.setdefault(target, set())
    reached = {page: _reachable(page, ahead) for page in ahead}
    paths = sum(len(found) for found in reached.values())
    if not paths:
        return None
    return sum(page in reached[other] for page, found in reached.items() for other in found) / paths


def _reachable(page: Hashable, ahead: Mapping[Hashable, set[Hashable]]) -> set[Hashable]:
    found: set[Hashable] = set()
    waiting = [page]
    while waiting:
        new = ahead[waiting.pop()] - found
        found |= new
        waiting.extend(new)
    return found - {page}
