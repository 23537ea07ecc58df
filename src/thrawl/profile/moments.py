"""Where a record shows its time, and how it is read there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from thrawl.page.timeattributes import read_attributes
from thrawl.page.timeformat import ReadTime, TimeFormat
from thrawl.page.timescan import scan
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.nodes import text_at
from thrawl.profile.places import NOWHERE, Path, follow
from thrawl.profile.written import Written

_LONGEST_LINE: Final = 120  # characters around a time
_VAGUE: Final = frozenset({"hour", "day", "month", "year"})  # "3 hours ago"


@dataclass(frozen=True, slots=True)
class TimeField(Written):
    """Where a record's time stands. `exact` leads to the element whose attributes name the instant, if any does.

    `alone` if the place shows nothing but the time.
    """

    path: Path
    exact: Path | None = None
    alone: bool = True

    def read(self, tree: Tree, parts: Sequence[int], form: TimeFormat, fetched: datetime) -> ReadTime | None:
        """The time of a record, or None if it does not show one here."""
        node, alone = self._node(tree, parts, form)
        if node == NOWHERE:
            return None
        words = text_at(tree, node)
        attributes = None
        if self.exact is not None and (marked := follow(tree, parts, self.exact)) != NOWHERE:
            attributes = tree.attributes[marked]
        read = form.read(words, attributes, fetched)
        if attributes is None and read.precision in _VAGUE and (inside := _attributes_inside(tree, node)):
            read = form.read(words, inside, fetched)
        if read.value is None and not attributes and not scan(words):
            return None
        return read if alone else replace(read, text=form.shown_in(words))

    def _node(self, tree: Tree, parts: Sequence[int], form: TimeFormat) -> tuple[int, bool]:
        """Where the time stands, and whether alone. A text may lack the day, which is written in another hand if it is
        today or yesterday: then the line around it is read."""
        node = follow(tree, parts, self.path)
        if len(self.path) < 2 or self.path[-1].tag != TEXT or (node != NOWHERE and form.says_day(text_at(tree, node))):
            return node, self.alone
        around = follow(tree, parts, self.path[:-1])
        is_line = around != NOWHERE and len(text_at(tree, around)) <= _LONGEST_LINE
        return (around, False) if is_line else (node, self.alone)


def _attributes_inside(tree: Tree, node: int) -> Mapping[str, str] | None:
    """Those that say a time, of the first element here that has any: some sites add them to recent times alone."""
    return next((found for found in tree.attributes[node : tree.ends[node]] if found and read_attributes(found)), None)
