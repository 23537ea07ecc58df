"""The rows of boards on an entry page: how many posts each has, when the last was made, and the thread it stands in.

The numbers come with the sighting, each with its place in the row; which place counts posts is learned from several
looks (`refresh.boardwise`). What follows a board's link up to the next board's belongs to its row: the last time there
and the first link to a thread are those of its last post.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from thrawl.crawl.links import LinkReader
from thrawl.crawl.values import BoardRow, Told
from thrawl.page.links import find_links
from thrawl.page.tree import Tree

_ROW_NODES: Final = 400  # of a board's row that are read; a row of a real page has some 60
_FEWEST_ROWS: Final = 2  # boards without which there are no rows to speak of


def read_board_rows(
    tree: Tree, url: str, links: LinkReader, told: Sequence[Told], fetched: datetime
) -> tuple[BoardRow, ...]:
    """One row for each board that the page links, in order."""
    boards: dict[str, int] = {}
    threads: list[tuple[int, str]] = []
    for link in find_links(tree, url):
        typed = links.types.type(links.one_form(link.url))
        if typed is None or typed.list_url is None or not link.anchor:
            continue
        if typed.is_thread:
            threads.append((link.node, typed.list_url))
        elif typed.kind == "index" and not typed.reserve:
            boards.setdefault(typed.list_url, link.node)
    if len(boards) < _FEWEST_ROWS:
        return ()
    from thrawl.page.times import find_times  # the grammar of all times, which no other page of a known site needs

    times = [(one.node, value) for one in find_times(tree, fetched) if (value := one.value(fetched)) is not None]
    starts = sorted(boards.values())
    rows = []
    for board, node in boards.items():
        following = bisect_left(starts, node + 1)
        end = min(starts[following] if following < len(starts) else node + _ROW_NODES, node + _ROW_NODES)
        moments = [_aware(value) for at, value in times if node < at < end]
        linked = next((thread for at, thread in threads if node < at < end), None)
        numbers = tuple((one.place, one.number) for one in told if one.subject == board and "@" in one.place)
        rows.append(BoardRow(board, numbers, max(moments, default=None), linked))
    return tuple(rows)


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
