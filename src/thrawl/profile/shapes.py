"""One kind of post with its fields: where body, author, time and number stand in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from thrawl.profile.fields import AuthorField, NumberField
from thrawl.profile.kinds import Kind
from thrawl.profile.moments import TimeField
from thrawl.profile.places import Path, path_from_json, path_to_json


@dataclass(frozen=True, slots=True)
class PostShape:
    """How one kind of post is read. `anchored` if the post's number stands in an id that a fragment can point to.

    `edited` leads to a note of an edit outside of the body.
    """

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

    def to_json(self) -> dict[str, Any]:
        return {
            "record": self.kind.to_json(),
            "body": path_to_json(self.body),
            "authors": [field.to_json() for field in self.authors],
            "times": [field.to_json() for field in self.times],
            "number": None if self.number is None else self.number.to_json(),
            "link": None if self.link is None else path_to_json(self.link),
            "anchored": self.anchored,
            "edited": None if self.edited is None else path_to_json(self.edited),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PostShape:
        number, link, edited = data["number"], data["link"], data.get("edited")
        return cls(
            Kind.from_json(data["record"]),
            path_from_json(data["body"]),
            tuple(map(AuthorField.from_json, data["authors"])),
            tuple(map(TimeField.from_json, data["times"])),
            None if number is None else NumberField.from_json(number),
            None if link is None else path_from_json(link),
            bool(data["anchored"]),
            None if edited is None else path_from_json(edited),
        )
