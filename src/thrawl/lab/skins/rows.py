"""Lists of plain divs (German, day.month.year, "Gestern, 14:05").

Quirks: offset pager, pinned threads repeated on every page of a board, ads between posts and rows, relative dates,
profiles behind a login wall that answers 403, filter links, redirecting permalinks and last-post shortcuts,
quick-reply form, links to the previous and next thread.
"""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import ClassVar

from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.bodies import BodyLooks, body_html
from thrawl.lab.skins.language import GERMAN, near_or
from thrawl.lab.skins.pagers import next_flip, numbered, previous_flip
from thrawl.lab.skins.routes import Route, SitePage
from thrawl.lab.skins.values import Line, Visit
from thrawl.lab.world import Board, Post, Thread, View

BODY = BodyLooks(
    quote='<div class="echo"><div class="echo-von">{author} schrieb:</div><div>{text}</div></div>',
    code='<div class="quelltext"><pre>{text}</pre></div>',
)
AD = '<div class="anzeige"><a href="https://example.org/werbung" rel="sponsored">Schrauben im Sonderangebot!</a></div>'
AD_EVERY = 4


class Rows(Skin):
    name = "rows"
    family = "div lists"
    quirks: ClassVar[tuple[str, ...]] = (
        "offset pager",
        "sticky threads repeated on every page",
        "ads between posts",
        "relative dates",
        "profiles behind a login wall",
        "filter links",
        "post permalinks that redirect",
        "last-post shortcuts",
        "quick-reply form",
        "previous and next thread",
    )
    language = GERMAN
    threads_per_page = 15
    posts_per_page = 8
    repeats_stickies = True
    walled = frozenset({"user", "compose"})
    wall_status = 403
    routes = (
        Route("entry", "/"),
        Route("board", "/bereich.html?b={id}"),
        Route("board", "/bereich.html?b={id}&ab={offset}"),
        Route("board", "/bereich.html?b={id}&nur={key}", form="filtered"),
        Route("thread", "/faden.html?f={id}"),
        Route("thread", "/faden.html?f={id}&ab={offset}"),
        Route("post", "/beitrag/{id}"),
        Route("last", "/faden.html?f={id}&ende"),
        Route("neighbour", "/faden.html?f={id}&zu={key}"),
        Route("user", "/leute/{id}.html"),
        Route("members", "/leute/"),
        Route("search", "/suche.html"),
        Route("help", "/hilfe.html"),
        Route("login", "/anmelden.html"),
        Route("compose", "/schreiben.html"),
        Route("newest", "/neu.html"),
        Route("feed", "/neu.atom"),
    )

    def settle(self, place: SitePage, view: View) -> SitePage:
        """The neighbour of a thread is its board's thread above or below."""
        if place.what != "neighbour":
            return place
        thread = view.thread(place.id)
        ids = [int(number) for number in view.thread_ids(thread.board)] if thread else []
        step = 1 if place.key == "unten" else -1
        return SitePage("go", ids[(ids.index(place.id) + step) % len(ids)] if ids else 0)

    def frame(self, visit: Visit, title: str, main: str) -> str:
        words = self.language
        links = self.menu(visit, "newest", "search", "members", "help", "login")
        menu = "".join(f"<li>{link}</li>" for link in links)
        return (
            f'<!DOCTYPE html>\n<html lang="de"><head><meta charset="{self.charset}"><title>{escape(title)}</title>'
            f'{self.feed_link(visit)}</head><body><div id="kopf"><a href="{visit.to("entry")}">'
            f'{escape(words.site)}</a><ul class="menue">{menu}</ul></div>\n<div id="mitte">{main}</div>\n'
            f'<div id="fuss">&copy; {escape(words.site)} &middot; '
            f'<a href="{visit.to("help")}">Impressum</a></div></body></html>'
        )

    def when(self, visit: Visit, time: datetime) -> str:
        return near_or(self.language, time, visit.view.moment, f"{time:%d.%m.%Y, %H:%M}")

    def entry(self, visit: Visit, place: SitePage) -> str:
        return "".join(self._board_block(visit, board) for board in visit.view.children(None))

    def _board_block(self, visit: Visit, board: Board) -> str:
        threads, posts = visit.view.board_totals(board.id)
        below = "".join(
            f'<span class="unter">{visit.link("board", child.id, child.title)}</span> '
            for child in visit.view.children(board.id)
        )
        last = visit.view.board_last(board.id) if self.layers.entry_last else None
        latest = f"{self.when(visit, last.time)} von {escape(last.author.name)}" if last else "&ndash;"
        return (
            f'<div class="bereich"><div class="name"><a href="{visit.to("board", board.id)}">{escape(board.title)}</a>'
            f'<div class="text">{escape(board.about)}</div>{below}</div>'
            f'<div class="zahl">{threads} Themen, {posts} Beiträge</div><div class="letzter">{latest}</div></div>\n'
        )

    def board(self, visit: Visit, place: SitePage, board: Board) -> str:
        below = "".join(self._board_block(visit, child) for child in visit.view.children(board.id))
        rows = [self._row(visit, line) for line in self.lines(visit, place)]
        filters = " ".join(
            f'<a href="{visit.to("board", board.id, key=key, form="filtered")}">{label}</a>'
            for key, label in (("offen", "ohne Antwort"), ("heute", "nur heute"))
        )
        return (
            f'{self._crumbs(visit, board.id)}{below}<div class="filter">{filters}</div>{self._pager(visit, place)}'
            f'<div class="themen">{"".join(rows[:3])}{AD}{"".join(rows[3:])}</div>{self._pager(visit, place)}'
        )

    def _row(self, visit: Visit, line: Line) -> str:
        thread, last = line.thread, line.last
        replies = f"{line.replies} Antworten" if self.layers.row_replies else ""
        latest = (
            f'<a href="{visit.to("last", thread.id)}">{self.when(visit, last.time)}</a> {visit.user(last.author)}'
            if self.layers.row_last
            else ""
        )
        return (
            f'<div class="thema{" wichtig" if thread.sticky else ""}"><div class="titel">'
            f"{visit.link('thread', thread.id, thread.title)}"
            f'<span class="von">{visit.user(thread.author)}</span></div>'
            f'<div class="anzahl">{replies}</div><div class="zuletzt">{latest}</div></div>\n'
        )

    def thread(self, visit: Visit, place: SitePage, thread: Thread) -> str:
        posts = self.posts_shown(place, visit.view)
        shown = "".join(
            self._post_block(visit, post) + (AD if number % AD_EVERY == AD_EVERY - 1 else "")
            for number, post in enumerate(posts)
        )
        neighbours = " ".join(
            f'<a href="{visit.to("neighbour", thread.id, key=key)}">{label}</a>'
            for key, label in (("oben", "« voriges Thema"), ("unten", "nächstes Thema »"))
        )
        return (
            f"{self._crumbs(visit, thread.board)}<h1>{escape(thread.title)}</h1>{self._pager(visit, place)}"
            f'<div class="beitraege">{shown}</div>{self._pager(visit, place)}<div class="nachbarn">{neighbours}</div>'
            f'<form class="schnell" method="post" action="{visit.to("compose")}">'
            '<textarea name="text"></textarea><button>Antworten</button></form>'
        )

    def _post_block(self, visit: Visit, post: Post) -> str:
        edited = f'<div class="spaeter">Geändert: {post.edited:%d.%m.%Y, %H:%M}</div>' if post.edited else ""
        return (
            f'<div class="beitrag" id="{self.anchor(post.id)}"><div class="wer">{visit.user(post.author, "nick")}'
            f'<div class="rang">Dabei seit {post.author.joined:%d.%m.%Y}</div></div><div class="was">'
            f'<div class="zeit"><a href="{visit.to("post", post.id)}">{self.when(visit, post.time)}</a></div>'
            f'<div class="inhalt">{body_html(post.body, BODY)}</div>{edited}'
            f'<div class="knoepfe"><a href="{visit.to("compose")}">Zitieren</a></div></div></div>\n'
        )

    def _pager(self, visit: Visit, place: SitePage) -> str:
        flips = numbered(visit, place, around=2)
        if len(flips) < 2:
            return ""
        ends = (previous_flip(visit, place, "Zurück"), *flips, next_flip(visit, place, "Weiter"))
        return f'<div class="seiten">{" ".join(flip.link() for flip in ends if flip)}</div>'

    def _crumbs(self, visit: Visit, board_id: int) -> str:
        links = (visit.link("board", step.id, step.title) for step in visit.view.path(board_id))
        home = f'<a href="{visit.to("entry")}">Übersicht</a>'
        return f'<div class="pfad">{" / ".join((home, *links))}</div>'
