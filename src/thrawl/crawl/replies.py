"""Which post answers which: by nesting, by the id that a quote names, by quoted words that an earlier post holds.

A quote whose words are found nowhere earlier answers nothing that we know of: the field stays empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from thrawl.page.shown import PostRecord, Quote
from thrawl.profile.folding import fold

_COMPARED: Final = 400  # characters of a quote that are looked for; enough to be sure, bounded on long ones
_FEWEST: Final = 6  # folded characters without which a quote says nothing ("yes")
_KEPT: Final = 12  # characters at the beginning or the end that an edit leaves as they were


@dataclass(slots=True)
class Earlier:
    """What has to be known of a post to recognise it, and a quote of it. Folded when it is first asked: most never
    are."""

    post_id: str
    _author: str
    _words: str
    _published: datetime | None = None
    _is_folded: bool = False

    @classmethod
    def of(cls, post: PostRecord) -> Earlier | None:
        return cls(post.post_id, post.author or "", post.text, post.published) if post.post_id else None

    def is_another(self, post: PostRecord) -> bool:
        """Whether a post that shows the same id is another one: other words, from another person or another time."""
        self._fold()
        words, author = fold(post.text), fold(post.author or "")
        alike = words[:_KEPT] == self._words[:_KEPT] or words[-_KEPT:] == self._words[-_KEPT:]
        return not alike and (author != self._author or post.published != self._published)

    def says(self, words: str, author: str) -> bool:
        """Whether it holds the folded words, and is by that folded author unless none is named."""
        self._fold()
        return words in self._words and (not author or author == self._author)

    def _fold(self) -> None:
        if not self._is_folded:
            self._author, self._words, self._is_folded = fold(self._author), fold(self._words), True


def with_replies(posts: tuple[PostRecord, ...], before: Sequence[Earlier] = ()) -> tuple[PostRecord, ...]:
    """The posts of a page with what each answers; `before` are posts of earlier pages of the thread."""
    if all(post.reply_to or not (post.quotes or post.depth) for post in posts):
        return posts
    earlier = list(before)
    known = {one.post_id for one in earlier}
    parents: dict[int, str | None] = {}
    result = []
    for post in posts:
        if post.reply_to is None:
            answered = _above(post, parents) or _quoted(post.quotes, earlier, known)
            post = replace(post, reply_to=answered) if answered and answered != post.post_id else post
        if post.depth is not None:
            parents[post.depth] = post.post_id
        remembered = Earlier.of(post)
        if remembered is not None:
            earlier.append(remembered)
            known.add(remembered.post_id)
        result.append(post)
    return tuple(result)


def unresolved(posts: Sequence[PostRecord]) -> bool:
    """Whether some quote of these posts may stand on an earlier page."""
    return any(post.quotes and post.reply_to is None for post in posts)


def _above(post: PostRecord, parents: dict[int, str | None]) -> str | None:
    return parents.get(post.depth - 1) if post.depth else None


def _quoted(quotes: Sequence[Quote], earlier: Sequence[Earlier], known: set[str]) -> str | None:
    for quote in quotes:
        if quote.post_id is not None and quote.post_id in known:
            return quote.post_id
        words, author = fold(quote.text)[:_COMPARED], fold(quote.author or "")
        if len(words) < _FEWEST:
            continue
        for one in reversed(earlier):
            if one.says(words, author):
                return one.post_id
    return None
