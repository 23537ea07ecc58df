"""Entry URL discovery: from any page of a forum to its home (FoCUS 4.5, algorithm 3).

The paper intersects the links of random pages and downloads every survivor. Its two observations allow
fewer requests: almost every page links to the entry, and the entry stands above what it leads to. So the
addresses above the start page come first, from the root downwards, then the addresses that the page links
to most often. The first one that lists boards or threads, and whose families explain what the start page
links to, is the entry: a portal above the forum does not explain the forum's links, a static home page
lists nothing.

`keyword_entry` is the paper's baseline, for comparison.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from thrawl.learn.explore import Explorer, links_in
from thrawl.learn.sampler import Sampled, Sampler, same_site
from thrawl.page.reading import Page

_KEYWORDS: Final = ("forum", "board", "community", "bbs", "discus")
_MOST_TRIED: Final = 6
_VOTES: Final = 3
_COPY: Final = 0.8
_DIGIT: Final = re.compile(r"\d")
_NUMBER: Final = re.compile(r"\d+")


async def find_entry(sampler: Sampler, start: Sampled) -> tuple[Sampled, Explorer] | None:
    """The entry page and the explorer that has looked at it; None where no page above the start lists anything."""
    tried: set[str] = set()
    first: tuple[Sampled, Explorer] | None = None
    above = {start.url, *_above(start)}
    for url in entry_candidates(start):
        if len(tried) >= _MOST_TRIED or sampler.spent:
            break
        page = await sampler.get(url)
        if page is None or page.url in tried:
            continue
        tried.add(page.url)
        is_better = first is None or page.verdict.type == "index" or page.url == start.url
        if not is_better and page.url not in above:
            continue  # a list is known already; a page that does not even look like one is not better
        explorer = Explorer(sampler)
        await explorer.look_at(page, _VOTES)
        if not is_better and len(explorer.urls_of("index")) < 2:
            continue  # unless it stands above the start page and lists boards
        if page.url == start.url and first is not None and not _lists_directly(explorer):
            continue
        if len(explorer.urls_of("index")) >= 2 or len(explorer.urls_of("thread")) >= 2:
            if page.url != start.url and start.verdict.type != "other":
                await explorer.explore(page)
            if explains(explorer, page, start) and not await _lists_others(sampler, page, start, explorer):
                return first if first and _is_copy(first, page, explorer) else (page, explorer)
            first = first or (page, explorer)
    return first


async def _lists_others(sampler: Sampler, page: Sampled, start: Sampled, explorer: Explorer) -> bool:
    """Whether a start page that looks like no list lists boards, and neither they nor their threads are the other's.

    A front page with two boards hardly looks like a list; the blog above it is another site. But somebody's lists of
    threads and posts, which only look like boards, lead to the threads of the forum above.
    """
    if page.url == start.url or start.verdict.type != "other":
        return False
    own = Explorer(sampler)
    await own.look_at(start, _VOTES)
    boards = own.urls_of("index")
    looked_at = [board for url in boards[:_VOTES] if (board := await sampler.get(url)) is not None]
    listed = {*boards, *(url for board in looked_at for url in _listed(board.page))}
    return len(boards) >= 2 and not any(family.fits(url) for family in explorer.families for url in listed)


def _lists_directly(explorer: Explorer) -> bool:
    """Whether boards are listed, or threads by their own addresses; somebody's posts are listed by shortcuts."""
    direct = [url for family in explorer.of("thread") if not family.shortcut for url in family.urls]
    return len(explorer.urls_of("index")) >= 2 or len(direct) >= 2


def _is_copy(above: tuple[Sampled, Explorer], page: Sampled, explorer: Explorer) -> bool:
    """Whether a page is a plain copy of the entry above it (a text-only version): it has hardly more boards."""
    boards = len(explorer.urls_of("index"))
    same = len(above[1].urls_of("index")) >= _COPY * boards > 0
    return same and page.url.startswith(above[0].url)


def explains(explorer: Explorer, page: Sampled, start: Sampled) -> bool:
    """Whether the families of a page are those of the forum that the start page belongs to.

    The start page may be a flip, a permalink or a print view, so only the beginning of its address is compared. A
    list (a board beside the rows, a tag, somebody's posts) belongs to the forum whose threads it lists. A start page
    that is neither a list nor a thread (a profile, a login form) says nothing.
    """
    if page.url == start.url or start.verdict.type == "other":
        return True
    is_list = start.verdict.type == "index" or len(start.page.records) <= 1
    if is_list and _shares_threads(explorer, start):
        return True
    listed = {*explorer.urls_of("index"), *explorer.urls_of("thread")}
    return start.url in listed or _beginning(start.url, page.url) in {_beginning(url, page.url) for url in listed}


def _shares_threads(explorer: Explorer, start: Sampled) -> bool:
    """Whether the start page lists threads of the families that were found: two, or the only one that it shows.

    What stands beside its list counts for nothing: a blog's newest posts stand beside all pages of its forum.
    """
    threads = [family for family in explorer.of("thread") if family.generalises()]
    shared = sum(any(family.explains([url]) for family in threads) for url in _listed(start.page))
    return shared >= min(2, max(1, len(start.page.records)))


def _listed(page: Page) -> set[str]:
    """The URLs that a page links to from its records, or from anywhere where it has none to speak of."""
    return links_in(page, page.records) if len(page.records) > 1 else {link.url for link in page.links}


def _beginning(url: str, above: str) -> str:
    """The first segment of a URL below the folder of another, numbers blanked out."""
    path, folder = urlsplit(url).path, urlsplit(above).path.rpartition("/")[0] + "/"
    return _NUMBER.sub("0", path.removeprefix(folder).lstrip("/").split("/")[0])


def entry_candidates(start: Sampled) -> Iterator[str]:
    """Addresses where the entry may be, the likeliest first, each once."""
    seen: set[str] = set()
    own = [start.url] if start.verdict.type == "index" else []
    for url in (*_above(start), *own, *_most_linked(start), start.url):
        if url not in seen:
            seen.add(url)
            yield url


def _above(start: Sampled) -> Iterator[str]:
    """The site's root, then the folders above the start page (or their index files, where it links to those)."""
    split = urlsplit(start.url)
    origin = f"{split.scheme}://{split.netloc}"
    yield origin + "/"
    linked = {start.url: start.url} | {link.url.split("?")[0]: link.url for link in start.page.links}
    folders = split.path.split("/")[1:-1]
    for depth in range(1, len(folders) + 1):
        folder = f"{origin}/{'/'.join(folders[:depth])}/"
        if _DIGIT.search(urlsplit(folder).path):
            break
        index_file = next((url for url in linked.values() if _is_index_file(url, folder)), None)
        address = next((one for one in (folder, folder.rstrip("/")) if one in linked), index_file)
        yield address or folder


def _is_index_file(url: str, folder: str) -> bool:
    rest = url.removeprefix(folder)
    return rest != url and re.fullmatch(r"(?:index|default|home|main|portal)\.\w{2,5}", rest) is not None


def _most_linked(start: Sampled) -> list[str]:
    """Addresses without numbers or query that the page links to, the most repeated and the shortest first."""
    here = [link.url for link in start.page.links if same_site(link.url, start.url) and "?" not in link.url]
    counted = Counter(url for url in here if not _DIGIT.search(urlsplit(url).path))
    return sorted(counted, key=lambda url: (-counted[url], len(url)))


def keyword_entry(url: str) -> str:
    """The paper's baseline: the path up to a known word, else the host."""
    split = urlsplit(url)
    origin = f"{split.scheme}://{split.netloc}"
    segments = split.path.split("/")
    for depth, segment in enumerate(segments[:-1]):
        if any(segment.lower().endswith(word) for word in _KEYWORDS):
            return origin + "/".join(segments[: depth + 1]) + "/"
    return origin + "/"
