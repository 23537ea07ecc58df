"""What the records of a page say, field by field: the values that a wrapper gives and an archive keeps.

A field that the page does not show is None, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of somebody else inside a post."""

    author: str | None
    text: str
    post_id: str | None = None


@dataclass(frozen=True, slots=True)
class PostRecord:
    """One post as a thread page shows it. `depth` is its nesting below the thread's first post, where shown."""

    post_id: str | None
    post_url: str | None
    author: str | None
    author_url: str | None
    published: datetime | None
    published_text: str | None
    edited: datetime | None
    text: str
    html: str
    quotes: tuple[Quote, ...] = ()
    reply_to: str | None = None
    depth: int | None = None

    @property
    def is_blank(self) -> bool:
        """Whether it is by nobody and says nothing: the form of a post, kept on the page for its scripts to fill in."""
        return not (self.author or self.text or self.html or self.quotes)


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """One thread as a row of an index page shows it."""

    title: str
    url: str
    replies: int | None = None
    views: int | None = None
    author: str | None = None
    last_time: datetime | None = None
    last_time_text: str | None = None
    last_author: str | None = None
    sticky: bool = False
