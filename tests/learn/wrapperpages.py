"""Pages to learn wrappers from: the lab's forums, and small hand-written ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from thrawl.lab.generate import generate
from thrawl.lab.skins import skin_named
from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.values import Visit
from thrawl.lab.world import Post, View
from thrawl.learn.wrappers.general import read_posts
from thrawl.page.reading import Page, read_page
from thrawl.page.shown import PostRecord
from thrawl.page.tree import Tree, parse

ORIGIN = "http://forum.test"


@dataclass(frozen=True)
class Forum:
    """A forum of the lab as of one moment."""

    skin: Skin
    view: View
    now: datetime

    def html(self, url: str) -> str:
        return self.skin.answer(url.removeprefix(ORIGIN), Visit(self.skin, self.view)).body

    def page(self, url: str) -> Page:
        return read_page(self.html(url), url)

    def tree(self, url: str) -> Tree:
        return parse(self.html(url))

    def urls(self, kind: str) -> list[str]:
        return [url for url, what in self.skin.canonical_urls(self.view, ORIGIN) if what.startswith(kind)]

    def posts_on(self, url: str) -> list[Post]:
        found = (self.view.post(number) for number in self.skin.posts_at(url, self.view))
        return [post for post in found if post is not None]

    def thread_of(self, url: str) -> int:
        place = self.skin.place(url.removeprefix(ORIGIN), self.view)
        assert place is not None
        return place.id

    def is_thread(self, url: str) -> bool:
        return self.skin.truth(url, self.view).kind == "thread"


def forum_in(skin_name: str, threads: int = 60) -> Forum:
    skin = skin_named(skin_name)
    world = generate(threads, seed=4, language=skin.language.code)
    now = world.end + timedelta(hours=1)
    return Forum(skin, world.at(now), now)


def some(urls: Sequence[str], count: int, seed: int = 1) -> list[str]:
    return Random(seed).sample(list(urls), min(count, len(urls)))


def page_of(posts: Sequence[str], *, title: str = "A thread", url: str = "http://f.test/t/1") -> Page:
    """A plain page around some posts."""
    html = (
        f"<html><head><title>{title}</title></head><body><h1>{title}</h1><div id='list'>{''.join(posts)}</div></body>"
    )
    return read_page(html, url)


def numbered_pages(post: Callable[[int], str], pages: int, posts: int) -> list[Page]:
    """Pages of one template with so many posts each; the maker gets a number that rises over all pages."""
    return [
        page_of(
            [post(page * posts + place) for place in range(posts)],
            title=f"Thread about matter {chr(65 + page)}{chr(97 + page)}",
            url=f"http://f.test/t/{page}",
        )
        for page in range(pages)
    ]


def posts_of(page: Page) -> tuple[PostRecord, ...]:
    """The posts of a page that is read alone."""
    return read_posts(page.tree, page.url)
