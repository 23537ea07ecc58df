"""The site's wrappers as a profile keeps them, and the general reader for pages that they do not fit."""

from __future__ import annotations

from datetime import datetime

from thrawl.learn.profile import Profile
from thrawl.page.reading import read_page
from thrawl.page.shown import PostRecord, ThreadRow
from thrawl.page.tree import Tree


class Wrappers:
    """Cuts the pages of one site. A wrapper that the profile lacks finds nothing."""

    def __init__(self, profile: Profile) -> None:
        self._posts = None
        self._rows = None
        self._page = None

    @property
    def cut_posts(self) -> bool:
        """Whether the site has a wrapper for posts at all."""
        return self._posts is not None

    def posts(self, tree: Tree, url: str, fetched: datetime) -> tuple[PostRecord, ...]:
        return ()

    def rows(self, tree: Tree, url: str, fetched: datetime) -> tuple[ThreadRow, ...]:
        return ()

    def title(self, tree: Tree, url: str) -> str | None:
        return tree.title or None

    def boards(self, tree: Tree, url: str) -> tuple[tuple[str, str | None], ...]:
        return ()


def general_posts(html: str, url: str, fetched: datetime) -> tuple[PostRecord, ...]:
    page = read_page(html, url)
    if page.main is None:
        return ()
    texts = [page.tree.text_of(record.start, record.end) for record in page.main.records]
    return tuple(PostRecord(None, None, None, None, None, None, None, text, text) for text in texts if text)
