"""HTML mode: the same forum through a small skin, read back from the markup.

The fast mode hands records to the policy; here each page is rendered as a visitor would get it and only what stands
in the markup is read. A test shows that a policy makes the same visits in both modes, so that years may be simulated
in the fast one.
"""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from thrawl.lab.simulation.forum import Forum, Page, PostsPage
from thrawl.refresh.pages import EntryShown, PageRef, RowsShown


class HtmlForum(Forum):
    """A forum that answers with what its own markup says."""

    def show(self, ref: PageRef) -> Page:
        return read_page(render_page(super().show(ref)))


def render_page(shown: Page) -> str:
    if isinstance(shown, PostsPage):
        named = zip(shown.posts, shown.times, strict=True)
        posts = "".join(f"<article id=p{post}>{_time(time)}<p>…</p></article>" for post, time in named)
        return _page("posts", posts + _pager(shown.page, shown.pages))
    if isinstance(shown, RowsShown):
        rows = "".join(_thread_row(shown, place) for place in range(len(shown.threads)))
        return _page("rows", f"<table>{rows}</table>" + _pager(0, shown.pages))
    rows = "".join(_board_row(shown, place) for place in range(len(shown.boards)))
    return _page("entry", f"<table>{rows}</table>")


def read_page(html: str) -> Page:
    tree = LexborHTMLParser(html)
    main = tree.css_first("main")
    kind = main.attributes["id"] if main is not None else None
    if kind == "posts":
        current, pages = _read_pager(tree)
        posts = [int((node.attributes["id"] or "")[1:]) for node in tree.css("article")]
        return PostsPage(posts, [_read_time(node) for node in tree.css("article time")], current, pages)
    rows = tree.css("tr")
    if kind == "rows":
        return _read_rows(rows, _read_pager(tree)[1])
    return _read_entry(rows)


def _page(kind: str, body: str) -> str:
    return f"<!doctype html><title>Forum</title><main id={kind}>{body}</main>"


def _time(time: int) -> str:
    stamp = datetime.fromtimestamp(time, UTC).isoformat()
    return f'<time datetime="{stamp}">{stamp}</time>'


def _pager(page: int, pages: int) -> str:
    return f'<nav>Page <b>{page}</b> of <a href="?page={pages}">{pages}</a></nav>'


def _thread_row(shown: RowsShown, place: int) -> str:
    thread = shown.threads[place]
    cells = [f'<td><a href="/thread/{thread}">Thread {thread}</a>']
    if shown.boards is not None:
        cells.append(f'<td><a href="/board/{shown.boards[place]}">Board</a>')
    if shown.posts is not None:
        cells.append(f"<td class=replies>{shown.posts[place] - 1} replies")
    if shown.last_times is not None:
        cells.append(f"<td>{_time(shown.last_times[place])}")
    mark = ' class="pinned"' if place < shown.sticky else ""
    return f"<tr{mark}>{''.join(cells)}"


def _board_row(shown: EntryShown, place: int) -> str:
    assert shown.posts is not None
    assert shown.last_times is not None
    board = shown.boards[place]
    link = ""
    if shown.last_threads is not None:
        link = f'<a href="/thread/{shown.last_threads[place]}">{escape("last post »")}</a>'
    return (
        f'<tr><td><a href="/board/{board}">Board {board}</a><td>{shown.posts[place]} posts'
        f"<td>{_time(shown.last_times[place])}{link}"
    )


def _read_rows(rows: list[LexborNode], pages: int) -> RowsShown:
    times = [_read_time(node) for row in rows for node in row.css("time")]
    boards = [_id(node) for row in rows for node in row.css('a[href^="/board/"]')]
    posts = [int(node.text().removesuffix(" replies")) + 1 for row in rows for node in row.css("td.replies")]
    return RowsShown(
        threads=[_id(node) for row in rows for node in row.css('a[href^="/thread/"]')],
        last_times=times or None,
        posts=posts or None,
        boards=boards or None,
        sticky=sum("class" in row.attributes for row in rows),
        pages=pages,
    )


def _read_entry(rows: list[LexborNode]) -> EntryShown:
    links = [_id(node) for row in rows for node in row.css('a[href^="/thread/"]')]
    return EntryShown(
        boards=[_id(node) for row in rows for node in row.css('a[href^="/board/"]')],
        posts=[int(node.text().removesuffix(" posts")) for row in rows for node in row.css("td:nth-child(2)")],
        last_times=[_read_time(node) for row in rows for node in row.css("time")],
        last_threads=links or None,
    )


def _read_pager(tree: LexborHTMLParser) -> tuple[int, int]:
    current, last = tree.css_first("nav b"), tree.css_first("nav a")
    return (int(current.text()), int(last.text())) if current is not None and last is not None else (1, 1)


def _read_time(node: LexborNode) -> int:
    return int(datetime.fromisoformat(node.attributes["datetime"] or "").timestamp())


def _id(node: LexborNode) -> int:
    return int((node.attributes["href"] or "").rsplit("/", 1)[-1])
