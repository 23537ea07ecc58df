"""A script-made forum: its pages are empty shells until JavaScript has fetched JSON and built the lists (English).

Quirks: lists and posts exist only after scripts ran, a "next" button that is a link made by the script, an ad made by
the script between posts, exact times in attributes and relative words in the text. What the shell shows without
scripts is one sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from typing import ClassVar
from urllib.parse import urljoin, urlsplit

from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.bodies import PLAIN, body_html
from thrawl.lab.skins.language import ago
from thrawl.lab.skins.routes import Route, SitePage
from thrawl.lab.skins.values import Answer, Layers, Line, Visit
from thrawl.lab.world import Board, Post, Thread

DATA = "/json"
SCRIPT = """
const stage = document.getElementById('stage');
const make = (tag, css, text) => {
  const node = document.createElement(tag); node.className = css; if (text !== undefined) node.textContent = text;
  return node;
};
const anchor = (css, text, href) => { const node = make('a', css, text); node.href = href; return node; };
const stamp = item => { const node = make('time', 'at', item.said); node.dateTime = item.time; return node; };
const row = item => {
  const node = make('li', 'row');
  node.append(anchor('row-title', item.title, item.url));
  if (item.about) node.append(make('p', 'about', item.about));
  if (item.author) node.append(anchor('by', item.author, item.author_url));
  if (item.replies !== undefined) node.append(make('span', 'n', item.replies));
  if (item.time) node.append(stamp(item));
  return node;
};
const note = item => {
  const node = make('section', 'note'); node.id = item.id;
  const head = make('div', 'head');
  head.append(anchor('by', item.author, item.author_url), stamp(item));
  const words = make('div', 'words'); words.innerHTML = item.html;
  node.append(head, words);
  return node;
};
fetch(stage.dataset.from).then(answer => answer.json()).then(data => {
  stage.replaceChildren(make('h1', '', data.title));
  const list = make('ul', 'rows');
  (data.rows || []).forEach(item => list.append(row(item)));
  if (data.rows) stage.append(list);
  (data.posts || []).forEach((item, number) => {
    stage.append(note(item));
    if (number === 2) stage.append(make('div', 'ad', 'Buy better screws!'));
  });
  if (data.next) stage.append(anchor('next', 'Next', data.next));
});
"""

Data = dict[str, object]


class Script(Skin):
    name = "script"
    family = "script-made"
    quirks: ClassVar[tuple[str, ...]] = (
        "lists and posts exist only after JavaScript ran",
        "only next",
        "ads between posts",
        "relative dates with exact attributes",
        "profiles",
        "login wall",
    )
    threads_per_page = 15
    posts_per_page = 10
    routes = (
        Route("entry", "/app"),
        Route("board", "/app/list/{id}"),
        Route("board", "/app/list/{id}/{page}"),
        Route("thread", "/app/view/{id}"),
        Route("thread", "/app/view/{id}/{page}"),
        Route("data entry", f"{DATA}/app"),
        Route("data board", f"{DATA}/app/list/{{id}}"),
        Route("data board", f"{DATA}/app/list/{{id}}/{{page}}"),
        Route("data thread", f"{DATA}/app/view/{{id}}"),
        Route("data thread", f"{DATA}/app/view/{{id}}/{{page}}"),
        Route("user", "/app/user/{id}"),
        Route("help", "/app/help"),
        Route("login", "/app/login"),
        Route("compose", "/app/new"),
        Route("newest", "/app/latest"),
        Route("last", "/app/view/{id}/end"),
        Route("feed", "/app/latest.atom"),
    )

    def __init__(self, layers: Layers | None = None) -> None:
        super().__init__(layers)
        makers: dict[str, Callable[[Visit, SitePage], Data]] = {
            "entry": self._entry_data,
            "board": self._board_data,
            "thread": self._thread_data,
        }
        for what, maker in makers.items():
            self._pages[f"data {what}"] = self._data_page(what, maker)

    def data_url(self, url: str) -> str:
        parts = urlsplit(url)
        return parts._replace(path=DATA + parts.path).geturl()

    def links_of(self, answer: Answer, url: str) -> set[str]:
        """What the script would link: rows, authors and the next page."""
        data = json.loads(answer.body)
        found = [row["url"] for row in data.get("rows", ())] + [data["next"]]
        return {urljoin(url, link) for link in found if link}

    def frame(self, visit: Visit, title: str, main: str) -> str:
        menu = " ".join(self.menu(visit, "newest", "help", "login"))
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f'{self.feed_link(visit)}</head><body><nav><a href="{visit.to("entry")}">Home</a> {menu}</nav>'
            f"{main}</body></html>"
        )

    def _shell(self, visit: Visit, place: SitePage) -> str:
        source = escape(DATA + visit.path(place))
        return (
            f'<div id="stage" data-from="{source}"><noscript>Please switch on JavaScript to read this forum.</noscript>'
            f"</div><script>{SCRIPT}</script>"
        )

    def entry(self, visit: Visit, place: SitePage) -> str:
        return self._shell(visit, place)

    def board(self, visit: Visit, place: SitePage, board: Board) -> str:
        return self._shell(visit, place)

    def thread(self, visit: Visit, place: SitePage, thread: Thread) -> str:
        return self._shell(visit, place)

    def _data_page(self, what: str, maker: Callable[[Visit, SitePage], Data]) -> Callable[[Visit, SitePage], Answer]:
        def page(visit: Visit, place: SitePage) -> Answer:
            real = SitePage(what, place.id, place.page)
            if not self.exists(real, visit.view):
                return Answer(404, "{}", "application/json")
            return Answer(200, json.dumps(maker(visit, real), ensure_ascii=False), "application/json")

        return page

    def _entry_data(self, visit: Visit, place: SitePage) -> Data:
        rows = [self._board_row(visit, board) for board in visit.view.boards]
        return {"title": self.language.site, "rows": rows, "next": None}

    def _board_row(self, visit: Visit, board: Board) -> Data:
        last = visit.view.board_last(board.id) if self.layers.entry_last else None
        stamp = self._stamp(visit, last) if last else {}
        return {"title": board.title, "about": board.about, "url": visit.path(SitePage("board", board.id)), **stamp}

    def _board_data(self, visit: Visit, place: SitePage) -> Data:
        rows = [self._row(visit, line) for line in self.lines(visit, place)]
        title = visit.view.path(place.id)[-1].title
        return {"title": title, "rows": rows, "next": self._next(visit, place)}

    def _row(self, visit: Visit, line: Line) -> Data:
        row: Data = {
            "title": line.thread.title,
            "url": visit.path(SitePage("thread", line.thread.id)),
            "author": line.thread.author.name,
            "author_url": visit.path(SitePage("user", line.thread.author.id)),
        }
        if self.layers.row_replies:
            row["replies"] = line.replies
        return {**row, **self._stamp(visit, line.last)} if self.layers.row_last else row

    def _thread_data(self, visit: Visit, place: SitePage) -> Data:
        posts = [self._note(visit, post) for post in self.posts_shown(place, visit.view)]
        thread = visit.view.thread(place.id)
        return {"title": thread.title if thread else "", "posts": posts, "next": self._next(visit, place)}

    def _note(self, visit: Visit, post: Post) -> Data:
        return {
            "id": self.anchor(post.id),
            "author": post.author.name,
            "author_url": visit.path(SitePage("user", post.author.id)),
            "html": body_html(post.body, PLAIN),
            **self._stamp(visit, post),
        }

    def _stamp(self, visit: Visit, post: Post) -> Data:
        return {"time": post.time.isoformat(), "said": ago(self.language, post.time, visit.view.moment)}

    def _next(self, visit: Visit, place: SitePage) -> str | None:
        if place.page >= self.page_count(place, visit.view):
            return None
        return visit.path(SitePage(place.what, place.id, place.page + 1))
