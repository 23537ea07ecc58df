"""The truth about a mirror, as far as it is kept beside it: types of pages, pages that are needed, posts of the world.

All of it may be missing. What needs no truth (requests, informativeness) is measured then all the same.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any, Final

from thrawl.errors import FetchError, InputError
from thrawl.lab.bench.mirrors import Canonical, canonical_of
from thrawl.lab.training.annotation import Rules, read_rules
from thrawl.net.message import Request
from thrawl.net.replay import MirrorReplay
from thrawl.page.pagekind import PageKind

_MARKUP: Final = re.compile(r"<(script|style)\b.*?</\1>|<[^>]+>", re.DOTALL | re.IGNORECASE)
_NO_WORD: Final = re.compile(r"[^\w]+")
_END: Final = 30  # letters at either end of a post by which it is known on a page
_KEY: Final = 8


@dataclass(frozen=True, slots=True)
class _Post:
    id: int
    thread: int
    position: int
    start: str
    end: str


@dataclass(slots=True)
class SiteTruth:
    """One mirror and what is known of it. `rules` is None where nothing is."""

    folder: Path
    replay: MirrorReplay
    rules: Rules | None
    canonical: Canonical
    start: str
    posts: Mapping[str, list[_Post]]
    first_posts: frozenset[int]
    post_count: int
    _shown: dict[str, frozenset[int]] = field(default_factory=dict)
    _needed: dict[str, str] | None = None

    @property
    def site(self) -> str:
        return self.folder.name

    def type_of(self, url: str) -> PageKind | None:
        """The type of the page at a URL; None where nobody knows."""
        return self.rules.type_of(url) if self.rules is not None else None

    def kind_of(self, url: str) -> str | None:
        """The kind of a URL that a perfect crawler asks for; None for all others."""
        return next((kind for pattern, kind in self.canonical if pattern.search(url)), None)

    async def needed(self) -> dict[str, str]:
        """The pages that a perfect crawler asks for, with their kinds."""
        if self._needed is None:
            kinds = ((url, self.kind_of(url)) for url in self.replay.urls())
            self._needed = {url: kind for url, kind in kinds if kind is not None and await self._is_page(url)}
        return self._needed

    async def _is_page(self, url: str) -> bool:
        try:
            response = await self.replay.fetch(Request(url))
        except FetchError:
            return False
        return response.status == 200 and not response.hops

    async def posts_on(self, url: str) -> frozenset[int]:
        """The posts of the world whose beginnings and ends both stand on a page."""
        found = self._shown.get(url)
        if found is None:
            response = await self.replay.fetch(Request(url))
            found = self._shown[url] = frozenset(self._posts_in(folded(response.text)))
        return found

    def _posts_in(self, text: str) -> Iterator[int]:
        known = self.posts
        for at in range(len(text) - _KEY + 1):
            for post in known.get(text[at : at + _KEY], ()):
                if text.startswith(post.start, at) and text.find(post.end, at) >= 0:
                    yield post.id


def folded(html: str) -> str:
    """The letters and digits of a page or a text, without markup, spaces and case."""
    return _NO_WORD.sub("", unescape(_MARKUP.sub(" ", html))).casefold()


def open_truth(folder: Path) -> SiteTruth:
    """Load a mirror with all that is known of it. Raises InputError for files that are broken."""
    replay = MirrorReplay(folder)
    rules_file = folder / "rules.json"
    content = _json(rules_file)
    rules = read_rules(folder) if content is not None else None
    posts, firsts, count = _world(folder / "world.json")
    start = (content or {}).get("entry") or next(replay.urls(), None)
    if start is None:
        raise InputError(f"The mirror {folder} has no pages.")
    canonical = canonical_of(rules_file) if content is not None and "canonical" in content else ()
    return SiteTruth(folder, replay, rules, canonical, str(start), posts, firsts, count)


def _json(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is broken: {error}.") from None
    return content


def _world(path: Path) -> tuple[dict[str, list[_Post]], frozenset[int], int]:
    content = _json(path)
    by_start: dict[str, list[_Post]] = defaultdict(list)
    firsts: dict[int, int] = {}
    if content is None:
        return by_start, frozenset(), 0
    try:
        for post in content["posts"]:
            text = folded(post["text"])
            one = _Post(int(post["id"]), int(post["thread"]), int(post["n"]), text[:_END], text[-_END:])
            by_start[text[:_KEY]].append(one)
            if one.position == 1:
                firsts[one.thread] = one.id
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is no world of threads and posts ({error!r}).") from None
    return by_start, frozenset(firsts.values()), len(content["posts"])
