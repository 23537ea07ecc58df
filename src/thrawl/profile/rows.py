"""The row wrapper: how one site's index pages are cut into thread rows. `learnrows` learns it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Final

from thrawl.page.links import Resolver, resolver_of
from thrawl.page.shown import ThreadRow
from thrawl.page.timeformat import ReadTime, TimeFormat
from thrawl.page.tree import Tree
from thrawl.profile.fields import AuthorField, CountField
from thrawl.profile.kinds import Cut, Kind
from thrawl.profile.moments import TimeField
from thrawl.profile.nodes import text_at
from thrawl.profile.places import NOWHERE, Path, classes_of, follow
from thrawl.profile.written import Written

_LONGEST_MARK: Final = 40  # characters of a title that may mark a row


@dataclass(frozen=True, slots=True)
class RowWrapper(Written):
    """What a thread row looks like and where its fields stand. `sticky` are marks that only pinned rows have."""

    WRITTEN: ClassVar[Mapping[str, str]] = {"kind": "record"}

    kind: Kind
    titles: tuple[Path, ...]
    replies: CountField | None = None
    views: CountField | None = None
    author: AuthorField | None = None
    last_author: AuthorField | None = None
    last_time: tuple[TimeField, ...] = ()
    sticky: frozenset[str] = frozenset()
    times: TimeFormat = field(default_factory=TimeFormat)
    confidence: float = 0.0

    def cut(self, tree: Tree, url: str, fetched: datetime) -> tuple[ThreadRow, ...]:
        """The thread rows of an index page in its order; none if the page shows none."""
        links = resolver_of(tree, url)
        rows = (self._row(tree, cut, links, fetched) for cut in self.kind.cut(tree))
        return tuple(row for row in rows if row is not None)

    def _row(self, tree: Tree, cut: Cut, links: Resolver, fetched: datetime) -> ThreadRow | None:
        link = self._title(tree, cut)
        resolved = links.resolve(tree.attributes[link].get("href", "")) if link != NOWHERE else None
        if resolved is None:
            return None
        time = self._time(tree, cut, fetched)
        return ThreadRow(
            title=tree.text(link),
            url=resolved[0],
            replies=self.replies.read(tree, cut.parts) if self.replies else None,
            views=self.views.read(tree, cut.parts) if self.views else None,
            author=name_at(tree, cut, self.author),
            last_time=time.told if time else None,
            last_time_text=time.text if time else None,
            last_author=name_at(tree, cut, self.last_author),
            sticky=bool(self.sticky) and not self.sticky.isdisjoint(marks_of(tree, cut)),
        )

    def _title(self, tree: Tree, cut: Cut) -> int:
        nodes = (follow(tree, cut.parts, path) for path in self.titles)
        return next((node for node in nodes if node != NOWHERE and tree.text(node)), NOWHERE)

    def _time(self, tree: Tree, cut: Cut, fetched: datetime) -> ReadTime | None:
        reads = (way.read(tree, cut.parts, self.times, fetched) for way in self.last_time)
        return next((read for read in reads if read is not None), None)


def name_at(tree: Tree, cut: Cut, field: AuthorField | None) -> str | None:
    """The name that a row shows in a field."""
    node = follow(tree, cut.parts, field.path) if field is not None else NOWHERE
    if field is None or node == NOWHERE:
        return None
    return field.strip(text_at(tree, node)) or None


def _is_mark(title: str) -> bool:
    """Whether a title may be the same on many rows: one with a number in it is a time or a count."""
    return len(title) < _LONGEST_MARK and not any(map(str.isdigit, title))


def marks_of(tree: Tree, cut: Cut) -> set[str]:
    """What may mark a row as special: its classes, and the names of its images."""
    found: set[str] = set()
    for node in range(cut.start, cut.end):
        attributes = tree.attributes[node]
        if "class" in attributes:
            found.update(f".{name}" for name in classes_of(tree, node))
        if tree.tags[node] == "img":
            found.update(f"{key}={attributes[key]}" for key in ("src", "alt", "title") if attributes.get(key))
        elif "title" in attributes and _is_mark(attributes["title"]):
            found.add(f"title={attributes['title']}")
    return found
