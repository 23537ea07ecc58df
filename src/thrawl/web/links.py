"""Where the links of a page lead: to files beside it in an exported folder, or to addresses of the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from thrawl.archive.browse import PostPlace
from thrawl.archive.mediatypes import ending_of

POSTS_A_PAGE: Final = 50
THREADS_A_PAGE: Final = 100
_FILES_A_FOLDER: Final = 1000  # more than some thousand files make a folder slow to open


class Links(Protocol):
    """The addresses of all that a page can link."""

    @property
    def is_static(self) -> bool: ...

    def home(self) -> str: ...

    def search(self) -> str: ...

    def board(self, board_id: int, page: int = 1) -> str: ...

    def thread(self, thread_id: int, page: int = 1, post: int | None = None) -> str: ...

    def media(self, digest: str, kind: str | None) -> str: ...

    def asset(self, name: str) -> str: ...


def post_link(links: Links, place: PostPlace) -> str:
    """The address of a post within its thread."""
    return links.thread(place.thread_id, place.before // POSTS_A_PAGE + 1, place.id)


def board_path(board_id: int, page: int = 1) -> str:
    """Where a page of a board stands, from the folder's top."""
    return f"boards/{board_id}{_suffix(page)}.html"


def thread_path(thread_id: int, page: int = 1) -> str:
    """Where a page of a thread stands, from the folder's top."""
    return f"threads/{thread_id // _FILES_A_FOLDER}/{thread_id}{_suffix(page)}.html"


def media_path(digest: str, kind: str | None) -> str:
    """Where a file stands; its ending says what it is to programs that go by endings, and never that it is a page."""
    return f"media/{digest[:2]}/{digest}.{ending_of(kind)}"


def _suffix(page: int) -> str:
    return "" if page == 1 else f"-{page}"


def _fragment(post: int | None) -> str:
    return "" if post is None else f"#p{post}"


@dataclass(frozen=True, slots=True)
class StaticLinks:
    """Links of a page in a folder; `up` leads from it to the folder's top."""

    up: str = ""
    is_static: bool = True

    def home(self) -> str:
        return f"{self.up}index.html"

    def search(self) -> str:
        return f"{self.up}search.html"

    def board(self, board_id: int, page: int = 1) -> str:
        return self.up + board_path(board_id, page)

    def thread(self, thread_id: int, page: int = 1, post: int | None = None) -> str:
        return self.up + thread_path(thread_id, page) + _fragment(post)

    def media(self, digest: str, kind: str | None) -> str:
        return self.up + media_path(digest, kind)

    def asset(self, name: str) -> str:
        return f"{self.up}assets/{name}"


@dataclass(frozen=True, slots=True)
class ServedLinks:
    """Links of a page that is served; `base` is the archive's own part of the address."""

    base: str
    is_static: bool = False

    def home(self) -> str:
        return f"{self.base}/"

    def search(self) -> str:
        return f"{self.base}/search"

    def board(self, board_id: int, page: int = 1) -> str:
        return f"{self.base}/board/{board_id}{_query(page)}"

    def thread(self, thread_id: int, page: int = 1, post: int | None = None) -> str:
        return f"{self.base}/thread/{thread_id}{_query(page)}{_fragment(post)}"

    def media(self, digest: str, kind: str | None) -> str:
        return f"{self.base}/media/{digest}"

    def asset(self, name: str) -> str:
        return f"/assets/{name}"


def _query(page: int) -> str:
    return "" if page == 1 else f"?page={page}"
