"""The site's wrappers as a profile keeps them, and the general reader for pages that they do not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, TypeVar

from thrawl.page.shown import PostRecord, ThreadRow
from thrawl.page.timeformat import TimeFormat
from thrawl.page.tree import Tree
from thrawl.profile.cutting import PostWrapper
from thrawl.profile.folding import fold
from thrawl.profile.heading import PageWrapper
from thrawl.profile.profile import Profile
from thrawl.profile.rows import RowWrapper

Wrapper = TypeVar("Wrapper")

_HEADINGS: Final = ("h1", "h2", "h3")


class Wrappers:
    """Cuts the pages of one site. A wrapper that the profile lacks finds nothing.

    So does one that cannot be read, edited by hand or written by another version: its pages then do not fit, and
    the site is learned again.
    """

    def __init__(self, profile: Profile) -> None:
        self._posts = _loaded(PostWrapper.from_json, profile.post_wrapper)
        self._rows = _loaded(RowWrapper.from_json, profile.row_wrapper)
        self._page = _loaded(PageWrapper.from_json, profile.page_wrapper)
        self.cut_posts = profile.post_wrapper is not None
        """Whether the site has a wrapper for posts at all."""

    @property
    def times(self) -> tuple[TimeFormat, ...]:
        """How the site's times are read: in rows, in posts."""
        return tuple(one.times for one in (self._rows, self._posts) if one is not None)

    @property
    def shows_boards(self) -> bool:
        """Whether thread pages tell which boards they belong to."""
        return self._page is not None and bool(self._page.crumbs)

    def posts(self, tree: Tree, url: str, fetched: datetime) -> tuple[PostRecord, ...]:
        found = self._posts.cut(tree, url, fetched) if self._posts is not None else None
        return tuple(post for post in found or () if not post.is_blank)

    def rows(self, tree: Tree, url: str, fetched: datetime) -> tuple[ThreadRow, ...]:
        return self._rows.cut(tree, url, fetched) if self._rows is not None else ()

    def title(self, tree: Tree, url: str) -> str | None:
        return self._page.title(tree, url) if self._page is not None else general_title(tree)

    def boards(
        self, tree: Tree, url: str, title: str | None, plain: Callable[[str], str]
    ) -> tuple[tuple[str, str | None], ...]:
        return self._page.boards_above(tree, url, title, plain) if self._page is not None else ()


def _loaded(load: Callable[[Mapping[str, Any]], Wrapper], data: Mapping[str, Any] | None) -> Wrapper | None:
    if not data:
        return None
    try:
        return load(data)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, re.error):
        return None


def general_posts(tree: Tree, url: str, fetched: datetime, doubtful: bool) -> tuple[PostRecord, ...]:
    """The posts of a page that no wrapper fits, as well as it alone can tell.

    A page that is `doubtful`, as it does not fit its site's wrapper, has none unless one is plain to see; of a page of
    which nothing else is known, whatever is said by somebody or at some time is told.
    """
    # All that learns wrappers, which pages that fit never need: a worker starts in half the time without it.
    from thrawl.learn.wrappers.general import read_posts

    posts = read_posts(tree, url, fetched)
    told = ((post.author, post.published_text) for post in posts)
    return posts if any(all(pair) if doubtful else any(pair) for pair in told) else ()


def general_title(tree: Tree) -> str | None:
    """What a heading of the page and its `<title>` share: the title without the site's name around it."""
    whole = fold(tree.title)
    headings = (tree.text(node) for node, tag in enumerate(tree.tags) if tag in _HEADINGS)
    shared = [heading for heading in headings if fold(heading) and fold(heading) in whole]
    return max(shared, key=len, default=None) or tree.title or None
