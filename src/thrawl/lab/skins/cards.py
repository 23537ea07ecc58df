"""Modern cards with path slugs (English; the month is shown, the exact time stands in an attribute).

Quirks: boards have a cursor pager with only "next", dates only in attributes, tag filters, threads answer under any
slug, redirecting permalinks, profiles, search form, login wall around writing.
"""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import ClassVar

from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.bodies import BodyLooks, body_html
from thrawl.lab.skins.pagers import next_flip, numbered
from thrawl.lab.skins.routes import Route, SitePage
from thrawl.lab.skins.values import Line, Visit
from thrawl.lab.world import Board, Post, Thread, View

BODY = BodyLooks(
    quote='<aside class="echo" data-from="{post}"><header>{author}:</header><p>{text}</p></aside>',
    picture='<figure><img src="{url}" alt="{text}"></figure>',
)
MASK = 0x5A5A5


class Cards(Skin):
    name = "cards"
    family = "modern cards with path slugs"
    quirks: ClassVar[tuple[str, ...]] = (
        "cursor pager with only next",
        "dates only in attributes",
        "months only in the visible text",
        "filter links",
        "any slug leads to the thread",
        "post permalinks that redirect",
        "profiles",
        "login wall",
        "search form",
    )
    threads_per_page = 12
    posts_per_page = 10
    routes = (
        Route("entry", "/"),
        Route("board", "/rooms/{id}-{slug}"),
        Route("board", "/rooms/{id}-{slug}?after={key}"),
        Route("board", "/rooms/{id}-{slug}/only/{key}", form="filtered"),
        Route("thread", "/chats/{slug}.{id}"),
        Route("thread", "/chats/{slug}.{id}/part-{page}"),
        Route("post", "/notes/{id}"),
        Route("last", "/chats/{slug}.{id}/newest"),
        Route("user", "/people/{id}"),
        Route("members", "/people"),
        Route("search", "/search-notes"),
        Route("help", "/about"),
        Route("login", "/welcome"),
        Route("compose", "/new"),
        Route("newest", "/fresh"),
        Route("feed", "/fresh.atom"),
    )

    def path(self, place: SitePage, view: View) -> str:
        """A board's later pages are named by the last thread of the page before."""
        if place.what == "board" and place.page > 1 and not place.form:
            before = self.threads_on(SitePage("board", place.id, place.page - 1), view)
            place = SitePage("board", place.id, key=format(before[-1] ^ MASK, "x") if before else "0")
        return super().path(place, view)

    def settle(self, place: SitePage, view: View) -> SitePage:
        """A cursor tells the thread after which to go on; the page may begin earlier, never later."""
        if place.what != "board" or not place.key or place.form:
            return place
        try:
            passed = int(place.key, 16) ^ MASK
            rank = view.thread_ids(place.id).tolist().index(passed) + 1
        except ValueError:
            return SitePage("board")
        return SitePage("board", place.id, rank // self.threads_per_page + 1)

    def frame(self, visit: Visit, title: str, main: str) -> str:
        menu = "".join(self.menu(visit, "newest", "members", "search", "help", "login"))
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)} · Tinkerers</title>'
            f'<meta name="viewport" content="width=device-width">{self.feed_link(visit)}</head>'
            f'<body><header class="top"><a class="logo" href="{visit.to("entry")}">Tinkerers</a><nav>{menu}</nav>'
            f'</header><main class="stage">{main}</main>'
            f'<footer><a href="{visit.to("help")}">About</a> <a href="{visit.to("compose")}">Start a chat</a></footer>'
            "</body></html>"
        )

    def when(self, time: datetime) -> str:
        return f'<time datetime="{time:%Y-%m-%dT%H:%M:%SZ}">{self.language.months[time.month - 1]} {time.year}</time>'

    def entry(self, visit: Visit, place: SitePage) -> str:
        cards = "".join(self._room(visit, board) for board in visit.view.boards)
        return f'<h1>Rooms</h1><section class="rooms">{cards}</section>'

    def _room(self, visit: Visit, board: Board) -> str:
        threads, _ = visit.view.board_totals(board.id)
        last = visit.view.board_last(board.id) if self.layers.entry_last else None
        latest = f"<small>{escape(last.author.name)} {self.when(last.time)}</small>" if last else ""
        return (
            f'<article class="room"><h2>{visit.link("board", board.id, board.title)}</h2><p>{escape(board.about)}</p>'
            f'<span class="count">{threads} chats</span>{latest}</article>'
        )

    def board(self, visit: Visit, place: SitePage, board: Board) -> str:
        cards = "".join(self._card(visit, line) for line in self.lines(visit, place))
        filters = "".join(
            f'<a class="pill" href="{visit.to("board", board.id, key=key, form="filtered")}">{key}</a>'
            for key in ("unanswered", "pictures", "this-week")
        )
        below = "".join(
            f"<li>{visit.link('board', child.id, child.title)}</li>" for child in visit.view.children(board.id)
        )
        more = next_flip(visit, place, "Next")
        return (
            f"{self._crumbs(visit, board.id)}<h1>{escape(board.title)}</h1><ul class='inner'>{below}</ul>"
            f'<div class="pills">{filters}</div><section class="deck">{cards}</section>'
            f'<div class="more">{more.link("button") if more else ""}</div>'
        )

    def _card(self, visit: Visit, line: Line) -> str:
        thread, last = line.thread, line.last
        pinned = '<span class="badge">Pinned</span>' if thread.sticky else ""
        replies = f'<span class="bubble">{line.replies}</span>' if self.layers.row_replies else ""
        latest = f'<a href="{visit.to("last", thread.id)}">{self.when(last.time)}</a>' if self.layers.row_last else ""
        return (
            f'<article class="card">{visit.user(thread.author, "face")}<div class="card-body">{pinned}'
            f"<h3>{visit.link('thread', thread.id, thread.title, 'card-link')}</h3>"
            f'<p class="meta">{latest} {escape(last.author.name)}</p></div>{replies}</article>'
        )

    def thread(self, visit: Visit, place: SitePage, thread: Thread) -> str:
        posts = "".join(self._note(visit, post) for post in self.posts_shown(place, visit.view))
        flips = numbered(visit, place)
        pager = f'<nav class="parts">{"".join(flip.link("part") for flip in flips)}</nav>' if len(flips) > 1 else ""
        return (
            f"{self._crumbs(visit, thread.board)}<h1>{escape(thread.title)}</h1>"
            f'<section class="notes">{posts}</section>{pager}<a class="button" href="{visit.to("compose")}">Join in</a>'
        )

    def _note(self, visit: Visit, post: Post) -> str:
        edited = f'<span class="later">edited {self.when(post.edited)}</span>' if post.edited else ""
        return (
            f'<article class="note" id="{self.anchor(post.id)}"><header>{visit.user(post.author, "name")} '
            f'<a class="perma" href="{visit.to("post", post.id)}">{self.when(post.time)}</a>{edited}</header>'
            f'<div class="prose">{body_html(post.body, BODY)}</div>'
            f'<footer><button>♥ {post.id % 7}</button> <a href="{visit.to("compose")}">Reply</a></footer></article>'
        )

    def _crumbs(self, visit: Visit, board_id: int) -> str:
        links = (visit.link("board", step.id, step.title) for step in visit.view.path(board_id))
        return f'<nav class="trail">{" › ".join((visit.link("entry", 0, "Rooms"), *links))}</nav>'
