"""The posts of the pages that learning fetched, cut by what was learned: each page once, for all that is asked of them.

Proof of threads, trees, letters and talk ask what pages say, who wrote it, and how many posts there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from thrawl.learn.sampler import Sampled
from thrawl.page.shown import PostRecord
from thrawl.profile.cutting import PostWrapper
from thrawl.profile.folding import fold
from thrawl.profile.profile import ListPattern, Profile


class CutPages:
    """Pages as their posts; none where no wrapper was learned."""

    def __init__(self, profile: Profile, pages: Sequence[Sampled]) -> None:
        self._wrapper = None if profile.post_wrapper is None else PostWrapper.from_json(profile.post_wrapper)
        self.pages = pages
        self._cut: dict[str, Sequence[PostRecord]] = {}
        self._said: dict[str, list[str]] = {}

    def posts(self, page: Sampled) -> Sequence[PostRecord]:
        if page.url not in self._cut:
            cut = self._wrapper.cut(page.page.tree, page.url, page.response.moment) if self._wrapper else None
            self._cut[page.url] = cut or ()
        return self._cut[page.url]

    def said(self, page: Sampled) -> list[str]:
        """What the posts of a page say, folded."""
        if page.url not in self._said:
            self._said[page.url] = [fold(post.text) for post in self.posts(page)]
        return self._said[page.url]

    def of(self, kind: ListPattern) -> list[Sampled]:
        """The pages of a kind."""
        return [page for page in self.pages if kind.pattern.match(page.url) is not None]
