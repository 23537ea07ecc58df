"""From the records that `page/` found on each page to kinds that hold on all of them.

Records of one template look alike: they share a label, or the outline of their upper levels. Each such cluster, over
all pages of the sample, becomes a kind: the posts, the question above them, the comments inside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from thrawl.learn.wrappers.candidates import Roots, kind_of, marked
from thrawl.learn.wrappers.sample import Sample
from thrawl.page.records import Record
from thrawl.page.shape import look
from thrawl.page.tree import TEXT
from thrawl.profile.kinds import Kind

_ALIKE: Final = 0.6  # of the label paths of two records of one template; what users wrote makes the rest
_LONGEST: Final = 12  # roots of a record; `page/` joins no more rows


@dataclass(slots=True)
class Cluster:
    """Records that look alike, each with its page."""

    records: list[tuple[Sample, Record]] = field(default_factory=list)

    @property
    def pages(self) -> int:
        return len({id(sample) for sample, _ in self.records})


def clusters_of(samples: Sequence[Sample]) -> list[Cluster]:
    """The records of all pages by their looks, the largest cluster first."""
    found: dict[tuple[str, bool, str], Cluster] = {}
    leaders: list[tuple[tuple[str, bool], Sample, int, Cluster]] = []
    for sample in samples:
        for record in sample.records:
            root = record.parts[0]
            form = (sample.tree.tags[root], len(record.parts) > 1)
            label = (*form, sample.shapes.labels[root])
            if label not in found:
                alike = (
                    cluster
                    for known, page, node, cluster in leaders
                    if known == form and _likeness(page, node, sample, root) >= _ALIKE
                )
                cluster = next(alike, None) or Cluster()
                if not cluster.records:
                    leaders.append((form, sample, root, cluster))
                found[label] = cluster
            found[label].records.append((sample, record))
    return sorted({id(one): one for one in found.values()}.values(), key=lambda one: -len(one.records))


def _likeness(page: Sample, node: int, other: Sample, root: int) -> float:
    first, second = page.shapes.outline(node), other.shapes.outline(root)
    shared = len(first & second)
    return shared / (len(first) + len(second) - shared)


def kind_of_cluster(cluster: Cluster) -> Kind | None:
    """The kind that cuts the cluster's records most exactly; None if none of their roots can be known again."""
    kinds = list(_kinds(cluster))
    return max(kinds, key=lambda kind: exactness(kind, cluster), default=None)


def exactness(kind: Kind, cluster: Cluster) -> float:
    """How well the records that a kind cuts are those of the cluster, as F1 of their ranges."""
    pages = {id(sample): sample for sample, _ in cluster.records}
    wanted = {(id(sample), record.start, record.end) for sample, record in cluster.records}
    got = {(number, cut.start, cut.end) for number, sample in pages.items() for cut in sample.cut(kind)}
    return 2 * len(wanted & got) / max(1, len(wanted) + len(got))


def _kinds(cluster: Cluster) -> Iterator[Kind]:
    """The kinds that any of the records' roots could be known by, with the rows around it; or all that follows it."""
    size = Counter(len(record.parts) for _, record in cluster.records).most_common(1)[0][0]
    usual = [(sample, record.parts) for sample, record in cluster.records if len(record.parts) == size]
    loose = any(sample.tree.tags[part] == TEXT for sample, parts in usual for part in parts)
    for before in range(0 if loose else min(size, _LONGEST)):
        roots: Roots = [(sample, parts[before]) for sample, parts in usual]
        yield replace(marked(kind_of(roots), roots), before=before, after=size - 1 - before)
    first: Roots = [(sample, record.parts[0]) for sample, record in cluster.records]
    if size > 1 and all(sample.tree.tags[node] != TEXT for sample, node in first):
        yield replace(marked(kind_of(first), first), kin=_kin(cluster))


def _kin(cluster: Cluster) -> frozenset[str]:
    """The looks of what follows the first roots of these records."""
    return frozenset(look(sample.tree, part) for sample, record in cluster.records for part in record.parts[1:])
