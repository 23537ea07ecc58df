"""A lounge of definition lists that shows no date anywhere (English).

Quirks: pagers only inside <noscript>, rows that link only to a redirecting form of the thread, pages counted from 0,
sessions as a path parameter, no dates at all, one post repeated nowhere, profiles, a login wall that answers 403.
"""

from __future__ import annotations

import re
from html import escape
from typing import ClassVar

from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.bodies import BodyLooks, body_html
from thrawl.lab.skins.pagers import next_flip, numbered
from thrawl.lab.skins.routes import Route, SitePage
from thrawl.lab.skins.values import Layers, Line, Visit
from thrawl.lab.world import Board, Post, Thread

BODY = BodyLooks(quote='<q class="said">{author}: {text}</q>', items="<ol>{text}</ol>")


class Lounge(Skin):
    name = "lounge"
    family = "definition lists"
    quirks: ClassVar[tuple[str, ...]] = (
        "pagers inside <noscript>",
        "rows link only to a redirecting form of the thread",
        "pages counted from 0",
        "session ids in the path",
        "no dates at all",
        "profiles",
        "login wall",
        "search form",
    )
    session_name = "guest"
    threads_per_page = 10
    posts_per_page = 6
    wall_status = 403
    usual = Layers(feed=False, newest=False, entry_last=False, row_last=False)
    routes = (
        Route("entry", "/lounge"),
        Route("board", "/lounge/room/{id}"),
        Route("board", "/lounge/room/{id}/{part}"),
        Route("thread", "/lounge/talk/{id}-{slug}"),
        Route("thread", "/lounge/talk/{id}-{slug}/{part}"),
        Route("go", "/lounge/open/{id}"),
        Route("post", "/lounge/line/{id}"),
        Route("last", "/lounge/end/{id}"),
        Route("user", "/lounge/guest/{id}"),
        Route("members", "/lounge/guests"),
        Route("search", "/lounge/seek"),
        Route("help", "/lounge/manners"),
        Route("login", "/lounge/door"),
        Route("compose", "/lounge/speak"),
        Route("private", "/lounge/room/back"),
        Route("newest", "/lounge/just-now"),
        Route("feed", "/lounge/just-now.xml"),
    )

    def with_session(self, path: str, session: str) -> str:
        return f"{path};{self.session_name}={session}" if session else path

    def without_session(self, target: str) -> str:
        return re.sub(rf";{self.session_name}=\w*", "", target)

    def frame(self, visit: Visit, title: str, main: str) -> str:
        links = self.menu(visit, "newest", "members", "search", "help", "login")
        menu = "".join(f"<dd>{link}</dd>" for link in links)
        return (
            f"<!DOCTYPE html><html><head><title>{escape(title)}</title>{self.feed_link(visit)}</head><body>"
            f'<dl id="doors"><dt><a href="{visit.to("entry")}">The Lounge</a></dt>{menu}</dl>'
            f'<div id="floor">{main}</div>'
            "<script>document.body.className='scripted';</script></body></html>"
        )

    def entry(self, visit: Visit, place: SitePage) -> str:
        rooms = "".join(
            f"<dt>{visit.link('board', board.id, board.title)}</dt><dd>{escape(board.about)}</dd>"
            for board in visit.view.boards
        )
        back = f'<dt><a href="{visit.to("private")}">Back room</a></dt><dd>Members only.</dd>'
        return f'<dl class="rooms">{rooms}{back}</dl>'

    def board(self, visit: Visit, place: SitePage, board: Board) -> str:
        rows = "".join(self._row(visit, line) for line in self.lines(visit, place))
        return f'<h1>{escape(board.title)}</h1><dl class="talks">{rows}</dl>{self._pager(visit, place)}'

    def _row(self, visit: Visit, line: Line) -> str:
        count = f" ({line.replies + 1} lines)" if self.layers.row_replies else ""
        return (
            f"<dt>{visit.link('go', line.thread.id, line.thread.title)}</dt>"
            f"<dd>{escape(line.thread.author.name)}{count}</dd>"
        )

    def thread(self, visit: Visit, place: SitePage, thread: Thread) -> str:
        board = visit.view.path(thread.board)[-1]
        lines = "".join(self._line(visit, post) for post in self.posts_shown(place, visit.view))
        return (
            f"<p>{visit.link('board', board.id, board.title)}</p><h1>{escape(thread.title)}</h1>"
            f'<dl class="lines">{lines}</dl>{self._pager(visit, place)}<p><a href="{visit.to("compose")}">Speak</a></p>'
        )

    def _line(self, visit: Visit, post: Post) -> str:
        """A name, then the words: two siblings a post."""
        name = f'{visit.user(post.author)} <a href="{visit.to("post", post.id)}">#</a>'
        return f'<dt id="{self.anchor(post.id)}">{name}</dt><dd>{body_html(post.body, BODY)}</dd>'

    def _pager(self, visit: Visit, place: SitePage) -> str:
        flips = numbered(visit, place)
        if len(flips) < 2:
            return ""
        onward = next_flip(visit, place, "Next")
        links = " ".join(flip.link() for flip in (*flips, onward) if flip)
        return f'<div class="endless"></div><noscript><p class="pages">{links}</p></noscript>'
