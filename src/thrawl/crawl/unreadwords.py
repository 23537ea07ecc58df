"""The running texts of a thread page that stand in none of its posts; `unread` counts them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final
from zlib import crc32

from thrawl.crawl.unread import Block, joined, texts_of
from thrawl.page.shown import PostRecord
from thrawl.page.tree import Tree
from thrawl.profile.content import without_times

_RUNNING: Final = 60  # bytes of a text that says something; labels and buttons are shorter; some letters take three
_SHORTEST: Final = _RUNNING // 4  # letters that take so many bytes
_QUOTING: Final = "> |\t"  # before the lines of mails that repeat another
_BEGINNING: Final = 2_000  # letters of a line that tell whether it only names people; a page may have thousands of both
_NUMBERS: Final = re.compile(rb"\d+")
_MOST_BLOCKS: Final = 200  # of one page; a page of 50 posts that were not read has as many
_APART: Final = frozenset({"a", "button", "option", "textarea", "title", "label", "legend", "th"})
_NEAR: Final = 6  # elements above a text in which it may be a link or a button


def blocks_of(tree: Tree, posts: Iterable[PostRecord]) -> tuple[Block, ...]:
    """The running texts of a page that stand in none of its posts."""
    known = tuple(posts)
    read = "".join(joined(text) for post in known for text in texts_of(post))
    names = {post.author for post in known if post.author}
    return tuple(dict.fromkeys(_unread(tree, read, names)))[:_MOST_BLOCKS]


def _unread(tree: Tree, read: str, names: Collection[str]) -> Iterator[Block]:
    met: dict[str, tuple[Block, ...]] = {}  # pages repeat what they say beside posts
    texts = tree.texts
    for node in tree.long_texts(_SHORTEST):
        shown = texts[node]
        blocks = met.get(shown)
        if blocks is None:
            blocks = met[shown] = tuple(_running(shown, read, names))
        if blocks and not _is_apart(tree, node):
            yield from blocks


def _running(shown: str, read: str, names: Collection[str]) -> Iterator[Block]:
    """The lines of a text that are long enough and stand in no post: a mail has its header, and marks of quotation, in
    one text with its words."""
    for line in () if _is_short(shown) else shown.splitlines():
        text = joined(line.lstrip(_QUOTING))
        if _is_short(text):
            continue
        data = text.encode("utf-8", "replace")
        if len(data) >= _RUNNING and text not in read and not _only_tells_who_and_when(line, names):
            same = _NUMBERS.sub(b"0", data)  # how long a program took is news on each page
            yield crc32(same), len(same)


def _is_short(text: str) -> bool:
    """Whether a text surely has too few bytes, told before they are counted."""
    return len(text) < _SHORTEST or (len(text) < _RUNNING and text.isascii())


def _only_tells_who_and_when(line: str, names: Collection[str]) -> bool:
    """Whether hardly anything is left of a line without its times and the authors of the page: a note of an edit."""
    said = without_times(line[:_BEGINNING])
    for name in names:
        said = said.replace(name, "")
    return len(joined(said).encode("utf-8", "replace")) < _RUNNING


def _is_apart(tree: Tree, node: int) -> bool:
    """Whether a text is a link's, a button's or a heading's: nobody writes a post there."""
    return any(tree.tags[above] in _APART for above, _ in zip(tree.ancestors(node), range(_NEAR), strict=False))
