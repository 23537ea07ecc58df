"""Annotated forums: saved pages whose types a person has told. What classifiers are trained and measured on.

The format is described in docs/annotation.md: a folder with `pages.jsonl` (or `.xz`), a page a line, and the types
either in each line (`page_type`) or by address in `rules.json`. Pages that have no right answer are left out: those
marked ambiguous, and pages of type other of which `shows.jsonl` tells that they show posts or thread titles.
"""

from __future__ import annotations

import io
import json
import lzma
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from thrawl.errors import InputError
from thrawl.page.pagekind import PageKind

_EVERYWHERE: Final = 0.5
_TYPES: Final = (PageKind.ENTRY, PageKind.INDEX, PageKind.THREAD, PageKind.OTHER)


@dataclass(frozen=True, slots=True)
class AnnotatedPage:
    """One page and its true type; `shown` counts the posts or titles that it truly shows, None where nobody knows."""

    site: str
    url: str
    type: PageKind
    html: str
    shown: int | None
    posts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows by the truth: posts by their number in the world, and how many thread titles."""

    posts: tuple[int, ...]
    threads: int


@dataclass(frozen=True, slots=True)
class Rules:
    """The page types of a site by address: exceptions first, then the first pattern that matches, else other."""

    types: tuple[tuple[re.Pattern[str], PageKind], ...] = ()
    exceptions: tuple[tuple[str, PageKind], ...] = ()
    ambiguous: tuple[re.Pattern[str], ...] = ()

    def type_of(self, url: str) -> PageKind | None:
        """The type of the page at an address, None if it has no right answer."""
        special = dict(self.exceptions).get(url)
        if special is not None:
            return special
        if any(pattern.search(url) for pattern in self.ambiguous):
            return None
        return next((kind for pattern, kind in self.types if pattern.search(url)), PageKind.OTHER)


def read_annotated(folder: Path) -> Iterator[AnnotatedPage]:
    """Every page of an annotated forum that has a right answer and was answered with status 200."""
    path = _find(folder, "pages.jsonl")
    if path is None:
        raise InputError(f"{folder} is no annotated forum: it has neither pages.jsonl nor pages.jsonl.xz")
    rules = read_rules(folder)
    shown = read_shown(folder)
    for number, row in enumerate(_rows(path), 1):
        named = row.get("page_type")
        if named and named not in _TYPES:
            raise InputError(f"{path}, line {number}: page_type {named!r} is none of {', '.join(_TYPES)}")
        page = _page(folder.name, row, rules, shown)
        if page is not None:
            yield page


def sample(folder: Path, per_type: int, seed: int) -> list[AnnotatedPage]:
    """At most `per_type` pages of each type and site, drawn at random in one pass over the folder."""
    draw = random.Random(f"{seed} {folder.name}")
    kept: dict[tuple[str, str], list[AnnotatedPage]] = {}
    seen: dict[tuple[str, str], int] = {}
    for page in read_annotated(folder):
        key = page.site, page.type
        seen[key] = seen.get(key, 0) + 1
        pages = kept.setdefault(key, [])
        if len(pages) < per_type:
            pages.append(page)
        elif (at := draw.randrange(seen[key])) < per_type:
            pages[at] = page
    return [page for pages in kept.values() for page in pages]


def read_rules(folder: Path) -> Rules:
    """The rules of a folder; none if its pages name their types themselves."""
    path = folder / "rules.json"
    if not path.exists():
        return Rules()
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Rules(
            tuple((re.compile(pattern), PageKind(kind)) for pattern, kind in content["page_types"]),
            tuple((url, PageKind(kind)) for url, kind in content.get("exceptions", {}).items()),
            tuple(re.compile(pattern) for pattern in content.get("ambiguous", ())),
        )
    except (ValueError, KeyError, TypeError, re.error) as error:
        raise InputError(f"{path} cannot be used as rules of page types: {error!r}") from error


def _find(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / name, folder / f"{name}.xz") if path.exists()), None)


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with _opened(path) as lines:
        try:
            for line in lines:
                yield json.loads(line)
        except (ValueError, lzma.LZMAError, EOFError) as error:
            raise InputError(f"{path} is broken: {error}") from error


def _opened(path: Path) -> TextIO:
    if path.suffix == ".xz":
        return io.TextIOWrapper(lzma.LZMAFile(path), encoding="utf-8")
    return path.open(encoding="utf-8")


def read_shown(folder: Path) -> dict[str, Shown]:
    """What each page shows, without the titles that every page shows: a sidebar is no list of the page."""
    path = _find(folder, "shows.jsonl")
    if path is None:
        return {}
    rows = [(row["url"], tuple(row["posts"]), row["threads"]) for row in _rows(path)]
    seen = Counter(thread for _, _, threads in rows for thread in threads)
    everywhere = {thread for thread, count in seen.items() if count > _EVERYWHERE * len(rows)}
    return {url: Shown(posts, sum(one not in everywhere for one in threads)) for url, posts, threads in rows}


def _page(site: str, row: Mapping[str, Any], rules: Rules, shown: Mapping[str, Shown]) -> AnnotatedPage | None:
    url, body = row.get("url"), row.get("body")
    if not isinstance(url, str) or not body or row.get("status", 200) != 200:
        return None
    if "html" not in (row.get("type") or "html"):
        return None
    named = row.get("page_type")
    kind = PageKind(named) if named else rules.type_of(url)
    known = shown.get(url)
    if kind is None or (known is not None and has_no_answer(kind, known)):
        return None
    return AnnotatedPage(str(row.get("site", site)), url, kind, body, _count(kind, known), known.posts if known else ())


def has_no_answer(kind: PageKind, known: Shown) -> bool:
    """Print views, search results and empty boards: nothing on the page decides between the types."""
    if kind is PageKind.OTHER:
        return bool(known.posts) or known.threads > 0
    return kind is PageKind.INDEX and not known.threads


def _count(kind: PageKind, known: Shown | None) -> int | None:
    if known is None or kind in (PageKind.OTHER, PageKind.ENTRY):
        return None
    return known.threads if kind is PageKind.INDEX else len(known.posts)
