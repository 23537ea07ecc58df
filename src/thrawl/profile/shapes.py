"""One kind of post with its fields: where body, author, time and number stand in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from thrawl.profile.fields import AuthorField, NumberField
from thrawl.profile.kinds import Kind
from thrawl.profile.moments import TimeField
from thrawl.profile.places import Path
from thrawl.profile.written import Written


@dataclass(frozen=True, slots=True)
class PostShape(Written):
    """How one kind of post is read. `anchored` if the post's number stands in an id that a fragment can point to.

    `edited` leads to a note of an edit outside of the body.
    """

    WRITTEN: ClassVar[Mapping[str, str]] = {"kind": "record"}

    kind: Kind
    body: Path
    authors: tuple[AuthorField, ...] = ()
    times: tuple[TimeField, ...] = ()
    number: NumberField | None = None
    link: Path | None = None
    anchored: bool = False
    edited: Path | None = None

    @property
    def is_bare(self) -> bool:
        """Whether posts of this kind name neither their author nor their time."""
        return not self.authors and not self.times
