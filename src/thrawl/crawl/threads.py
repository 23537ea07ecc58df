"""Stitching a thread's pages together: what a page alone cannot know.

The archive keeps each post once, by its identity, at the earliest page that shows it; so a first post that is
repeated on every page, and a post that moved while the thread was fetched, are one post. What is left to do here are
quotes of posts that stand on earlier pages, and threads that lost a post between two pages: when posts are deleted
during the crawl, the rest move up, and one of them may move from a page not yet fetched to one fetched before.
The row of the thread tells: it promised more posts than came.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from thrawl.archive import Archive
from thrawl.crawl.replies import Earlier, unresolved, with_replies
from thrawl.page.shown import PostRecord

_JUDGED: Final = 30  # threads whose rows were compared with their posts
_TRUSTED: Final = 0.9  # share of them that must agree before a row is believed


class Stitcher:
    """Completes the posts of a page by what the archive holds of its thread."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._agreed: deque[bool] = deque(maxlen=_JUDGED)

    def stitch(self, thread_url: str, page_number: int, posts: tuple[PostRecord, ...]) -> tuple[PostRecord, ...]:
        """The posts of a page, their quotes looked up on the thread's earlier pages too."""
        if page_number == 1 or not unresolved(posts):
            return posts
        thread = self._archive.thread(thread_url)
        if thread is None:
            return posts
        shown = {post.post_id for post in posts}
        stored = self._archive.posts(thread_id=thread.id)
        before = (Earlier.of(one.post_id, one.author, one.text) for one in stored if one.post_id not in shown)
        return with_replies(posts, [one for one in before if one is not None])

    def lacks_posts(self, thread_url: str) -> bool:
        """Whether a thread whose last page was just saved has fewer posts than its row promised.

        Believed only where the rows of nearly all recent threads were right: some sites count otherwise.
        """
        thread = self._archive.thread(thread_url)
        if thread is None or thread.replies is None:
            return False
        held = sum(1 for _ in self._archive.posts(thread_id=thread.id))
        believed = len(self._agreed) == _JUDGED and sum(self._agreed) >= _TRUSTED * _JUDGED
        self._agreed.append(held == thread.replies + 1)
        return believed and held < thread.replies + 1
