"""A blog with comments (English, day month year; comments show their month only).

Quirks: the entry page is one long list of whole articles with "older" and "newer" flips; categories list the same
again; the article is repeated on every page of its comments; nested comments; reply links that show the page again;
months only; print views; authors without profiles.
"""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import ClassVar

from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.bodies import BodyLooks, body_html
from thrawl.lab.skins.nesting import nested_list, outline
from thrawl.lab.skins.pagers import next_flip, numbered, previous_flip
from thrawl.lab.skins.routes import Route, SitePage
from thrawl.lab.skins.values import Line, Visit
from thrawl.lab.world import Board, Post, Thread

BODY = BodyLooks(quote="<blockquote><p>{text}</p><footer>{author}</footer></blockquote>")
DEEPEST = 5


class Journal(Skin):
    name = "journal"
    family = "blog with comments"
    quirks: ClassVar[tuple[str, ...]] = (
        "index pages show whole posts",
        "entry page is the only canonical list",
        "first post repeated on every page of its thread",
        "nested comments",
        "months only",
        "reply links that show the same page",
        "older and newer flips",
        "print views",
        "endless calendar",
        "search form",
    )
    threads_per_page = 6
    posts_per_page = 15
    repeats_first_post = True
    entry_lists_threads = True
    routes = (
        Route("entry", "/journal/"),
        Route("entry", "/journal/leaf/{page}/"),
        Route("board", "/journal/about/{slug}-{id}/"),
        Route("board", "/journal/about/{slug}-{id}/leaf/{page}/"),
        Route("thread", "/journal/story/{slug}-{id}/"),
        Route("thread", "/journal/story/{slug}-{id}/voices-{page}/"),
        Route("thread", "/journal/story/{slug}-{id}/?answering={key}", form="answering"),
        Route("print", "/journal/story/{slug}-{id}/paper/"),
        Route("last", "/journal/story/{slug}-{id}/latest/"),
        Route("user", "/journal/writer/{id}/"),
        Route("calendar", "/journal/days/{key}/"),
        Route("calendar", "/journal/days/"),
        Route("search", "/journal/find/"),
        Route("help", "/journal/us/"),
        Route("login", "/journal/staff/"),
        Route("compose", "/journal/send/"),
        Route("newest", "/journal/voices/"),
        Route("feed", "/journal/feed.atom"),
    )

    def frame(self, visit: Visit, title: str, main: str) -> str:
        links = [visit.link("board", board.id, board.title) for board in visit.view.boards[:12]]
        menu = " ".join(self.menu(visit, "newest", "calendar", "search", "help"))
        return (
            f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f'{self.feed_link(visit)}</head><body><header><h1><a href="{visit.to("entry")}">Bench notes</a>'
            f'</h1><nav>{menu}</nav></header><div class="columns"><main>{main}</main><aside class="side">'
            f"<h4>Subjects</h4><ul>{''.join(f'<li>{link}</li>' for link in links)}</ul></aside></div></body></html>"
        )

    def day(self, time: datetime) -> str:
        return f"{time.day} {self.language.months[time.month - 1]} {time.year}"

    def month(self, time: datetime) -> str:
        return f"{self.language.months[time.month - 1]} {time.year}"

    def entry(self, visit: Visit, place: SitePage) -> str:
        return self._articles(visit, place)

    def board(self, visit: Visit, place: SitePage, board: Board) -> str:
        return f"<h2>About: {escape(board.title)}</h2>{self._articles(visit, place)}"

    def _articles(self, visit: Visit, place: SitePage) -> str:
        stories = "".join(self._story(visit, line) for line in self.lines(visit, place))
        ends = (previous_flip(visit, place, "&larr; Newer"), next_flip(visit, place, "Older &rarr;"))
        return f'{stories}<nav class="turn">{" ".join(flip.link() for flip in ends if flip)}</nav>'

    def _story(self, visit: Visit, line: Line) -> str:
        thread = line.thread
        first = visit.view.posts(thread.id, 0, 1)[0]
        board = visit.view.path(thread.board)[-1]
        count = f"{line.replies} voices" if self.layers.row_replies else "voices"
        return (
            f'<article class="story"><h2>{visit.link("thread", thread.id, thread.title)}</h2>'
            f'<p class="byline">{self.day(thread.created)} by {escape(thread.author.name)} in '
            f'{visit.link("board", board.id, board.title)}</p><div class="copy">{body_html(first.body, BODY)}</div>'
            f'<p><a href="{visit.to("thread", thread.id)}#voices">{count}</a></p></article>'
        )

    def thread(self, visit: Visit, place: SitePage, thread: Thread) -> str:
        article, *comments = self.posts_shown(place, visit.view)
        board = visit.view.path(thread.board)[-1]
        flips = numbered(visit, place) if self.page_count(place, visit.view) > 1 else []
        return (
            f'<article class="story whole" id="{self.anchor(article.id)}"><h2>{escape(thread.title)}</h2>'
            f'<p class="byline">{self.day(article.time)} by {escape(article.author.name)} in '
            f'{visit.link("board", board.id, board.title)}</p><div class="copy">{body_html(article.body, BODY)}</div>'
            f'<p><a href="{visit.to("print", thread.id)}">{self.language.print_view}</a></p></article>'
            f'<section id="voices"><h3>{visit.view.size(thread.id) - 1} voices</h3>{self._voices(visit, comments)}'
            f'<p class="turn">{" ".join(flip.link() for flip in flips)}</p></section>'
            f'<form method="post" action="{visit.to("compose")}"><input name="name"><textarea name="say"></textarea>'
            "<button>Say it</button></form>"
        )

    def _voices(self, visit: Visit, comments: list[Post]) -> str:
        """Each comment inside the one that it answers, where that stands on the same page."""
        voices = ((self._voice(visit, post), depth) for post, depth in outline(comments, DEEPEST))
        return f'<div class="voices">{nested_list(voices, "ol")}</div>'

    def _voice(self, visit: Visit, post: Post) -> str:
        answer = visit.to("thread", post.thread, key=str(post.id), form="answering")
        return (
            f'<li class="voice" id="{self.anchor(post.id)}">'
            f'<div class="head"><b>{escape(post.author.name)}</b> <i>{self.month(post.time)}</i></div>'
            f'<div class="said">{body_html(post.body, BODY)}</div>'
            f'<p><a href="{answer}#say" rel="nofollow">Answer</a></p>'
        )
