"""How well records are cut: the posts of annotated thread pages against the records that were found.

A post counts as found if its first and its last words stand in the own part of exactly one record, and each record
counts for one post. Truth comes from a `world.json` beside the mirror (with `shows.jsonl`), or from posts labelled by
hand in a `posts.jsonl` beside single pages. Posts of which a page only quotes the words are not posts of that page.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thrawl.errors import PageError
from thrawl.lab.training.annotation import AnnotatedPage
from thrawl.page.reading import Page, read_page
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.folding import fold

_EDGE: Final = 30


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


@dataclass(frozen=True, slots=True)
class RecordScore:
    """The records of one thread page: posts it shows, records found, posts found in a record of their own."""

    site: str
    url: str
    posts: int
    records: int
    right: int

    @property
    def perfect(self) -> bool:
        return self.posts == self.records == self.right


def score_mirror(folder: Path, pages: Iterable[AnnotatedPage]) -> Iterator[RecordScore]:
    """Scores of the thread pages of a mirror; nothing for a mirror without a world."""
    path = folder / "world.json"
    if not path.exists():
        return
    world = {post["id"]: _true_post(post) for post in json.loads(path.read_text(encoding="utf-8"))["posts"]}
    for page in pages:
        if page.type == "thread" and page.posts:
            offered = [world[number] for number in page.posts if number in world]
            score = _score(page.site, page.url, page.html, offered, own_only=True)
            if score is not None:
                yield score


def score_labelled(folder: Path, pages: Iterable[AnnotatedPage]) -> Iterator[RecordScore]:
    """Scores of single pages whose posts were labelled by hand in `posts.jsonl`."""
    path = folder / "posts.jsonl"
    if not path.exists():
        return
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    truth = {row["url"]: [_labelled(post) for post in row["posts"]] for row in rows}
    for page in pages:
        if page.url in truth:
            score = _score(page.site, page.url, page.html, truth[page.url], own_only=False)
            if score is not None:
                yield score


def _true_post(post: dict[str, object]) -> TruePost:
    words = fold(str(post["text"]))
    return TruePost(words[:_EDGE], words[-_EDGE:], int(str(post["thread"])))


def _labelled(post: dict[str, object]) -> TruePost:
    return TruePost(fold(str(post["text_start"]))[:_EDGE], fold(str(post["text_end"]))[-_EDGE:], 0)


def _score(site: str, url: str, html: str, offered: Sequence[TruePost], *, own_only: bool) -> RecordScore | None:
    try:
        page = read_page(html, url)
    except PageError:
        return None
    posts = own_posts(page.tree, offered) if own_only else list(offered)
    if not posts:
        return None
    texts = [fold(own_text(page, number)) for number in range(len(page.records))]
    return RecordScore(site, url, len(posts), len(texts), match(posts, texts))


def own_text(page: Page, number: int) -> str:
    """The text of a record without the records inside it."""
    return " ".join(page.tree.text_of(start, end) for start, end in page.records[number].ranges)


def match(posts: Sequence[TruePost], texts: Sequence[str]) -> int:
    """How many posts have a record of their own; a quoted post ends earlier in a record than the post itself."""
    used: set[int] = set()
    for post in posts:
        holders = [
            number
            for number, text in enumerate(texts)
            if number not in used and (at := text.find(post.start)) >= 0 and text.find(post.end, at) >= 0
        ]
        if holders:
            used.add(min(holders, key=lambda number: len(texts[number]) - texts[number].rfind(post.end)))
    return len(used)


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
