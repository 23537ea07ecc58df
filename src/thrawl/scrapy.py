"""For users of Scrapy: a link extractor made from a profile, and an item pipeline that turns pages into posts.

    rules = (Rule(ProfileLinks(profile, "thread"), callback="parse_thread", follow=True),)
    ITEM_PIPELINES = {"thrawl.scrapy.PostsPipeline": 300}

Scrapy is no dependency of Thrawl; whoever imports this module has it. See docs/scrapy.md.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from scrapy.link import Link

from thrawl.archive import Archive, PageKind, PageOutcome, ThreadRef
from thrawl.crawl.links import LinkReader
from thrawl.crawl.onepage import read_one
from thrawl.errors import PageError
from thrawl.page.links import find_links
from thrawl.page.shown import PostRecord
from thrawl.page.tree import parse
from thrawl.profile.profile import Profile

What = Literal["thread", "index", "all"]


class ProfileLinks:
    """Finds links by a profile: to threads, to boards (each with their flips), or to both; without session ids."""

    def __init__(self, profile: Profile, what: What = "all") -> None:
        self._reader = LinkReader(profile)
        self._what = what

    def extract_links(self, response: Any) -> list[Link]:
        """What Scrapy's rules ask of a link extractor."""
        try:
            links = find_links(parse(response.text), response.url)
        except PageError:
            return []
        found: dict[str, Link] = {}
        for link in links:
            url = self._reader.one_form(link.url)
            if self._wants(url):
                found.setdefault(url, Link(url, link.anchor))
        return list(found.values())

    def _wants(self, url: str) -> bool:
        typed = self._reader.types.type(url)
        return typed is not None and (self._what == "all" or typed.is_thread == (self._what == "thread"))


class PostsPipeline:
    """Adds the posts of a page to its item, and saves them where an archive is named."""

    def __init__(self, profile: Profile | None = None, archive: str | None = None) -> None:
        self._profile = profile
        self._location = archive
        self._archive: Archive | None = None
        self._reader = LinkReader(profile) if profile else None

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        profile = crawler.settings.get("THRAWL_PROFILE")
        return cls(Profile.load(Path(profile)) if profile else None, crawler.settings.get("THRAWL_ARCHIVE"))

    def open_spider(self, spider: Any = None) -> None:
        if self._location is not None:
            self._archive = Archive.open(self._location, create=True)

    def close_spider(self, spider: Any = None) -> None:
        if self._archive is not None:
            self._archive.close()

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """An item with `url` and `html` gets `posts`; others pass as they are."""
        if "url" not in item or "html" not in item:
            return item
        fetched = datetime.now(UTC)
        posts = read_one(item["html"], item["url"], self._profile, fetched)
        item["posts"] = [asdict(post) for post in posts]
        if self._archive is not None and posts:
            self._archive.save(self._outcome(self._archive, item["url"], posts, fetched))
        return item

    def _outcome(self, archive: Archive, url: str, posts: tuple[PostRecord, ...], fetched: datetime) -> PageOutcome:
        entry = self._profile.entry if self._profile else "{0.scheme}://{0.netloc}/".format(urlsplit(url))
        profile = self._profile.to_json() if self._profile else None
        typed = self._reader.types.type(self._reader.one_form(url)) if self._reader else None
        list_url, number = (typed.list_url or url, typed.page or 1) if typed else (url, 1)
        return PageOutcome(
            forum_id=archive.put_forum(entry, urlsplit(entry).netloc, profile),
            url=url,
            kind=PageKind.THREAD if number == 1 else PageKind.THREAD_FLIP,
            fetched=fetched,
            page_number=number,
            list_url=list_url,
            status=200,
            thread=ThreadRef(list_url),
            posts=posts,
        )
