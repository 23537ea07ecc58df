"""The site's wrappers as a profile keeps them, and the general reader for pages that they do not fit."""

from __future__ import annotations

from datetime import datetime

from thrawl.learn.profile import Profile
from thrawl.learn.wrappers.general import read_posts
from thrawl.learn.wrappers.posts import PostWrapper
from thrawl.learn.wrappers.rows import RowWrapper
from thrawl.page.reading import read_page
from thrawl.page.shown import PostRecord, ThreadRow
from thrawl.page.tree import Tree


class Wrappers:
    """Cuts the pages of one site. A wrapper that the profile lacks finds nothing."""

    def __init__(self, profile: Profile) -> None:
        self._posts = PostWrapper.from_json(profile.post_wrapper) if profile.post_wrapper else None
        self._rows = RowWrapper.from_json(profile.row_wrapper) if profile.row_wrapper else None
        self._page = None

    @property
    def cut_posts(self) -> bool:
        """Whether the site has a wrapper for posts at all."""
        return self._posts is not None

    def posts(self, tree: Tree, url: str, fetched: datetime) -> tuple[PostRecord, ...]:
        return (self._posts.cut(tree, url, fetched) or ()) if self._posts is not None else ()

    def rows(self, tree: Tree, url: str, fetched: datetime) -> tuple[ThreadRow, ...]:
        return self._rows.cut(tree, url, fetched) if self._rows is not None else ()

    def title(self, tree: Tree, url: str) -> str | None:
        return tree.title or None

    def boards(self, tree: Tree, url: str) -> tuple[tuple[str, str | None], ...]:
        return ()


def general_posts(html: str, url: str, fetched: datetime) -> tuple[PostRecord, ...]:
    """The posts of a page that no wrapper fits, as well as it alone can tell; none unless one is plain to see."""
    posts = read_posts(read_page(html, url), fetched)
    return posts if any(post.author and post.published_text for post in posts) else ()
