"""Boards above and below the known ones: `/topics/lenses/` tells of `/topics/` trees of other depths.

A forum whose boards are folders may nest them as deep as it likes, so the addresses of its boards have no one length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from posixpath import commonpath
from typing import Final
from urllib.parse import urlsplit

from thrawl.learn.explore import BOARD_VOTES, Explorer, links_in_records
from thrawl.learn.families import Family
from thrawl.learn.groups import Candidate, candidates, head_of, vote
from thrawl.learn.sampler import Sampled
from thrawl.profile.pagerwords import page_number, says_next
from thrawl.profile.urls import Structure, is_for_programs, take_apart

_BRANCHES: Final = 4
_REPEATED: Final = 0.9
_DIGIT: Final = re.compile(r"\d")


async def climb(explorer: Explorer, hub: Sampled) -> None:
    """Find boards above and below the known ones."""
    for family in explorer.of("index"):
        branch = branch_of(family.urls)
        if branch and f"/{branch}/" not in f"{hub.url}/":
            for candidate in [*_on_branch(explorer, branch), *_folders(explorer, family, branch)]:
                await _climb_to(explorer, candidate, hub)
    for candidate in _below_boards(explorer):
        await _climb_to(explorer, candidate, hub)


async def _climb_to(explorer: Explorer, candidate: Candidate, hub: Sampled) -> None:
    result = await vote(explorer.sampler, candidate.urls[:2])
    if result is not None and result.type == "index" and not _repeats(explorer, hub, result.pages):
        found = Family("index", confidences=[result.confidence])
        found.add(candidate)
        explorer.families.append(found)
        for sampled in result.pages:
            await explorer.look_at(sampled, BOARD_VOTES)


def _repeats(explorer: Explorer, hub: Sampled, pages: Iterable[Sampled]) -> bool:
    """Whether pages list the same boards as the hub: other forms of it, such as a plain list of boards."""
    everything = {link.url for link in hub.page.links}
    boards = set(explorer.urls_of("index")) & everything
    for page in pages:
        listed = len(boards & links_in_records(page.page))
        same = len(everything & {link.url for link in page.page.links})
        if (len(boards) > 1 and listed >= _REPEATED * len(boards)) or same >= _REPEATED * len(everything):
            return True
    return False


def branch_of(urls: Iterable[str]) -> str:
    """The folder that all these URLs share, numbers blanked out."""
    return commonpath(["/" + head_of(url) for url in urls])[1:]


def _on_branch(explorer: Explorer, branch: str) -> list[Candidate]:
    """Groups of links below a folder of boards that no family explains, longest anchors first."""
    return _unexplained(
        explorer,
        (
            candidate
            for sampled in explorer.sampler.sampled
            for candidate in candidates(sampled.page)
            if all(head == branch or head.startswith(f"{branch}/") for head in candidate.heads)
            or all(urlsplit(url).path.strip("/") == branch for url in candidate.urls)
        ),
    )


def _below_boards(explorer: Explorer) -> list[Candidate]:
    """Links of boards that go on from the board's own address, which is a folder: to the boards below it."""
    known = set(explorer.urls_of("index"))
    folders = [page for url, page in explorer.index_pages.items() if url in known and url.endswith("/")]
    return _unexplained(
        explorer,
        (
            candidate
            for board in folders
            for candidate in candidates(board.page)
            if all(url.startswith(board.url) and url.endswith("/") for url in candidate.urls)
        ),
    )


def _unexplained(explorer: Explorer, groups: Iterable[Candidate]) -> list[Candidate]:
    """The groups that no family explains and that may be boards, one for each structure."""
    found: dict[Structure, Candidate] = {}
    for candidate in groups:
        named = candidate.structure.names or any(family.explains(candidate.urls) for family in explorer.families)
        if not named and not any(map(_is_no_board, candidate.urls, candidate.anchors)):
            known = found.get(candidate.structure)
            found[candidate.structure] = known.merged(candidate) if known else candidate
    return [one for one in found.values() if not _same_below_all(one.urls)][:_BRANCHES]


def _folders(explorer: Explorer, family: Family, branch: str) -> list[Candidate]:
    """The folders between a branch and its boards: boards themselves on many sites, linked or not."""
    first = next(iter(family.urls))
    tail = "/" if first.endswith("/") else ""
    origin = take_apart(first).structure.origin
    known = {url for one in explorer.families for url in one.urls}
    parents = {urlsplit(url).path.rstrip("/").rpartition("/")[0] for url in family.urls}
    deeper = sorted(path for path in parents if path.strip("/") != branch and not _DIGIT.search(path))
    urls = tuple(url for path in deeper if (url := f"{origin}{path}{tail}") not in known)
    if take_apart(first).structure.names or not urls:
        return []
    return [Candidate(urls, urls, next(iter(family.places))[0], take_apart(urls[0]).structure, -1)]


def _same_below_all(urls: Iterable[str]) -> bool:
    """Whether several folders have the same thing below them: views of boards ("unanswered"), not boards."""
    parents: dict[str, set[str]] = {}
    for url in urls:
        parent, _, name = urlsplit(url).path.rstrip("/").rpartition("/")
        parents.setdefault(name, set()).add(parent)
    return any(len(found) > 1 for found in parents.values())


def _is_no_board(url: str, anchor: str) -> bool:
    """A flip, or a file that is no page."""
    return says_next(anchor) or page_number(anchor) is not None or is_for_programs(url)
