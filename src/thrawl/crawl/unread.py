"""Words of thread pages that stand in no post: where there are many, posts were not read.

Menus, signatures and boxes stand outside of posts, too, but on page after page. What one page alone shows, in running
text and outside of links, somebody wrote; so the letters that were met once are set against those of the posts. No
place is believed to be one for posts, so that answers in a markup which learning never saw are noticed as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from thrawl.page.shown import PostRecord

Block = tuple[int, int]
"""A running text that stands in no post: what tells it from others, and its letters."""

MOST_PAGES: Final = 400  # thread pages that are looked at; enough for a share, and of bounded memory
_FEWEST_PAGES: Final = 10  # on fewer, a menu or a signature may stand once
_HALF_READ: Final = 0.3  # of a page's words in no post, from which on it is one to learn from


def letters_of(posts: Iterable[PostRecord]) -> int:
    return sum(len(joined(text)) for post in posts for text in texts_of(post))


def texts_of(post: PostRecord) -> Iterator[str]:
    yield post.text
    yield from (quote.text for quote in post.quotes)


def joined(text: str) -> str:
    """Without spaces: pages break lines where they like."""
    return "".join(text.split())


@dataclass(slots=True)
class Unread:
    """What thread pages of one run showed and no post holds."""

    pages: int = 0
    read: int = 0
    _met: Counter[Block] = field(default_factory=Counter)

    @property
    def tells(self) -> bool:
        """Whether there were enough pages to tell what stands on each of them from what one has to itself."""
        return self.pages >= _FEWEST_PAGES

    @property
    def is_full(self) -> bool:
        return self.pages >= MOST_PAGES

    def add(self, blocks: Iterable[Block], letters: int) -> bool:
        """Remember a page; True where much of it stands in no post and on no page before."""
        if self.is_full:
            return False
        new = sum(block[1] for block in blocks if block not in self._met)
        self._met.update(blocks)
        self.pages += 1
        self.read += letters
        return new > _HALF_READ * (new + letters)

    @property
    def letters(self) -> int:
        """The letters of texts that one page alone shows."""
        return sum(letters for (_, letters), times in self._met.items() if times == 1)
