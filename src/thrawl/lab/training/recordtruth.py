"""The posts that annotated thread pages show, as those who score what was read need them.

Posts of which a page only quotes the words are not posts of that page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thrawl.page.tree import TEXT, Tree
from thrawl.profile.folding import fold


@dataclass(frozen=True, slots=True)
class TruePost:
    """The folded first and last words of a post, and the thread it belongs to.

    `chars` counts all of its folded words, 0 where nobody did.
    """

    start: str
    end: str
    thread: int
    chars: int = 0
    author: str = ""


def own_posts(tree: Tree, offered: Sequence[TruePost]) -> list[TruePost]:
    """The offered posts that stand on the page outside quotes, in the thread that most of them belong to."""
    words = fold(" ".join(_unquoted(tree)))
    shown = [post for post in offered if (at := words.find(post.start)) >= 0 and words.find(post.end, at) >= 0]
    if not shown:
        return []
    thread = Counter(post.thread for post in shown).most_common(1)[0][0]
    kept: Counter[TruePost] = Counter()
    for post in shown:
        if post.thread == thread and kept[post] < words.count(post.start):
            kept[post] += 1
    return list(kept.elements())


def _unquoted(tree: Tree) -> Iterator[str]:
    closed = 0
    for node, tag in enumerate(tree.tags):
        if node < closed:
            continue
        if tag in ("blockquote", "q", "textarea") or "quote" in tree.attributes[node].get("class", "").lower():
            closed = tree.ends[node]
        elif tag == TEXT:
            yield tree.texts[node]
