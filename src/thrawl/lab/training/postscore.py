"""How well single pages are read: the posts that the general reader gives, against the truth, each page alone.

A post counts as right if a read post holds its first and its last words and little beyond them, with its quotations
or without them: some count them in and some out. Author and time are counted among the posts that are right. Truth
comes from a `world.json` beside a mirror (with `shows.jsonl`), or from posts labelled by hand in a `posts.jsonl`.
Labels may name questions and answers and leave out the comments inside them: `outer` is the precision without the posts
inside others, on pages where the labels name no such post.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from thrawl.errors import PageError
from thrawl.lab.training.annotation import AnnotatedPage
from thrawl.lab.training.recordtruth import TruePost, own_posts
from thrawl.learn.wrappers.general import read_posts
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import Page, read_page
from thrawl.page.shown import PostRecord
from thrawl.page.tree import Tree
from thrawl.profile.folding import fold

EDGE: Final = 30  # folded characters at both ends of a post that must be there
_BEYOND: Final = 0.12  # of a post's own words: as much may stand around them, which is a token F1 of some 0.94
_BEYOND_CHARS: Final = 24  # and as many characters in any case: one note, one name


@dataclass(frozen=True, slots=True)
class PageScore:
    """The posts of one page: how many it shows, how many were read, how many of these are right, and their fields."""

    site: str
    url: str
    posts: int
    read: int
    right: int
    authors: int
    timed: int
    inside: int = 0
    """Posts read inside others, where none of the right ones stands inside another."""

    @property
    def perfect(self) -> bool:
        return self.posts == self.read == self.right


@dataclass(frozen=True, slots=True)
class PostSummary:
    """The scores of some pages in one line."""

    site: str
    pages: int
    posts: int
    precision: float
    recall: float
    perfect: float
    authors: float
    timed: float
    outer: float = 0.0


def summarise_pages(site: str, scores: Sequence[PageScore]) -> PostSummary:
    posts, right = sum(one.posts for one in scores), sum(one.right for one in scores)
    return PostSummary(
        site,
        len(scores),
        posts,
        right / max(1, sum(one.read for one in scores)),
        right / max(1, posts),
        sum(one.perfect for one in scores) / max(1, len(scores)),
        sum(one.authors for one in scores) / max(1, right),
        sum(one.timed for one in scores) / max(1, right),
        right / max(1, sum(one.read - one.inside for one in scores)),
    )


@dataclass(frozen=True, slots=True)
class Truth:
    """The posts of a mirror's world, by their number."""

    posts: Mapping[int, TruePost]

    def posts_on(self, tree: Tree, page: AnnotatedPage) -> list[TruePost]:
        """Those that a page shows as its own."""
        return own_posts(tree, [self.posts[number] for number in page.posts if number in self.posts])


def truth_of_mirror(folder: Path) -> Truth | None:
    """The truth beside a mirror, None where there is no world."""
    path = folder / "world.json"
    if not path.exists():
        return None
    world = json.loads(path.read_text(encoding="utf-8"))
    names = {user["id"]: str(user["name"]) for user in world["users"]}
    return Truth({post["id"]: _true_post(post, names) for post in world["posts"]})


def score_mirror_pages(folder: Path, pages: Iterable[AnnotatedPage]) -> Iterator[PageScore]:
    """Scores of a mirror's thread pages, each read alone; nothing for a mirror without a world."""
    truth = truth_of_mirror(folder)
    for page in pages:
        if truth is not None and page.type is PageKind.THREAD and page.posts:
            read = read_annotated_page(page)
            posts = truth.posts_on(read.tree, page) if read is not None else []
            if read is not None and posts:
                yield judge(page.site, page.url, posts, read_posts(read.tree, read.url))


def score_labelled_pages(labels: Path, folders: Iterable[Path]) -> Iterator[PageScore]:
    """Scores of pages whose posts were labelled by hand, wherever among the folders they stand."""
    rows = (json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines() if line.strip())
    truth = {row["url"]: [_labelled(post) for post in row["posts"]] for row in rows}
    for folder in folders:
        for url, site, html in _pages_at(folder, truth):
            read = read_annotated_page(AnnotatedPage(site, url, PageKind.THREAD, html, None))
            if read is not None:
                yield judge(site, url, truth[url], read_posts(read.tree, read.url))


def _pages_at(folder: Path, urls: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    with lzma.open(folder / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["url"] in urls and row.get("status", 200) == 200:
                yield row["url"], str(row.get("site") or folder.name), row["body"]


def _true_post(post: Mapping[str, Any], names: Mapping[object, str]) -> TruePost:
    words = fold(str(post["text"]))
    return TruePost(words[:EDGE], words[-EDGE:], int(post["thread"]), len(words), names.get(post["author"], ""))


def _labelled(post: Mapping[str, Any]) -> TruePost:
    start, end = fold(str(post["text_start"]))[:EDGE], fold(str(post["text_end"]))[-EDGE:]
    return TruePost(start, end, 0, int(post.get("own_chars") or 0), str(post["author"] or ""))


def read_annotated_page(page: AnnotatedPage) -> Page | None:
    """What a page shows, None if it cannot be read."""
    try:
        return read_page(page.html, page.url)
    except PageError:
        return None


def judge(site: str, url: str, posts: Sequence[TruePost], found: Sequence[PostRecord]) -> PageScore:
    """What was read of a page against the posts that it shows."""
    used: dict[int, TruePost] = {}
    left = _matched([fold(post.text) for post in found], posts, used)
    _matched([_with_quotes(post) for post in found], left, used)
    authors = sum((found[at].author or "").casefold() == post.author.casefold() for at, post in used.items())
    timed = sum(found[at].published is not None for at in used)
    nested = any(found[at].depth for at in used)
    inside = 0 if nested else sum(bool(post.depth) for post in found)
    return PageScore(site, url, len(posts), len(found), len(used), authors, timed, inside)


def _matched(texts: Sequence[str], posts: Sequence[TruePost], used: dict[int, TruePost]) -> list[TruePost]:
    """Give each post the shortest free text that fits it; those that none fits."""
    left = []
    for post in posts:
        fitting = [number for number, text in enumerate(texts) if number not in used and _fits(text, post)]
        if fitting:
            used[min(fitting, key=lambda number: len(texts[number]))] = post
        else:
            left.append(post)
    return left


def _with_quotes(post: PostRecord) -> str:
    return fold("".join(quote.text for quote in post.quotes) + post.text)


def _fits(text: str, post: TruePost) -> bool:
    at = text.find(post.start)
    if at < 0 or text.find(post.end, at) < 0:
        return False
    return not post.chars or len(text) <= post.chars * (1 + _BEYOND) + _BEYOND_CHARS
