"""Where the entry page may be: proposals from the start page's address and links (FoCUS 4.5, algorithm 3).

The paper intersects the links of random pages and downloads every survivor. Its two observations allow fewer requests:
almost every page links to the entry, and the entry stands above what it leads to. Which proposal is the entry is
decided in `infer`, by what the pages list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from thrawl.learn.sampler import Sampled
from thrawl.page.reading import Page
from thrawl.profile.folding import fold
from thrawl.profile.urls import same_site

_DIGIT: Final = re.compile(r"\d")
_BETWEEN_NAMES: Final = re.compile(r"\s+[-|:>/~\u00ab\u00b7\u00bb\u2013\u2014\u2022\u203a]+\s+")
_MOST_ABOVE: Final = 4  # folders above a start page that are asked for


def above(url: str) -> list[str]:
    """The site's root, then the folders above a URL, the shortest first; folders with numbers are lists, not homes."""
    split = urlsplit(url)
    origin = f"{split.scheme}://{split.netloc}"
    folders = split.path.split("/")[1:-1]
    found = [origin + "/"]
    for depth in range(1, len(folders) + 1):
        if _DIGIT.search("/".join(folders[:depth])):
            break
        found.append(f"{origin}/{'/'.join(folders[:depth])}/")
    return found[:_MOST_ABOVE]


def above_as_linked(start: Sampled) -> Iterator[str]:
    """The addresses above a page, in the form in which it links to them: without the last slash, or an index file."""
    linked = {link.url.split("?")[0]: link.url for link in start.page.links}
    for folder in above(start.url):
        bare = folder.rstrip("/")
        index_file = next((url for url in linked.values() if _is_index_file(url, folder)), None)
        yield next((one for one in (folder, bare) if one in linked), index_file or folder)


def _is_index_file(url: str, folder: str) -> bool:
    rest = url.removeprefix(folder)
    return rest != url and re.fullmatch(r"(?:index|default|home|main|portal)\.\w{2,5}", rest) is not None


def most_linked(page: Page) -> list[str]:
    """Addresses without numbers or query that a page links to, the most repeated and the shortest first."""
    here = [link.url for link in page.links if same_site(link.url, page.url) and "?" not in link.url]
    counted = Counter(url for url in here if not _DIGIT.search(urlsplit(url).path))
    return sorted(counted, key=lambda url: (-counted[url], len(url)))


def named_like_site(page: Page) -> list[str]:
    """Where links lead that say what the window's title begins or ends with: the site's name, above all pages."""
    pieces = _BETWEEN_NAMES.split(page.tree.title)
    names = {fold(piece) for piece in (pieces[0], pieces[-1])} - {""} if len(pieces) > 1 else set()
    named = (link.url for link in page.links if fold(link.anchor) in names and same_site(link.url, page.url))
    return list(dict.fromkeys(url for url in named if url != page.url))


def breadcrumbs(page: Page) -> list[str]:
    """The links before a page's main records, the nearest last: those of breadcrumbs are among them."""
    first = page.main.records[0].start if page.main is not None else len(page.tree)
    return list(dict.fromkeys(link.url for link in page.links if link.node < first and same_site(link.url, page.url)))
