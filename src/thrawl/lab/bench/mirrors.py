"""An annotated mirror to measure on: a whole site as a fetcher, and the truth about each of its URLs.

The truth stands in the mirror's `rules.json` (docs/annotation.md): `page_types` tells the type of the page that a URL
leads to, duplicates included; `canonical` the kind of the URLs that a perfect crawler asks for, and of no others.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thrawl.errors import FetchError, InputError
from thrawl.lab.training.annotation import Rules, read_rules
from thrawl.net.message import Request, Response
from thrawl.net.replay import MirrorReplay, is_mirror
from thrawl.page.pagekind import PageKind

Canonical = tuple[tuple[re.Pattern[str], PageKind], ...]
KINDS: Final = (PageKind.INDEX, PageKind.INDEX_FLIP, PageKind.THREAD, PageKind.THREAD_FLIP)


@dataclass(frozen=True, slots=True)
class Mirror:
    """One site: its pages, the types of its pages and the kinds of its canonical URLs."""

    folder: Path
    replay: MirrorReplay
    rules: Rules
    canonical: Canonical

    @property
    def site(self) -> str:
        return self.folder.name

    def is_entry(self, url: str) -> bool:
        """Whether a URL leads to the entry page, in whatever form."""
        return self.rules.type_of(url) is PageKind.ENTRY

    def kind_of(self, url: str) -> PageKind | None:
        """The kind of a canonical URL; None for every other URL, variants of canonical pages included."""
        return next((kind for pattern, kind in self.canonical if pattern.search(url)), None)

    async def any_pages(self, number: int, seed: int) -> list[Response]:
        """Random pages of whatever type."""
        return await self._drawn(self.replay.urls(), number, f"{seed} any {self.site}")

    async def pages_of(self, kinds: Collection[str], number: int, seed: int) -> list[Response]:
        """Random canonical pages of some kinds."""
        urls = (url for url in self.replay.urls() if self.kind_of(url) in kinds)
        return await self._drawn(urls, number, f"{seed} {'+'.join(sorted(kinds))} {self.site}")

    async def _drawn(self, urls: Iterable[str], number: int, seed: str) -> list[Response]:
        """Pages that are answered as HTML under the URL that was asked for, in a random order that the seed decides."""
        order = sorted(set(urls))
        random.Random(seed).shuffle(order)
        found: list[Response] = []
        for url in order:
            if len(found) == number:
                break
            response = await self._page(url)
            if response is not None:
                found.append(response)
        return found

    async def _page(self, url: str) -> Response | None:
        try:
            response = await self.replay.fetch(Request(url))
        except FetchError:
            return None
        return response if response.status == 200 and _is_page(response) and not response.hops else None


def _is_page(response: Response) -> bool:
    """A page that a person would give as a start; feeds are HTML to no browser."""
    return "html" in (response.header("content-type") or "").lower()


def mirror_folders(paths: Iterable[Path]) -> list[Path]:
    """The folders of mirrors with rules: those given, and those inside a folder that is given."""
    found = [folder for path in paths for folder in _with_rules(path)]
    return list(dict.fromkeys(found))


def all_mirrors(paths: Iterable[Path]) -> list[Path]:
    """The folders of mirrors, with rules or without: those given, and those inside a folder that is given."""
    found = [folder for path in paths for folder in _inside(path)]
    if not found:
        raise InputError("there is no mirror in what was given: a mirror is a folder with pages.jsonl.xz")
    return list(dict.fromkeys(found))


def _inside(path: Path) -> list[Path]:
    if not path.is_dir():
        raise InputError(f"there is no folder {path}; give folders of mirrors")
    return [path] if is_mirror(path) else [one for one in sorted(path.iterdir()) if one.is_dir() and is_mirror(one)]


def _with_rules(path: Path) -> Iterator[Path]:
    annotated = [folder for folder in _inside(path) if (folder / "rules.json").is_file()]
    if not annotated:
        raise InputError(f"{path} holds no annotated mirror: a folder with pages.jsonl.xz and rules.json")
    yield from annotated


def open_mirror(folder: Path) -> Mirror:
    """Load a mirror into memory. Raises InputError where its rules tell no canonical URLs."""
    return Mirror(folder, MirrorReplay(folder), read_rules(folder), canonical_of(folder / "rules.json"))


def canonical_of(path: Path) -> Canonical:
    """The canonical URLs that a file of rules names. Raises InputError where it names none."""
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))["canonical"]
        unknown = {str(kind) for _, kind in listed} - set(KINDS)
        if unknown:
            raise InputError(f"{path}: canonical kinds are {', '.join(KINDS)}, not {', '.join(sorted(unknown))}")
        return tuple((re.compile(pattern), PageKind(kind)) for pattern, kind in listed)
    except (OSError, ValueError, KeyError, TypeError, re.error) as error:
        raise InputError(f"{path} does not tell which URLs are canonical: {error!r}") from error
