"""What a site shows as its own and its profile does not explain, for the ledger to name and for probing to try."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol
from urllib.parse import parse_qsl, urlsplit

from thrawl.archive.facts import Facts
from thrawl.archive.values import KnownPage, PageState, StoredPage
from thrawl.crawl.promised import BOARD
from thrawl.net.url import without_numbers
from thrawl.page.pagekind import PageKind
from thrawl.profile.profile import Profile
from thrawl.profile.urls import beginnings
from thrawl.profile.urltypes import UrlTypes

IN_VAIN: Final = "tried because no pattern explains it; it brought nothing"
NO_LIST: Final = "tried because threads name it as their board; it shows none that other pages do not show"

_SEVERAL: Final = 2  # threads, on average, below breadcrumbs that name boards; a button has an address for each

Shape = tuple[str, int, tuple[str, ...]]


class Pages(Protocol):
    """Whatever knows what became of a page."""

    def page(self, url: str, /) -> KnownPage | StoredPage | None: ...


@dataclass(frozen=True, slots=True)
class KnownPages:
    """What an archive knows of single pages."""

    archive: Pages

    def at_all(self, url: str) -> bool:
        """Whether a page was fetched, for whatever reason."""
        page = self.archive.page(url)
        return page is not None and page.state is PageState.DONE

    def followed(self, url: str) -> bool:
        """Whether it is fetched as a page of the forum; learning looks at others, too."""
        page = self.archive.page(url)
        return page is not None and page.kind is not PageKind.OTHER

    def in_vain(self, url: str) -> bool:
        """Whether it was tried, and brought nothing."""
        page = self.archive.page(url)
        return page is not None and page.reason == IN_VAIN

    def has_no_list(self, url: str) -> bool:
        """Whether it was tried, as the board that it is, and showed no thread of its own: its list stands elsewhere."""
        page = self.archive.page(url)
        return page is not None and page.reason == NO_LIST


@dataclass(frozen=True, slots=True)
class Suspect:
    """A URL of the site that no pattern explains; `title` is what its link says, where that may be a thread's.

    `has_threads`: it is a board, as the breadcrumbs of its threads say, and they call it by its `name`.
    """

    url: str
    title: str = ""
    has_threads: bool = False
    name: str = ""


def shape_of(url: str) -> Shape:
    """What URLs have in common that lead to pages of one kind, as far as one URL tells."""
    parts = urlsplit(url)
    steps = [step for step in parts.path.split("/") if step]
    named = parse_qsl(parts.query, keep_blank_values=True)
    names = tuple(sorted({without_numbers(name) for name, _ in named}))  # `?thread-5.htm` has its number for a name
    return steps[0] if steps and (len(steps) > 1 or names) else "", len(steps), names


def explains(types: UrlTypes, url: str) -> bool:
    """Whether a URL is of the forum, or such a one with more in its query: a way into a list or thread."""
    return any(types.type(one) is not None for one in (url, *beginnings(url, "&;")))


def suspects(facts: Facts, profile: Profile) -> list[Suspect]:
    """What the site shows as its own and the profile does not explain."""
    types = UrlTypes(profile)
    unlisted = [board for board in facts.boards if board.url and board.threads and not board.is_listed]
    are_boards = sum(board.threads for board in unlisted) >= _SEVERAL * len(unlisted)
    rows = (promise.subject for promise in facts.promises if promise.place == BOARD)
    homes = (str(home) for home in (profile.page_wrapper or {}).get("home", ()))
    crumbs = [Suspect(board.url, has_threads=are_boards, name=board.title) for board in unlisted if board.url]
    boards = [*(Suspect(url) for url in (*rows, *homes)), *crumbs]
    strays = [Suspect(stray.url, stray.title) for _, stray in facts.strays if stray.title]
    found = {one.url: one for one in (*strays, *boards)}
    origin = "/".join(profile.entry.split("/")[:3])
    return [one for url, one in found.items() if url.startswith(origin) and not explains(types, url)]


def unexplained(urls: Iterable[str], known: KnownPages) -> set[str]:
    """The URLs that are not followed, of shapes of which none was tried in vain; and boards without a list."""
    met = set(urls)
    explained = {shape_of(url) for url in met if known.in_vain(url)}
    left = {url for url in met if shape_of(url) not in explained or known.has_no_list(url)}
    return {url for url in left if not known.followed(url)}
