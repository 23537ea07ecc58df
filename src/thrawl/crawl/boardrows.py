"""The rows of boards on an entry page: how many posts each has, when the last was made, and the thread it stands in.

The numbers come with the sighting, each with its place in the row; which place counts posts is learned from several
looks (`refresh.seeing`). The last time in a row and its first link to a thread are those of its last post. Boards
that stand within the row of another, as names alone, have no row of their own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from thrawl.crawl.links import LinkReader
from thrawl.crawl.sightings import board_roots
from thrawl.crawl.values import BoardRow, Told
from thrawl.page.links import find_links
from thrawl.page.pagekind import PageKind
from thrawl.page.shown import ThreadRow
from thrawl.page.timeformat import TimeFormat
from thrawl.page.tree import Tree
from thrawl.profile.urls import separator_of

_ROW_NODES: Final = 400  # of a board's row that are read; a row of a real page has some 60
_FEWEST_ROWS: Final = 2  # boards without which there are no rows to speak of


@dataclass(frozen=True, slots=True)
class Moment:
    """A time that a page shows, and where."""

    node: int
    time: datetime
    text: str


def find_moments(tree: Tree, fetched: datetime, formats: Sequence[TimeFormat]) -> tuple[Moment, ...]:
    """All times of a page, read as the site's rows and posts are: 03/04 is what it is there, in the same zone."""
    from thrawl.page.times import find_times  # the grammar of all times, which no other page of a known site needs

    found = []
    for one in find_times(tree, fetched):
        read = (form.read_mention(one, fetched).value for form in formats)
        value = next((value for value in read if value is not None), None) or one.value(fetched)
        if value is not None:
            found.append(Moment(one.node, value if value.tzinfo else value.replace(tzinfo=UTC), one.text))
    return tuple(found)


def read_board_rows(
    tree: Tree, url: str, links: LinkReader, told: Sequence[Told], times: Sequence[Moment]
) -> tuple[BoardRow, ...]:
    """One row for each board that the page links, in order."""
    roots = board_roots(tree, url, links)
    boards: dict[str, int] = _described(tree, roots)
    threads: list[tuple[int, str]] = []
    for link in find_links(tree, url):
        typed = links.types.type(links.one_form(link.url))
        thread = _thread_of(link.url, links) if typed is None or typed.is_thread else None
        if thread is not None:
            threads.append((link.node, thread))
        elif (
            typed is not None and typed.list_url and link.anchor and typed.kind is PageKind.INDEX and not typed.reserve
        ):
            boards.setdefault(typed.list_url, link.node)
    if len(boards) < _FEWEST_ROWS:
        return ()
    owners = _Owners(tree, boards, roots, [one.node for one in times])
    moments: dict[str, list[datetime]] = {}
    for one in times:
        moments.setdefault(owners.owner(one.node), []).append(one.time)
    linked: dict[str, str] = {}
    for at, thread in threads:
        linked.setdefault(owners.owner(at), thread)
    rows = []
    for board in boards:
        numbers = tuple((each.place, each.number) for each in told if each.subject == board and "@" in each.place)
        own = () if owners.is_inside(board) else numbers
        rows.append(BoardRow(board, own, max(moments.get(board, ()), default=None), linked.get(board)))
    return tuple(rows)


def _described(tree: Tree, roots: Sequence[tuple[int, int, str]]) -> dict[str, int]:
    """The link of each board whose row says most: a menu names the same boards, and nothing beside."""
    said: dict[str, tuple[int, int]] = {}
    for root, node, board in roots:
        beside = min(tree.ends[root] - root, _ROW_NODES) - (tree.ends[node] - node)
        said[board] = max(said.get(board, (0, 0)), (beside, -node))
    return {board: -node for board, (beside, node) in said.items() if beside > 0}


class _Owners:
    """Which board's row a time or a link stands in.

    As a rule what follows a board's link up to the next board's is its own. A row may name further boards before its
    numbers and its last post, though; such an element has one time for all of them, behind the last name.
    """

    def __init__(
        self, tree: Tree, boards: dict[str, int], roots: Sequence[tuple[int, int, str]], times: Sequence[int]
    ) -> None:
        self._starts = sorted(boards.values())
        self._board_at = {node: board for board, node in boards.items()}
        self._inside: dict[str, str] = {}
        alone = {node for root, node, _ in roots if tree.ends[root] - root == tree.ends[node] - node}
        rooted = {node: root for root, node, _ in roots}
        for root, node, board in roots:
            own = self._starts[bisect_left(self._starts, root) : bisect_left(self._starts, tree.ends[root])]
            if boards.get(board) != node or node != own[0] or len(own) == 1:
                continue
            told = {bisect_right(own, at) - 1 for at in times if root <= at < tree.ends[root]}
            names = (one in alone or rooted.get(one, root) <= root for one in own[1:])
            if told == {len(own) - 1} and all(names):
                self._inside |= {self._board_at[other]: board for other in own[1:]}

    def owner(self, node: int) -> str:
        """The board, or nothing where the page begins or a row is too far away."""
        before = bisect_right(self._starts, node) - 1
        if before < 0 or node - self._starts[before] > _ROW_NODES:
            return ""
        board = self._board_at[self._starts[before]]
        return self._inside.get(board, board)

    def is_inside(self, board: str) -> bool:
        return board in self._inside


def _thread_of(url: str, links: LinkReader) -> str | None:
    """The thread that an address leads to: its own, or one with something behind it that asks for the last post."""
    for form in (url, *_without_end(url)):
        typed = links.types.type(links.one_form(form))
        if typed is not None:
            return typed.list_url if typed.is_thread else None
    return None


def _without_end(url: str) -> tuple[str, ...]:
    """An address without its last parameter, or without the last step of its path."""
    base, mark, query = url.partition("#")[0].partition("?")
    if mark:
        kept = query.rpartition(separator_of(query))[0]
        return (f"{base}?{kept}" if kept else base,)
    shorter = base.rstrip("/").rpartition("/")[0]
    return (shorter, f"{shorter}/")


def read_newest_rows(tree: Tree, url: str, links: LinkReader, times: Sequence[Moment]) -> tuple[ThreadRow, ...]:
    """The threads that a page of newest posts links, each with the time that stands before the next one's link.

    Such a page is no list of the forum's and mostly built otherwise, so the wrapper of index rows does not fit it.
    """
    threads: dict[str, tuple[int, str]] = {}
    for link in find_links(tree, url):
        thread = _thread_of(link.url, links) if link.anchor else None
        if thread is not None:
            threads.setdefault(thread, (link.node, link.anchor))
    starts = sorted(node for node, _ in threads.values())
    rows = []
    for thread, (node, title) in threads.items():
        following = bisect_left(starts, node + 1)
        end = min(starts[following] if following < len(starts) else node + _ROW_NODES, node + _ROW_NODES)
        moments = [(one.time, one.text) for one in times if node < one.node < end]
        last, text = max(moments, default=(None, None))
        rows.append(ThreadRow(title, thread, last_time=last, last_time_text=text))
    return tuple(rows)
