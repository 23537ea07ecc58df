"""Index pages of random forums: rows of boards and rows of threads, in any of several layouts and sets of columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from thrawl.lab.random import timing
from thrawl.lab.random.pagers import row_pager
from thrawl.lab.random.paint import Paint
from thrawl.lab.random.posts import titles
from thrawl.lab.random.structure import PREVIEWS
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.skins.values import Line
from thrawl.lab.world import Board, Post

Cell = tuple[str, str]  # its role, and its HTML


# --- threads


def thread_rows(paint: Paint, numbers: Iterable[int], place: SitePage | None = None) -> str:
    """The rows of threads; with the list's place, its columns have headings and it can be sorted."""
    rows = [_thread_cells(paint, paint.plan.line(number)) for number in numbers]
    headings = _headings(paint, place) if place is not None else []
    bar = "" if paint.choices.rows == "table" or not paint.choices.sorting else " | ".join(headings)
    bar = f"<div{paint.css('sort-bar')}>{paint.language.sort_by}: {bar}</div>" if bar else ""
    return bar + laid_out(paint, paint.choices.rows, rows, headings, "row")


def _thread_cells(paint: Paint, line: Line) -> list[Cell]:
    cells = {
        "title": _title(paint, line),
        "author": _row_author(paint, line),
        "count": _count(paint, line),
        "last": _last(paint, line),
    }
    return [(name, cells[name]) for name in _order(paint) if name in cells and cells[name] is not None]


def _order(paint: Paint) -> list[str]:
    """The columns of this forum in its order: mostly the title first."""
    choices = paint.choices
    shown = ["author"] if choices.row_author != "none" else []
    shown += ["count"] if choices.counts != "none" else []
    shown += ["last"] if choices.last_column != "none" else []
    random = paint.random("columns")
    random.shuffle(shown)
    shown.insert(0 if random.random() < 0.8 else min(1, len(shown)), "title")
    return shown


def _headings(paint: Paint, place: SitePage) -> list[str]:
    words = paint.language
    counted = words.posts if paint.choices.counts == "posts" else words.replies
    named = {"title": words.thread, "author": words.author, "count": counted, "last": words.last_post}
    return [_heading(paint, place, name, named[name]) for name in _order(paint)]


def _heading(paint: Paint, place: SitePage, name: str, text: str) -> str:
    """A column's name; it sorts the list where the forum allows that."""
    if not paint.choices.sorting or not sortable(place):
        return escape(text)
    return paint.link(SitePage(place.what, place.id, paint.plan.opening(place), key=name, form="sorted"), text, "sort")


def sortable(place: SitePage) -> bool:
    return place.what in ("entry", "board", "list")


def _title(paint: Paint, line: Line) -> str:
    thread = line.thread
    extra, more = paint.choices.row_extra, ""
    if extra == "date-tooltip":
        moment = paint.plan.view.moment
        more = f' title="{escape(timing.written("long", paint.language, thread.created, moment))}"'
    first = paint.plan.posts(thread.id)[0]
    if extra == "words-tooltip":
        more = f' title="{escape(first.text[:90])}"'
    link = paint.link(paint.thread_link(thread.id), thread.title, "title", more)
    pin = f"<b{paint.css('pin')}>{paint.language.sticky}:</b> " if thread.sticky else ""
    return f"{_before_title(paint, thread.id)}{pin}{link}{row_pager(paint, thread.id)}{_after_title(paint, first)}"


def _before_title(paint: Paint, number: int) -> str:
    if paint.choices.row_extra == "icon":
        # Software marks unread threads with a picture that leads to the first unread post.
        where = paint.href(paint.thread_link(number))
        return f'<a href="{where}"><img src="/i/{number % 3}.gif" alt=""></a> '
    if paint.choices.row_extra == "prefix":
        return f"<span{paint.css('prefix')}>{escape(paint.things[number % len(paint.things)])}</span> "
    return ""


def _after_title(paint: Paint, first: Post) -> str:
    excerpt = paint.choices.row_extra == "excerpt"
    several = ""
    if paint.choices.forms == "several":
        opened = paint.plan.opened("thread", first.thread)
        other = SitePage("thread", opened.id, opened.page, form="view")
        several = f' <a{paint.css("new")} href="{paint.href(other)}">&raquo;</a>'
    if paint.choices.index_trees:
        thread = paint.plan.view.thread(first.thread)
        assert thread is not None
        several += titles(paint, thread, None)
    return several + (f"<div{paint.css('excerpt')}>{escape(first.text[:80])}…</div>" if excerpt else "")


def _row_author(paint: Paint, line: Line) -> str:
    if paint.choices.row_author == "plain":
        return escape(line.thread.author.name)
    return paint.user(line.thread.author, "row-user")


def _count(paint: Paint, line: Line) -> str:
    number = line.replies + 1 if paint.choices.counts == "posts" else line.replies
    if paint.choices.rows in ("table", "definitions"):
        return str(number)
    word = paint.language.posts if paint.choices.counts == "posts" else paint.language.replies
    return f"{number} {word}"


def _last(paint: Paint, line: Line) -> str:
    last = line.last
    shortcut = ""
    if paint.choices.forms == "last":
        shortcut = f' <a{paint.css("jump")} href="{paint.href(SitePage("last", line.thread.id))}">&raquo;</a>'
    elif paint.choices.thread_id == "message" and paint.plan.size("thread") > 1:
        where = paint.href(SitePage("post", last.id), paint.anchor(last))
        shortcut = f' <a{paint.css("jump")} href="{where}">&raquo;</a>'
    by = paint.user(last.author, "last-user") if paint.choices.row_author == "link" else escape(last.author.name)
    match paint.choices.last_column:
        case "time":
            return paint.row_when(last.time) + shortcut
        case "author":
            return by + shortcut
    return f"{paint.row_when(last.time)} {paint.language.by} {by}{shortcut}"


# --- boards


def board_rows(paint: Paint, boards: Sequence[Board]) -> str:
    rows = [_board_cells(paint, board) for board in boards]
    if paint.choices.wall and any(board is paint.plan.view.boards[0] for board in boards):
        rows.append([("board-name", paint.link(SitePage("private"), paint.wording.private, "board-title"))])
    return laid_out(paint, paint.choices.board_rows, rows, [], "board-row")


def _board_cells(paint: Paint, board: Board) -> list[Cell]:
    view, choices = paint.plan.view, paint.choices
    name = paint.link(paint.plan.opened("board", board.id), board.title, "board-title")
    about = f"<div{paint.css('about')}>{escape(board.about)}</div>" if choices.board_about else ""
    cells = [("board-name", f"{name}{about}{_inline(paint, board)}{_previews(paint, board)}")]
    if choices.board_counts:
        threads, posts = view.board_totals(board.id)
        told = paint.wording.totals.format(threads=threads, posts=posts)
        cells += (
            [("total", str(threads)), ("total", str(posts))] if choices.board_rows == "table" else [("total", told)]
        )
    last = view.board_last(board.id)
    if choices.board_last != "none" and last is not None:
        cells.append(("board-last", _board_last(paint, last)))
    return cells


def _board_last(paint: Paint, last: Post) -> str:
    if paint.choices.board_last == "time":
        return f"{paint.row_when(last.time)} {paint.language.by} {escape(last.author.name)}"
    thread = paint.plan.view.thread(last.thread)
    assert thread is not None
    title = paint.link(paint.thread_link(thread.id), thread.title, "last-title")
    return f"{title}<br>{paint.row_when(last.time)} {paint.user(last.author)}"


def _inline(paint: Paint, board: Board) -> str:
    """Sub-boards that are named in the row of the board above them."""
    inside = paint.plan.view.children(board.id)
    if not inside or paint.choices.nested != "inline":
        return ""
    links = ", ".join(paint.link(paint.plan.opened("board", child.id), child.title, "sub") for child in inside)
    return f"<div{paint.css('subs')}>{links}</div>"


def _previews(paint: Paint, board: Board) -> str:
    """The newest threads of a board below its name."""
    if paint.choices.structure != "previews":
        return ""
    numbers = [int(number) for number in paint.plan.view.thread_ids(board.id)[:PREVIEWS]]
    return f"<div{paint.css('previews')}>{thread_rows(paint, numbers)}</div>"


# --- layouts


def laid_out(paint: Paint, layout: str, rows: Sequence[Sequence[Cell]], headings: Sequence[str], role: str) -> str:
    """Rows of cells in one of the ways of writing a list."""
    css = paint.css
    match layout:
        case "table":
            head = "".join(f"<th>{heading}</th>" for heading in headings)
            body = "".join(
                f"<tr{css(role)}>{''.join(f'<td{css(name)}>{cell}</td>' for name, cell in row)}</tr>\n" for row in rows
            )
            return f"<table{css(role + '-list')}>{f'<tr>{head}</tr>' if head else ''}{body}</table>"
        case "list":
            return _wrapped(paint, "ul", "li", rows, role)
        case "definitions":
            items = "".join(
                f"<dt{css(row[0][0])}>{row[0][1]}</dt>"
                + "".join(f"<dd{css(name)}>{cell}</dd>" for name, cell in row[1:])
                for row in rows
            )
            return f"<dl{css(role + '-list')}>{items}</dl>"
        case "paragraphs":
            lines = (" - ".join(f"<span{css(name)}>{cell}</span>" for name, cell in row) for row in rows)
            return "".join(f"<p{css(role)}>{line}</p>\n" for line in lines)
        case "headings":
            return "".join(
                f"<h3>{row[0][1]}</h3>{''.join(f'<p{css(name)}>{cell}</p>' for name, cell in row[1:])}\n"
                for row in rows
            )
    return _wrapped(paint, "div", "div", rows, role)


def _wrapped(paint: Paint, outer: str, inner: str, rows: Sequence[Sequence[Cell]], role: str) -> str:
    css = paint.css
    items = "".join(
        f"<{inner}{css(role)}>{''.join(f'<div{css(name)}>{cell}</div>' for name, cell in row)}</{inner}>\n"
        for row in rows
    )
    return f"<{outer}{css(role + '-list')}>{items}</{outer}>"
