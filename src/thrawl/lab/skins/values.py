"""The values that skins take and give."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from thrawl.lab.skins.routes import SitePage
from thrawl.lab.world import Post, Thread, User, View
from thrawl.page.pagekind import PageKind

if TYPE_CHECKING:
    from thrawl.lab.skins.base import Skin


@dataclass(frozen=True, slots=True)
class PageTruth:
    """`canonical` is the page that shows the same in its proper form; `kind` is set on that page alone."""

    type: PageKind
    canonical: str | None = None
    kind: PageKind | None = None


@dataclass(frozen=True, slots=True)
class Layers:
    """Where a forum shows its changes; each is a switch for the refresh experiments."""

    feed: bool = True
    newest: bool = True
    entry_last: bool = True
    row_last: bool = True
    row_replies: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """What an index page can tell of one thread."""

    thread: Thread
    replies: int
    last: Post


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: str = ""
    content_type: str = "text/html"
    location: str | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """One request: the forum as of now, and the session that links must carry while no cookie came back."""

    skin: Skin
    view: View
    session: str = ""

    def to(self, what: str, id: int = 0, page: int = 1, *, key: str = "", form: str = "") -> str:
        """The address of a place, ready for an attribute."""
        return escape(self.path(SitePage(what, id, page, key, form)))

    def path(self, place: SitePage) -> str:
        return self.skin.with_session(self.skin.path(place, self.view), self.session)

    def link(self, what: str, id: int, text: str, css: str = "") -> str:
        """A link to a place, its text escaped."""
        look = f' class="{css}"' if css else ""
        return f'<a{look} href="{self.to(what, id)}">{escape(text)}</a>'

    def user(self, user: User, css: str = "") -> str:
        """A name that links to its owner's profile."""
        return self.link("user", user.id, user.name, css)


def redirect(location: str, status: int = 302) -> Answer:
    return Answer(status, "", location=location)
