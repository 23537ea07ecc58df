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
from thrawl.page.shown import ThreadRow
from thrawl.page.tree import Tree
from thrawl.profile.urls import separator_of

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


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def read_newest_rows(tree: Tree, url: str, links: LinkReader, fetched: datetime) -> tuple[ThreadRow, ...]:
    """The threads that a page of newest posts links, each with the time that stands before the next one's link.

    Such a page is no list of the forum's and mostly built otherwise, so the wrapper of index rows does not fit it.
    """
    from thrawl.page.times import find_times  # as above

    threads: dict[str, tuple[int, str]] = {}
    for link in find_links(tree, url):
        thread = _thread_of(link.url, links) if link.anchor else None
        if thread is not None:
            threads.setdefault(thread, (link.node, link.anchor))
    times = [
        (one.node, value, one.text) for one in find_times(tree, fetched) if (value := one.value(fetched)) is not None
    ]
    starts = sorted(node for node, _ in threads.values())
    rows = []
    for thread, (node, title) in threads.items():
        following = bisect_left(starts, node + 1)
        end = min(starts[following] if following < len(starts) else node + _ROW_NODES, node + _ROW_NODES)
        moments = [(_aware(value), text) for at, value, text in times if node < at < end]
        last, text = max(moments, default=(None, None))
        rows.append(ThreadRow(title, thread, last_time=last, last_time_text=text))
    return tuple(rows)
