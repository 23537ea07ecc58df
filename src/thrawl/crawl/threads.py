"""Stitching a thread's pages together: what a page alone cannot know.

The archive keeps each post once, by its identity, at the earliest page that shows it; so a first post that is
repeated on every page, and a post that moved while the thread was fetched, are one post. What is left to do here are
quotes of posts that stand on earlier pages, ids that are no post's own, the head of the first post that later pages
repeat without its words, and threads that lost a post between two pages:
when posts are deleted during the crawl, the rest move up, and one of them may move from a page not yet fetched to one
fetched before. The row of the thread tells: it promised more posts than came.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.identity import identities
from thrawl.archive.values import StoredPost
from thrawl.crawl.replies import Earlier, unresolved, with_replies
from thrawl.page.shown import PostRecord

_JUDGED: Final = 30  # threads whose rows were compared with their posts
_TRUSTED: Final = 0.9  # share of them that must agree before a row is believed
_REMEMBERED: Final = 20_000  # posts of threads under way; some 20 MB

Known = dict[str, Earlier | None]


class Stitcher:
    """Completes the posts of a page by what is known of its thread: remembered, or read from the archive."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._agreed: deque[bool] = deque(maxlen=_JUDGED)
        self._threads: OrderedDict[str, Known] = OrderedDict()
        self._remembered = 0

    def stitch(self, thread_url: str, page_number: int, posts: tuple[PostRecord, ...]) -> tuple[PostRecord, ...]:
        """The posts of a page of a thread of several, their quotes looked up on the earlier pages too."""
        if page_number > 1 and _is_bare(posts):
            first = next(self._stored(thread_url), None)
            posts = posts[1:] if first is not None and _is_head_of(posts[0], first) else posts
        known = self._known(thread_url, page_number)
        posts = _without_shared_ids(posts, known)
        if page_number > 1 and unresolved(posts):
            shown = {post.post_id for post in posts}
            posts = with_replies(posts, [one for one in known.values() if one is not None and one.post_id not in shown])
        self._remember(known, posts)
        return posts

    def reads(self, thread_url: str, page_number: int, posts: Sequence[PostRecord]) -> bool:
        """Whether the archive is asked for what earlier pages of a thread held."""
        return page_number > 1 and (thread_url not in self._threads or _is_bare(posts))

    def lacks_posts(self, thread_url: str, page_number: int) -> bool:
        """Whether a thread whose last page was just read has fewer posts than its row promised.

        Believed only where the rows of nearly all recent threads were right: some sites count otherwise.
        """
        replies = self._archive.promised_replies(thread_url)
        if replies is None:
            return False
        held = len(self._known(thread_url, page_number))
        believed = len(self._agreed) == _JUDGED and sum(self._agreed) >= _TRUSTED * _JUDGED
        self._agreed.append(held == replies + 1)
        return believed and held < replies + 1

    def _known(self, thread_url: str, page_number: int) -> Known:
        known = self._threads.get(thread_url)
        if known is None:
            known = self._threads[thread_url] = self._read(thread_url) if page_number > 1 else {}
            self._remembered += len(known)
        self._threads.move_to_end(thread_url)
        return known

    def _remember(self, known: Known, posts: Sequence[PostRecord]) -> None:
        before = len(known)
        for identity, post in zip(identities(posts), posts, strict=True):
            if identity not in known:
                known[identity] = Earlier.of(post)
        self._remembered += len(known) - before
        while self._remembered > _REMEMBERED and len(self._threads) > 1:
            self._remembered -= len(self._threads.popitem(last=False)[1])

    def _read(self, thread_url: str) -> Known:
        shown = [
            PostRecord(
                one.post_id, one.post_url, one.author, None, one.published, one.published_text, None, one.text, ""
            )
            for one in self._stored(thread_url)
        ]
        return {identity: Earlier.of(post) for identity, post in zip(identities(shown), shown, strict=True)}

    def _stored(self, thread_url: str) -> Iterator[StoredPost]:
        thread = self._archive.thread(thread_url)
        return iter(()) if thread is None else self._archive.posts(thread_id=thread.id, with_vanished=False)


def _is_bare(posts: Sequence[PostRecord]) -> bool:
    """Whether a page begins with a post that says nothing."""
    return bool(posts) and not posts[0].text and not posts[0].quotes


def _is_head_of(post: PostRecord, first: StoredPost) -> bool:
    return post.published_text is not None and (post.author, post.published_text) == (
        first.author,
        first.published_text,
    )


def _without_shared_ids(posts: tuple[PostRecord, ...], known: Known) -> tuple[PostRecord, ...]:
    """The posts, without an id that belongs to another post of the thread: the first one of each page may be linked by
    the thread's own number."""
    held = (known.get(identity) for identity in identities(posts))
    return tuple(
        replace(post, post_id=None) if one is not None and one.is_another(post) else post
        for post, one in zip(posts, held, strict=True)
    )
