"""What a request asks for, read from its address: numbers that may be anything, and parts of an archive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request

from thrawl.archive.selection import Selection, moment
from thrawl.errors import ThrawlError

_MOST_DIGITS: Final = 12  # more are no number of anything here
MOST_ROWS: Final = 500  # of one answer of the API


def number_of(request: Request, name: str, default: int, *, least: int = 0, most: int | None = None) -> int:
    """A number of the address; one that is none, or out of bounds, is no address of a page."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise HTTPException(404, f"{name} is no number")
    value = int(text)
    if value < least:
        raise HTTPException(404, f"{name} begins at {least}")
    return value if most is None else min(value, most)


def require_id(request: Request) -> None:
    """An id in the address is one that a database can hold."""
    if request.path_params.get("id", 0) >= 10**_MOST_DIGITS:
        raise HTTPException(404, "there is nothing of that number")


@dataclass(frozen=True, slots=True)
class Asked:
    """The words and filters of a search as they were written."""

    q: str
    board: str
    author: str
    since: str
    before: str

    def selection(self) -> Selection:
        """The part of the archive that is asked for; raises a ThrawlError that says what is wrong with it."""
        since, before = (moment(text) if text else None for text in (self.since, self.before))
        return Selection(None, self.board or None, self.author or None, since, before)

    def query(self, page: int) -> str:
        """The same question for another page."""
        fields = (("q", self.q), ("board", self.board), ("author", self.author), ("since", self.since))
        given = [(name, value) for name, value in (*fields, ("before", self.before)) if value]
        return urlencode([*given, ("page", str(page))])


def asked_in(request: Request) -> Asked:
    given = request.query_params
    return Asked(*(given.get(name, "").strip() for name in ("q", "board", "author", "since", "before")))


def bad_request(error: ThrawlError) -> HTTPException:
    return HTTPException(400, str(error))
