"""A question-and-answer site (Spanish, "hace 3 horas", exact times only in attributes).

Quirks: the question is repeated on every page of its thread, comments stand inside answers, votes, sort tabs,
filter links, permalinks with a thread id that answer 200, relative dates, tags, the entry page shows recent questions.
"""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import ClassVar

from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.bodies import BodyLooks, body_html
from thrawl.lab.skins.language import SPANISH, ago
from thrawl.lab.skins.lists import line_of
from thrawl.lab.skins.pagers import next_flip, numbered, previous_flip
from thrawl.lab.skins.routes import Route, SitePage
from thrawl.lab.skins.values import Line, Visit
from thrawl.lab.world import Board, Post, Thread, View

BODY = BodyLooks(quote='<blockquote class="cita" title="{author}"><p>{text}</p></blockquote>')
RECENT = 10


class Answers(Skin):
    name = "answers"
    family = "question-and-answer site"
    quirks: ClassVar[tuple[str, ...]] = (
        "first post repeated on every page of its thread",
        "comments inside answers",
        "sort and filter links",
        "post permalinks that answer 200",
        "relative dates",
        "dates only in attributes",
        "entry page shows threads",
        "profiles",
        "login wall",
        "search form",
    )
    language = SPANISH
    threads_per_page = 15
    posts_per_page = 10
    repeats_first_post = True
    routes = (
        Route("entry", "/"),
        Route("board", "/materia/{id}/{slug}"),
        Route("board", "/materia/{id}/{slug}?hoja={page}"),
        Route("board", "/materia/{id}/{slug}?solo={key}", form="filtered"),
        Route("thread", "/{id}/{slug}"),
        Route("thread", "/{id}/{slug}?hoja={page}"),
        Route("thread", "/{id}/{slug}?orden={key}", form="sorted"),
        Route("thread", "/{id}/{slug}?ver={key}", form="shown"),
        Route("last", "/{id}/{slug}/reciente"),
        Route("user", "/gente/{id}"),
        Route("members", "/gente"),
        Route("search", "/buscar"),
        Route("help", "/normas"),
        Route("login", "/entrar"),
        Route("compose", "/preguntar"),
        Route("newest", "/actividad"),
        Route("feed", "/actividad.xml"),
    )

    def settle(self, place: SitePage, view: View) -> SitePage:
        """A permalink shows the page where its post stands."""
        if place.form != "shown":
            return place
        number = int(place.key) if place.key.isdecimal() and len(place.key) < 13 else 0
        home = self.destination(SitePage("post", number), view)
        return SitePage("thread", place.id, home.page if home else 1, place.key, "shown")

    def frame(self, visit: Visit, title: str, main: str) -> str:
        words = self.language
        menu = "".join(f"<li>{link}</li>" for link in self.menu(visit, "newest", "members", "help", "login"))
        topics = " ".join(visit.link("board", board.id, board.title, "etiqueta") for board in visit.view.boards)
        return (
            f'<!DOCTYPE html><html lang="es"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f'{self.feed_link(visit)}</head><body><div class="cabeza"><a href="{visit.to("entry")}">'
            f'{escape(words.site)}</a><ul>{menu}</ul><form action="{visit.to("search")}"><input name="q">'
            f'<input type="submit" value="{words.search}"></form></div><div class="lado">{topics}</div>'
            f'<div class="cuerpo">{main}</div></body></html>'
        )

    def when(self, visit: Visit, time: datetime) -> str:
        return f'<span title="{time:%Y-%m-%d %H:%M:%S}Z">{ago(self.language, time, visit.view.moment)}</span>'

    def entry(self, visit: Visit, place: SitePage) -> str:
        recent = (line_of(visit.view, int(number)) for number in visit.view.thread_ids()[:RECENT])
        return (
            f'<h1>Preguntas recientes</h1><div class="lista">{"".join(self._row(visit, line) for line in recent)}</div>'
        )

    def board(self, visit: Visit, place: SitePage, board: Board) -> str:
        rows = "".join(self._row(visit, line) for line in self.lines(visit, place))
        tabs = " ".join(
            f'<a href="{visit.to("board", board.id, key=key, form="filtered")}">{label}</a>'
            for key, label in (("abiertas", "sin respuesta"), ("votadas", "más votadas"))
        )
        return (
            f'<h1>{escape(board.title)}</h1><div class="solapas">{tabs}</div><div class="lista">{rows}</div>'
            f"{self._pager(visit, place)}"
        )

    def _row(self, visit: Visit, line: Line) -> str:
        thread = line.thread
        count = f'<div class="cuenta"><b>{line.replies}</b> respuestas</div>' if self.layers.row_replies else ""
        active = f"activa {self.when(visit, line.last.time)} " if self.layers.row_last else ""
        return (
            f'<div class="fila"><div class="votos"><b>{thread.id % 9}</b> votos</div>{count}'
            f"<h3>{visit.link('thread', thread.id, thread.title)}</h3>"
            f'<p class="pie">{active}{visit.user(thread.author)}</p></div>'
        )

    def thread(self, visit: Visit, place: SitePage, thread: Thread) -> str:
        question, *rest = self.posts_shown(place, visit.view)
        answers = group_comments(rest)
        if place.form == "sorted":
            answers.reverse()
        shown = "".join(self._answer_block(visit, answer, comments) for answer, comments in answers)
        tabs = " ".join(
            f'<a href="{visit.to("thread", thread.id, key=key, form="sorted")}">{key}</a>' for key in ("votos", "fecha")
        )
        board = visit.view.path(thread.board)[-1]
        return (
            f"<p>{visit.link('board', board.id, board.title)}</p><h1>{escape(thread.title)}</h1>"
            f'<div class="pregunta" id="{self.anchor(question.id)}">{self._words(visit, question)}</div>'
            f'<h2>{visit.view.size(thread.id) - 1} respuestas</h2><div class="solapas">{tabs}</div>'
            f'<div class="respuestas">{shown}</div>{self._pager(visit, place)}'
            f'<form method="post" action="{visit.to("compose")}"><textarea name="r"></textarea>'
            "<button>Responder</button></form>"
        )

    def _answer_block(self, visit: Visit, answer: Post, comments: list[Post]) -> str:
        notes = "".join(
            f'<li class="nota" id="{self.anchor(note.id)}">{self._words(visit, note)}</li>' for note in comments
        )
        return (
            f'<div class="respuesta" id="{self.anchor(answer.id)}"><div class="votos">{answer.id % 5}</div>'
            f"{self._words(visit, answer)}{f'<ul class=notas>{notes}</ul>' if notes else ''}</div>"
        )

    def _words(self, visit: Visit, post: Post) -> str:
        link = visit.to("thread", post.thread, key=str(post.id), form="shown")
        edited = f" editado {self.when(visit, post.edited)}" if post.edited else ""
        return (
            f'<div class="texto">{body_html(post.body, BODY)}</div><p class="pie">'
            f'<a href="{link}#{self.anchor(post.id)}">{self.when(visit, post.time)}</a> '
            f"{visit.user(post.author)}{edited}</p>"
        )

    def _pager(self, visit: Visit, place: SitePage) -> str:
        flips = numbered(visit, place, around=2)
        if len(flips) < 2:
            return ""
        ends = (previous_flip(visit, place, "anterior"), *flips, next_flip(visit, place, "siguiente"))
        return f'<ul class="hojas">{"".join(f"<li>{flip.link()}</li>" for flip in ends if flip)}</ul>'


def group_comments(posts: list[Post]) -> list[tuple[Post, list[Post]]]:
    """Posts that answer one of the page's answers become its comments."""
    groups: list[tuple[Post, list[Post]]] = []
    group_of: dict[int, int] = {}
    for post in posts:
        group = group_of.get(post.reply_to or 0)
        if group is None:
            group_of[post.id] = len(groups)
            groups.append((post, []))
        else:
            group_of[post.id] = group
            groups[group][1].append(post)
    return groups
