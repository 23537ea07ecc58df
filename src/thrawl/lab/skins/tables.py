"""Classic nested tables with query strings (English, month/day/year and a 12-hour clock).

Quirks: session ids in URLs until the cookie comes back, sort links, print views, post permalinks that answer 200
without a thread id, last-post shortcuts, jump menu, endless calendar, profiles, search form, quick-reply form,
"1 2 3 … 9 Next Last" pager, a small pager in rows of long threads, three table rows a post, signatures,
a board for members only.
"""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import ClassVar

from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.bodies import BREAKS, BodyLooks, body_html
from thrawl.lab.skins.language import clock12
from thrawl.lab.skins.pagers import flip_to, last_flip, next_flip, numbered
from thrawl.lab.skins.routes import Route, SitePage
from thrawl.lab.skins.values import Answer, Line, Visit
from thrawl.lab.world import Board, Post, Thread, View

BODY = BodyLooks(
    paragraph=BREAKS.paragraph,
    link=BREAKS.link,
    picture=BREAKS.picture,
    code='<table width="90%" class="cd"><tr><td><pre>{text}</pre></td></tr></table>',
    quote='<table width="90%" class="qt"><tr><td><b>{author} wrote:</b></td></tr><tr><td>{text}</td></tr></table>',
)


class Tables(Skin):
    name = "tables"
    family = "classic nested tables with query strings"
    quirks: ClassVar[tuple[str, ...]] = (
        "session ids in URLs",
        "sort links",
        "print views",
        "post permalinks that answer 200 without a thread id",
        "last-post shortcuts",
        "jump menu",
        "endless calendar",
        "profiles",
        "login wall",
        "search form",
        "quick-reply form",
        "1 2 3 … 9 next last pager",
        "three table rows a post",
        "signatures",
    )
    session_name = "zid"
    routes = (
        Route("entry", "/bench/"),
        Route("entry", "/bench/main.cgi", form="main"),
        Route("board", "/bench/box.cgi?no={id}"),
        Route("board", "/bench/box.cgi?no={id}&pg={page}"),
        Route("board", "/bench/box.cgi?no={id}&by={key}", form="sorted"),
        Route("board", "/bench/box.cgi?no={id}&by={key}&pg={page}", form="sorted"),
        Route("thread", "/bench/talk.cgi?item={id}"),
        Route("thread", "/bench/talk.cgi?item={id}&pg={page}"),
        Route("post", "/bench/talk.cgi?msg={id}"),
        Route("last", "/bench/talk.cgi?item={id}&jump=end"),
        Route("print", "/bench/paper.cgi?item={id}"),
        Route("user", "/bench/who.cgi?u={id}"),
        Route("members", "/bench/who.cgi"),
        Route("calendar", "/bench/dates.cgi?m={key}"),
        Route("calendar", "/bench/dates.cgi"),
        Route("search", "/bench/find.cgi"),
        Route("help", "/bench/rules.cgi"),
        Route("login", "/bench/enter.cgi"),
        Route("compose", "/bench/write.cgi"),
        Route("compose", "/bench/write.cgi?item={id}", form="reply"),
        Route("private", "/bench/box.cgi?no=1"),
        Route("newest", "/bench/recent.cgi"),
        Route("feed", "/bench/recent.cgi?as=xml"),
    )

    def settle(self, place: SitePage, view: View) -> SitePage:
        """Board 1 is the members' room: listed on the entry page, closed to guests."""
        return SitePage("private") if (place.what, place.id) == ("board", 1) else place

    def frame(self, visit: Visit, title: str, main: str) -> str:
        words = self.language
        menu = " | ".join(self.menu(visit, "help", "search", "members", "calendar", "login", "newest"))
        return (
            '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html><head>'
            f"<title>{escape(title)} - {escape(words.site)}</title>{self.feed_link(visit)}</head>\n"
            '<body bgcolor="#e8e4d8"><table width="95%" align="center" cellspacing="0"><tr><td>'
            f'<a href="{visit.to("entry", form="main")}"><font size="+2">{escape(words.site)}</font></a>'
            f'</td><td align="right"><small>{menu}</small></td></tr></table>\n'
            f'<table width="95%" align="center" bgcolor="#ffffff"><tr><td>{main}</td></tr></table>\n'
            f'<div align="center"><small>{words.page} made in 0.02 s</small></div></body></html>'
        )

    def date(self, time: datetime) -> str:
        return f"{time:%m-%d-%Y} {clock12(time)}"

    def entry(self, visit: Visit, place: SitePage) -> str:
        rows = "".join(self._section(visit, board) for board in visit.view.children(None))
        private = f'<a href="{visit.to("private")}"><b>Members\' room</b></a><br><small>For members only.</small>'
        return (
            f'<table width="100%" border="1" cellpadding="4"><tr bgcolor="#c9c2ae"><th>{self.language.board}</th>'
            f"<th>Subjects</th><th>{self.language.posts}</th><th>{self.language.last_post}</th></tr>{rows}"
            f"<tr><td>{private}</td><td>0</td><td>0</td><td>-</td></tr></table>"
        )

    def _section(self, visit: Visit, board: Board) -> str:
        """A board's row; the sub-boards of a board are named in its cell, each with its link."""
        view = visit.view
        threads, posts = view.board_totals(board.id)
        below = ", ".join(visit.link("board", child.id, child.title) for child in view.children(board.id))
        below = f"<br><small>Inside: {below}</small>" if below else ""
        return (
            f'<tr><td><a href="{visit.to("board", board.id)}"><b>{escape(board.title)}</b></a><br>'
            f'<small>{escape(board.about)}</small>{below}</td><td align="center">{threads}</td>'
            f'<td align="center">{posts}</td><td><small>{self._board_last(visit, board)}</small></td></tr>\n'
        )

    def _board_last(self, visit: Visit, board: Board) -> str:
        last = visit.view.board_last(board.id) if self.layers.entry_last else None
        if last is None:
            return "-"
        return (
            f"{self.date(last.time)}<br>by {visit.user(last.author)} "
            f'<a href="{visit.to("last", last.thread)}"><img src="/bench/go.gif" alt="&gt;&gt;"></a>'
        )

    def board(self, visit: Visit, place: SitePage, board: Board) -> str:
        inside = "".join(self._section(visit, child) for child in visit.view.children(board.id))
        inside = f'<table width="100%" border="1">{inside}</table>' if inside else ""
        rows = "".join(self._row(visit, line) for line in self.lines(visit, place))
        heads = "".join(
            f'<th><a href="{visit.to("board", board.id, key=key, form="sorted")}">{label}</a></th>'
            for key, label in (("title", "Subject"), ("who", "Started by"), ("size", "Replies"), ("last", "Latest"))
        )
        return (
            f"{self._crumbs(visit, board.id)}{inside}{self._pager(visit, place)}"
            f'<table width="100%" border="1" cellpadding="3"><tr bgcolor="#c9c2ae">{heads}</tr>\n{rows}</table>'
            f"{self._pager(visit, place)}{self._jump(visit)}"
        )

    def _row(self, visit: Visit, line: Line) -> str:
        thread, last = line.thread, line.last
        pin = "<b>Pinned:</b> " if thread.sticky else ""
        shortcut = f'<a href="{visit.to("last", thread.id)}">&raquo;</a>'
        latest = f"{self.date(last.time)} {shortcut} by {visit.user(last.author)}"
        return (
            f"<tr><td>{pin}{visit.link('thread', thread.id, thread.title)}{self._small_pager(visit, thread.id)}</td>"
            f'<td>{visit.user(thread.author)}</td><td align="center">{line.replies if self.layers.row_replies else "-"}'
            f"</td><td><small>{latest if self.layers.row_last else '-'}</small></td></tr>\n"
        )

    def _small_pager(self, visit: Visit, thread_id: int) -> str:
        place = SitePage("thread", thread_id)
        pages = range(2, min(self.page_count(place, visit.view), 4) + 1)
        links = " ".join(flip_to(visit, place, page, str(page)).link() for page in pages)
        return f" <small>( {links} )</small>" if links else ""

    def thread(self, visit: Visit, place: SitePage, thread: Thread) -> str:
        rows = "".join(self._post_rows(visit, post, thread) for post in self.posts_shown(place, visit.view))
        return (
            f"{self._crumbs(visit, thread.board)}<h3>{escape(thread.title)}</h3>"
            f'<small><a href="{visit.to("print", thread.id)}">{self.language.print_view}</a></small>'
            f'{self._pager(visit, place)}<table width="100%" border="1" cellpadding="4">{rows}</table>'
            f"{self._pager(visit, place)}{self._quick_reply(visit, thread)}{self._jump(visit)}"
        )

    def _post_rows(self, visit: Visit, post: Post, thread: Thread) -> str:
        head = "" if post.position == 1 else "Re: "
        edited = f"<br><i>Edited {self.date(post.edited)}</i>" if post.edited else ""
        return (
            f'<tr bgcolor="#ddd6c2"><td width="18%"><a name="{self.anchor(post.id)}"></a>{visit.user(post.author)}</td>'
            f"<td><small>{head}{escape(thread.title)} - {self.date(post.time)} - "
            f'<a href="{visit.to("post", post.id)}#{self.anchor(post.id)}">#{post.position}</a></small></td></tr>\n'
            f'<tr><td valign="top"><small>Joined: {post.author.joined:%m-%d-%Y}<br>Tinkerer</small></td>'
            f'<td valign="top">{body_html(post.body, BODY)}{edited}{self._signature(visit, post)}</td></tr>\n'
            f'<tr><td>&nbsp;</td><td align="right"><small><a href="{visit.to("compose", thread.id, form="reply")}">'
            f'Quote</a> | <a href="{visit.to("compose")}">Report</a></small></td></tr>\n'
        )

    def _signature(self, visit: Visit, post: Post) -> str:
        words = visit.view.world.signature(post.author)
        return f'<hr width="30%" align="left"><small>{escape(words)}</small>' if words else ""

    def _post(self, visit: Visit, place: SitePage) -> Answer:
        """A permalink shows the thread page itself, under an address that does not name the thread."""
        home = self.destination(place, visit.view)
        return self.missing(visit) if home is None else self._thread(visit, home)

    def _quick_reply(self, visit: Visit, thread: Thread) -> str:
        return (
            f'<form method="post" action="{visit.to("compose", thread.id, form="reply")}"><b>Quick reply</b><br>'
            '<textarea name="words" rows="6" cols="60"></textarea><br><input type="submit" value="Send"></form>'
        )

    def _pager(self, visit: Visit, place: SitePage) -> str:
        flips = numbered(visit, place)
        if len(flips) < 2:
            return ""
        ends = (next_flip(visit, place, "Next &gt;"), last_flip(visit, place, "Last &raquo;"))
        links = " ".join(flip.link() for flip in (*flips, *ends) if flip)
        return f'<p align="right">Pages: {links}</p>'

    def _crumbs(self, visit: Visit, board_id: int) -> str:
        links = (visit.link("board", step.id, step.title) for step in visit.view.path(board_id))
        home = f'<a href="{visit.to("entry")}">{escape(self.language.site)}</a>'
        return f"<p><b>{' &gt; '.join((home, *links))}</b></p>"

    def _jump(self, visit: Visit) -> str:
        options = "".join(
            f'<option value="{board.id}">{escape(board.title)}</option>' for board in visit.view.boards[:30]
        )
        return (
            f'<form action="/bench/box.cgi">{self.language.jump_to}: <select name="no">{options}</select>'
            '<input type="submit" value="Go"></form>'
        )
