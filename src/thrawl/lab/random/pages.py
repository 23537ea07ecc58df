"""The main parts of a random forum's own pages: entry, categories, boards, lists by month, threads."""

from __future__ import annotations

from html import escape

from thrawl.lab.random.frame import crumbs, heading, tag_words, whole_page
from thrawl.lab.random.pagers import head_links, pager
from thrawl.lab.random.paint import Paint
from thrawl.lab.random.posts import posts_html
from thrawl.lab.random.rows import board_rows, thread_rows
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.world import Board, Thread

_RELATED = 4


def list_page(paint: Paint, place: SitePage) -> str:
    """Any page of a list: entry, category, board, month or thread."""
    head = head_links(paint, place)
    match place.what:
        case "entry":
            return whole_page(paint, paint.site_name, _entry(paint, place), head=head, side=_board_menu(paint))
        case "category":
            title = f"{paint.wording.forum} {place.id + 1}"
            main = crumbs(paint) + heading(paint, title) + board_rows(paint, paint.plan.categories[place.id])
            return whole_page(paint, title, main)
        case "thread":
            thread = paint.plan.view.thread(place.id)
            assert thread is not None
            return whole_page(paint, thread.title, _thread(paint, place, thread), head=head)
    board = paint.plan.view.board(place.id)
    title = board.title if board is not None else paint.site_name
    return whole_page(paint, title, _board(paint, place, board), head=head)


def _entry(paint: Paint, place: SitePage) -> str:
    plan = paint.plan
    top = heading(paint, paint.site_name) + _counters(paint)
    records = plan.on_page(place)
    match paint.choices.structure:
        case "single" if paint.choices.landing != "none":
            return top + _landing(paint, 0)
        case "single" | "latest":
            return top + _listed(paint, place, thread_rows(paint, records, place))
        case "categories":
            items = "".join(
                f"<li>{paint.link(SitePage('category', number), f'{paint.wording.forum} {number + 1}')}</li>"
                for number in records
            )
            return f"{top}<ul{paint.css('categories')}>{items}</ul>"
    boards = [board for board in plan.view.boards if board.id in records]
    return top + _listed(paint, place, board_rows(paint, boards))


def _board_menu(paint: Paint) -> str:
    """Boards beside the newest threads; nowhere else are they named."""
    if paint.choices.structure != "latest":
        return ""
    boards = paint.plan.view.boards
    items = "".join(f"<li>{paint.link(paint.plan.opened('board', board.id), board.title)}</li>" for board in boards)
    return f"<div{paint.css('board-menu')}><h4>{paint.wording.forum}</h4><ul>{items}</ul></div>"


def _counters(paint: Paint) -> str:
    if not paint.choices.counters:
        return ""
    view = paint.plan.view
    told = paint.wording.totals.format(threads=f"{view.thread_count:,}", posts=f"{view.post_count:,}")
    return f"<p{paint.css('counters')}>{told}</p>\n"


def _listed(paint: Paint, place: SitePage, rows: str) -> str:
    """Rows between the list's pagers."""
    drawn = "" if place.form == "sorted" else pager(paint, place)
    where = paint.choices.pager_place
    return f"{drawn if where in ('both', 'above') else ''}{rows}{drawn if where in ('both', 'below') else ''}"


def _board(paint: Paint, place: SitePage, board: Board | None) -> str:
    plan = paint.plan
    way = () if board is None else _way(paint, board)[: None if place.what != "board" else -1]
    title = board.title if board is not None else paint.site_name
    top = crumbs(paint, *way) + heading(paint, title, plan.opened(place.what, place.id, place.key))
    opens = place.page == plan.opening(place)
    if place.what == "board" and board is not None and opens:
        inside = plan.view.children(board.id)
        top += board_rows(paint, inside) if inside and paint.choices.nested == "below" else ""
    if place.what == "board" and paint.choices.landing != "none":
        return top + _landing(paint, place.id)
    records = list(reversed(plan.records(place)))[: plan.size(place.what)] if place.form else plan.on_page(place)
    return top + _listed(paint, place, thread_rows(paint, records, place))


def _landing(paint: Paint, number: int) -> str:
    """What stands before a board's list: its description and the links to its lists."""
    board = paint.plan.view.board(number)
    about = f"<p>{escape(board.about)}</p>" if board is not None else ""
    items = []
    for place in paint.plan.thread_lists(number):
        opened = paint.plan.opened(place.what, place.id, place.key)
        items.append(f"<li>{paint.link(opened, _list_name(paint, place))}</li>")
    return f"{about}<h3>{paint.wording.archive}</h3><ul{paint.css('lists')}>{''.join(items)}</ul>"


def _list_name(paint: Paint, place: SitePage) -> str:
    if place.what != "month":
        return paint.wording.all
    year, month = place.key.split("-")
    return f"{paint.language.months[int(month) - 1]} {year}"


def _way(paint: Paint, board: Board) -> tuple[tuple[SitePage, str], ...]:
    return tuple((paint.plan.opened("board", step.id), step.title) for step in paint.plan.view.path(board.id))


def _thread(paint: Paint, place: SitePage, thread: Thread) -> str:
    board = None if paint.plan.single else paint.plan.view.board(thread.board)
    way = _way(paint, board) if board is not None else ()
    opened = paint.plan.opened("thread", thread.id)
    posts = posts_html(paint, thread, paint.plan.posts_on(place), whole=place.form == "whole")
    # A page of one post has its way to the others in the tree of titles.
    body = posts if paint.plan.size("thread") == 1 else _listed(paint, place, posts)
    top = crumbs(paint, *way) + heading(paint, thread.title, opened) + _tools(paint, thread)
    return top + body + _after(paint, thread)


def _tools(paint: Paint, thread: Thread) -> str:
    parts = []
    if paint.choices.print_views:
        parts.append(paint.link(SitePage("print", thread.id), paint.language.print_view))
    if paint.choices.tags:
        parts += [paint.link(SitePage("tag", key=word), word, "tag") for word in tags_of(paint, thread.id)]
    return f"<div{paint.css('tools')}>{' '.join(parts)}</div>" if parts else ""


def tags_of(paint: Paint, number: int) -> list[str]:
    """The tags of a thread: one or two."""
    words = tag_words(paint)
    return sorted({words[number % len(words)], words[number // 7 % len(words)]})


def _after(paint: Paint, thread: Thread) -> str:
    choices, words = paint.choices, paint.language
    ids = paint.plan.thread_ids
    here = ids.index(thread.id)
    parts = []
    if choices.neighbours:
        near = [(words.previous, ids[max(here - 1, 0)]), (words.next, ids[min(here + 1, len(ids) - 1)])]
        links = [
            paint.link(paint.plan.opened("thread", number), f"{label} {words.thread}")
            for label, number in near
            if number != thread.id
        ]
        parts.append(f"<div{paint.css('neighbours')}>{' | '.join(links)}</div>")
    if choices.related:
        items = []
        for number in (ids[here + 1 :] + ids[:here])[3 : 3 + _RELATED]:
            other = paint.plan.view.thread(number)
            assert other is not None
            items.append(f"<li>{paint.link(paint.plan.opened('thread', number), other.title)}</li>")
        parts.append(f"<div{paint.css('related')}><h4>{paint.wording.related}</h4><ul>{''.join(items)}</ul></div>")
    if choices.reply_form:
        action = paint.href(SitePage("compose", thread.id))
        parts.append(
            f'<form method="post" action="{action}"><textarea name="t"></textarea><button>{words.reply}</button></form>'
        )
    return "".join(parts)
