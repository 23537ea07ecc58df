"""A threaded tree: one post in full, the others of its thread as a tree of titles (French, day/month/year).

Quirks: every post has a page of its own, so a thread's pages are its posts; the address names the post, never the
thread; trees of titles on index pages too; print views; offset pager on boards; a calendar without end.
"""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import ClassVar

from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.bodies import BodyLooks, body_html
from thrawl.lab.skins.language import FRENCH
from thrawl.lab.skins.nesting import nested_list, outline
from thrawl.lab.skins.pagers import next_flip, numbered, previous_flip
from thrawl.lab.skins.routes import Route, SitePage
from thrawl.lab.skins.values import Line, Visit
from thrawl.lab.world import Board, Post, Thread, View

BODY = BodyLooks(quote="<blockquote><p><i>{author} a écrit :</i></p><p>{text}</p></blockquote>")
DEEPEST = 12


class Tree(Skin):
    name = "tree"
    family = "threaded tree"
    quirks: ClassVar[tuple[str, ...]] = (
        "one post a page",
        "addresses name the post, never the thread",
        "offset pager",
        "print views",
        "endless calendar",
        "profiles",
        "search form",
        "quick-reply form",
    )
    language = FRENCH
    threads_per_page = 25
    posts_per_page = 1
    walled = frozenset({"compose"})
    routes = (
        Route("entry", "/coin/"),
        Route("board", "/coin/salon,{id}"),
        Route("board", "/coin/salon,{id},{offset}"),
        Route("thread", "/coin/lire,{key}"),
        Route("print", "/coin/imprimer,{id}"),
        Route("user", "/coin/membre,{id}"),
        Route("calendar", "/coin/agenda,{key}"),
        Route("calendar", "/coin/agenda"),
        Route("search", "/coin/chercher"),
        Route("help", "/coin/aide"),
        Route("login", "/coin/connexion"),
        Route("compose", "/coin/ecrire"),
        Route("newest", "/coin/nouveautes"),
        Route("last", "/coin/dernier,{id}"),
        Route("feed", "/coin/nouveautes.xml"),
    )

    def path(self, place: SitePage, view: View) -> str:
        """Page n of a thread is its nth post, and is named by that post."""
        if place.what == "thread":
            place = SitePage("thread", key=str(view.post_id(place.id, place.page - 1) or place.id))
        return super().path(place, view)

    def settle(self, place: SitePage, view: View) -> SitePage:
        if place.what != "thread":
            return place
        number = int(place.key) if place.key.isdecimal() and len(place.key) < 13 else 0
        post = view.post(number, words=False)
        return SitePage("thread") if post is None else SitePage("thread", post.thread, post.position)

    def frame(self, visit: Visit, title: str, main: str) -> str:
        words = self.language
        menu = " · ".join(self.menu(visit, "newest", "calendar", "search", "help", "login"))
        return (
            f'<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f"{self.feed_link(visit)}</head><body>"
            f'<h1><a href="{visit.to("entry")}">{escape(words.site)}</a></h1><p class="barre">{menu}</p>'
            f"{main}<hr><address>{escape(words.site)}</address></body></html>"
        )

    def when(self, time: datetime) -> str:
        return f"{time:%d/%m/%Y} à {time:%Hh%M}"

    def entry(self, visit: Visit, place: SitePage) -> str:
        return f'<dl class="salons">{"".join(self._salon(visit, board) for board in visit.view.boards)}</dl>'

    def _salon(self, visit: Visit, board: Board) -> str:
        threads, posts = visit.view.board_totals(board.id)
        last = visit.view.board_last(board.id) if self.layers.entry_last else None
        latest = f", dernier message le {self.when(last.time)}" if last else ""
        return (
            f"<dt>{visit.link('board', board.id, board.title)}</dt>"
            f"<dd>{escape(board.about)} ({threads} fils, {posts} messages{latest})</dd>\n"
        )

    def board(self, visit: Visit, place: SitePage, board: Board) -> str:
        below = "".join(self._salon(visit, child) for child in visit.view.children(board.id))
        lines = "".join(self._line(visit, line) for line in self.lines(visit, place))
        flips = numbered(visit, place) if self.page_count(place, visit.view) > 1 else []
        ends = (previous_flip(visit, place, "Précédent"), *flips, next_flip(visit, place, "Suivant"))
        pager = " ".join(flip.link() for flip in ends if flip)
        return (
            f"<h2>{escape(board.title)}</h2><dl>{below}</dl><p>{pager}</p>"
            f'<ul class="fils">{lines}</ul><p>{pager}</p><p><a href="{visit.to("compose")}">Écrire</a></p>'
        )

    def _line(self, visit: Visit, line: Line) -> str:
        thread, last = line.thread, line.last
        replies = f" ({line.replies} réponses)" if self.layers.row_replies else ""
        latest = f" dernier : {escape(last.author.name)}, {self.when(last.time)}" if self.layers.row_last else ""
        pinned = "<b>Épinglé</b> " if thread.sticky else ""
        return (
            f"<li>{pinned}{visit.link('thread', thread.id, thread.title)} - {visit.user(thread.author)}, "
            f"{self.when(thread.created)}{replies}<small>{latest}</small></li>\n"
        )

    def thread(self, visit: Visit, place: SitePage, thread: Thread) -> str:
        post = self.posts_shown(place, visit.view)[0]
        board = visit.view.path(thread.board)[-1]
        edited = f"<p><small>Modifié le {self.when(post.edited)}</small></p>" if post.edited else ""
        return (
            f"<p>{visit.link('board', board.id, board.title)}</p>"
            f'<div class="message"><h2>{_title(thread, post)}</h2><p class="qui">{visit.user(post.author)}, '
            f'le {self.when(post.time)}</p><div class="texte">{body_html(post.body, BODY)}</div>{edited}</div>'
            f'<h3>Dans ce fil</h3>{self._branches(visit, thread, post)}<p><a href="{visit.to("print", thread.id)}">'
            f'{self.language.print_view}</a></p><form method="post" action="{visit.to("compose")}">'
            "<textarea name='texte'></textarea><button>Répondre</button></form>"
        )

    def _branches(self, visit: Visit, thread: Thread, current: Post) -> str:
        """All posts of the thread by title, each below the one that it answers."""
        posts = visit.view.posts(thread.id, words=False)
        leaves = (
            (self._leaf(visit, thread, post, post.id == current.id), depth) for post, depth in outline(posts, DEEPEST)
        )
        return f'<div class="arbre">{nested_list(leaves, "ul")}</div>'

    def _leaf(self, visit: Visit, thread: Thread, post: Post, current: bool) -> str:
        title = _title(thread, post)
        href = visit.to("thread", thread.id, post.position)
        shown = f"<b>{title}</b>" if current else f'<a href="{href}">{title}</a>'
        return f"<li>{shown} {escape(post.author.name)} <i>{self.when(post.time)}</i>\n"


def _title(thread: Thread, post: Post) -> str:
    return ("" if post.position == 1 else "Re : ") + escape(thread.title)
