"""Static-looking addresses, `topic-12-1-1.html` (Japanese, year/month/day, in Shift_JIS).

Quirks: page 1 carries its number, reversed order and one-author variants of threads, plain copies of whole threads
for old browsers, a legacy charset, last-post shortcuts, redirecting permalinks, profiles, jump links, a login wall.
"""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import ClassVar

from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.bodies import BREAKS, BodyLooks, body_html
from thrawl.lab.skins.language import JAPANESE
from thrawl.lab.skins.pagers import last_flip, next_flip, numbered, previous_flip
from thrawl.lab.skins.routes import Route, SitePage
from thrawl.lab.skins.values import Line, Visit
from thrawl.lab.world import Board, Post, Thread

BODY = BodyLooks(
    paragraph=BREAKS.paragraph,
    link=BREAKS.link,
    picture=BREAKS.picture,
    quote='<div class="inyo">&gt; {author}さん<br>&gt; {text}</div>',
)


class Leaves(Skin):
    name = "leaves"
    family = "static-looking addresses"
    quirks: ClassVar[tuple[str, ...]] = (
        "page 1 carries its number",
        "reversed and one-author variants",
        "print views",
        "legacy charset",
        "1 2 3 … 9 next last pager",
        "last-post shortcuts",
        "post permalinks that redirect",
        "jump menu of links",
        "profiles",
        "login wall",
    )
    language = JAPANESE
    charset = "shift_jis"
    threads_per_page = 18
    posts_per_page = 10
    routes = (
        Route("entry", "/hiroba/"),
        Route("entry", "/hiroba/index.html", form="index"),
        Route("board", "/hiroba/ita-{id}-{page}.html"),
        Route("thread", "/hiroba/topic-{id}-{page}-1.html"),
        Route("thread", "/hiroba/topic-{id}-{page}-2.html", form="reversed"),
        Route("thread", "/hiroba/topic-{id}-1-1.html?hito={key}", form="author"),
        Route("print", "/hiroba/text/t{id}.html"),
        Route("post", "/hiroba/res-{id}.html"),
        Route("last", "/hiroba/last-{id}.html"),
        Route("user", "/hiroba/kaiin-{id}.html"),
        Route("members", "/hiroba/kaiin.html"),
        Route("search", "/hiroba/kensaku.html"),
        Route("help", "/hiroba/setsumei.html"),
        Route("login", "/hiroba/iriguchi.html"),
        Route("compose", "/hiroba/kaku.html"),
        Route("newest", "/hiroba/shinchaku.html"),
        Route("feed", "/hiroba/shinchaku.xml"),
    )

    def frame(self, visit: Visit, title: str, main: str) -> str:
        words = self.language
        links = self.menu(visit, "newest", "search", "members", "help", "login")
        menu = "".join(f"<td>{link}</td>" for link in links)
        return (
            f'<html><head><meta http-equiv="Content-Type" content="text/html; charset={self.charset}">'
            f"<title>{escape(title)} - {words.site}</title>{self.feed_link(visit)}</head><body>"
            f'<h1><a href="{visit.to("entry", form="index")}">{words.site}</a></h1><table class="menu"><tr>{menu}</tr>'
            f'</table><div class="naka">{main}</div>{self._jump(visit)}</body></html>'
        )

    def when(self, time: datetime) -> str:
        return f"{time.year}年{time.month}月{time.day}日 {time:%H:%M}"

    def entry(self, visit: Visit, place: SitePage) -> str:
        rows = "".join(self._board_row(visit, board) for board in visit.view.boards)
        return f'<table class="ita-ichiran">{rows}</table>'

    def _board_row(self, visit: Visit, board: Board) -> str:
        threads, posts = visit.view.board_totals(board.id)
        last = visit.view.board_last(board.id) if self.layers.entry_last else None
        latest = f"{self.when(last.time)} {escape(last.author.name)}" if last else "-"
        return (
            f"<tr><td>{visit.link('board', board.id, board.title)}<p>{escape(board.about)}</p></td>"
            f"<td>{threads} / {posts}</td><td>{latest}</td></tr>"
        )

    def board(self, visit: Visit, place: SitePage, board: Board) -> str:
        below = "".join(self._board_row(visit, child) for child in visit.view.children(board.id))
        rows = "".join(self._row(visit, line) for line in self.lines(visit, place))
        return (
            f"{self._crumbs(visit, board.id)}<table>{below}</table>{self._pager(visit, place)}"
            f'<table class="topics"><tbody>{rows}</tbody></table>{self._pager(visit, place)}'
        )

    def _row(self, visit: Visit, line: Line) -> str:
        thread, last = line.thread, line.last
        pinned = "[固定] " if thread.sticky else ""
        latest = f'<a href="{visit.to("last", thread.id)}">{self.when(last.time)}</a>' if self.layers.row_last else ""
        return (
            f"<tr><th>{pinned}{visit.link('thread', thread.id, thread.title)}</th><td>{visit.user(thread.author)}</td>"
            f"<td>{line.replies if self.layers.row_replies else ''}</td>"
            f"<td>{latest} {escape(last.author.name)}</td></tr>"
        )

    def thread(self, visit: Visit, place: SitePage, thread: Thread) -> str:
        posts = self.posts_shown(place, visit.view)
        ordered = reversed(posts) if place.form == "reversed" else posts
        shown = "".join(self._res(visit, post) for post in ordered)
        other = visit.to("thread", thread.id, place.page, form="reversed")
        return (
            f"{self._crumbs(visit, thread.board)}<h2>{escape(thread.title)}</h2>"
            f'<p><a href="{other}">新しい順</a> '
            f'<a href="{visit.to("print", thread.id)}">{self.language.print_view}</a></p>'
            f"{self._pager(visit, place)}{shown}{self._pager(visit, place)}"
            f'<p><a href="{visit.to("compose")}">{self.language.reply}</a></p>'
        )

    def _res(self, visit: Visit, post: Post) -> str:
        """A post is a table of its own."""
        only = visit.to("thread", post.thread, key=str(post.author.id), form="author")
        edited = f"<br>({self.when(post.edited)} 編集)" if post.edited else ""
        return (
            f'<table class="res" id="{self.anchor(post.id)}"><tr><td class="hito">{visit.user(post.author)}<br>'
            f'登録日 {post.author.joined:%Y-%m-%d}<br><a href="{only}">この人だけ</a></td><td>'
            f'<div class="toki">投稿 {self.when(post.time)} '
            f'<a href="{visit.to("post", post.id)}">No.{post.position}</a>'
            f'</div><div class="honbun">{body_html(post.body, BODY)}{edited}</div></td></tr></table>'
        )

    def _pager(self, visit: Visit, place: SitePage) -> str:
        flips = numbered(visit, place)
        if len(flips) < 2:
            return ""
        before = previous_flip(visit, place, "&lt; 前へ")
        after = (next_flip(visit, place, "次へ &gt;"), last_flip(visit, place, "最後"))
        return f'<div class="peji">{" ".join(flip.link() for flip in (before, *flips, *after) if flip)}</div>'

    def _crumbs(self, visit: Visit, board_id: int) -> str:
        links = (visit.link("board", step.id, step.title) for step in visit.view.path(board_id))
        return f"<p>{' &gt; '.join((visit.link('entry', 0, self.language.site), *links))}</p>"

    def _jump(self, visit: Visit) -> str:
        links = " / ".join(visit.link("board", board.id, board.title) for board in visit.view.boards[:8])
        return f'<div class="ido">{self.language.jump_to}: {links}</div>'
