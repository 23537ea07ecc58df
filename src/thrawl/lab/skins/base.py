"""What all skins share: from a URL to a page, and the truth about both.

A skin declares its URL forms (`routes`), its looks (`frame`, `entry`, `board`, `thread`) and its page sizes. From
those this base answers requests, tells the type and the canonical URL of every page and the posts that it shows, and
lists all pages that a perfect crawler asks for.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import chain
from typing import ClassVar
from urllib.parse import quote, unquote, urlsplit

from thrawl.lab import content
from thrawl.lab.skins import noise
from thrawl.lab.skins.language import ENGLISH, Language
from thrawl.lab.skins.lists import LISTS, Lists
from thrawl.lab.skins.routes import Route, SitePage
from thrawl.lab.skins.values import Answer, Layers, PageTruth, Visit, redirect
from thrawl.lab.world import Board, Thread, View
from thrawl.page.pagekind import PageKind


class Skin(Lists, ABC):
    name: ClassVar[str]
    family: ClassVar[str]
    quirks: ClassVar[tuple[str, ...]]
    language: ClassVar[Language] = ENGLISH
    routes: ClassVar[tuple[Route, ...]]
    charset: ClassVar[str] = "utf-8"
    session_name: ClassVar[str] = ""
    usual: ClassVar[Layers] = Layers()
    walled: ClassVar[frozenset[str]] = frozenset({"private", "compose"})
    wall_status: ClassVar[int] = 200

    def __init__(self, layers: Layers | None = None) -> None:
        self.layers = layers if layers is not None else self.usual
        self._routes: dict[tuple[str, str, bool, bool], Route] = {}
        self._pages: dict[str, Callable[[Visit, SitePage], Answer]] = {
            "entry": self._entry,
            "board": self._board,
            "thread": self._thread,
            "post": self._post,
            "last": self._last,
            "go": self._go,
            **noise.PAGES,
        }

    # --- looks: what each skin draws

    @abstractmethod
    def frame(self, visit: Visit, title: str, main: str) -> str:
        """A whole page around its main part."""

    @abstractmethod
    def entry(self, visit: Visit, place: SitePage) -> str: ...

    @abstractmethod
    def board(self, visit: Visit, place: SitePage, board: Board) -> str: ...

    @abstractmethod
    def thread(self, visit: Visit, place: SitePage, thread: Thread) -> str: ...

    # --- addresses

    @property
    def entry_path(self) -> str:
        return next(route.pattern for route in self.routes if route.what == "entry")

    def path(self, place: SitePage, view: View) -> str:
        """The path and query of a place in the skin's proper form."""
        route = self._route(place.what, place.form, place.page > 1, bool(place.key))
        slug = quote(self.slug_of(place, view)) if route.slugged else ""
        return route.build(place, self.page_size(place.what), slug)

    def _route(self, what: str, form: str, flips: bool, keyed: bool) -> Route:
        """The URL form that fits best; chosen once, as every link of every page asks for it."""
        wanted = (what, form, flips, keyed)
        if wanted not in self._routes:
            routes = [route for route in self.routes if (route.what, route.form) == (what, form)]
            self._routes[wanted] = max(routes, key=lambda route: (route.flips == flips, route.keyed == keyed))
        return self._routes[wanted]

    def place(self, target: str, view: View) -> SitePage | None:
        """What a path with its query stands for; None where the site has no such page."""
        target = self.without_session(unquote(target))
        for route in self.routes:
            found = route.read(target, self.page_size(route.what))
            if found is not None:
                return self.settle(found, view)
        return None

    def settle(self, place: SitePage, view: View) -> SitePage:
        """A chance for skins whose URLs do not say page or thread by number."""
        return place

    def slug_of(self, place: SitePage, view: View) -> str:
        if place.what == "board":
            board = view.board(place.id)
            return content.slug(board.title) if board else "x"
        thread = view.thread(place.id) if place.what not in ("user", "post") else None
        return thread.slug if thread else "x"

    def carried_session(self, target: str) -> str:
        """The session that a visitor brought in the URL."""
        found = re.search(rf"[?&;]{self.session_name}=(\w+)", target) if self.session_name else None
        return found[1] if found else ""

    def with_session(self, path: str, session: str) -> str:
        if not (session and self.session_name):
            return path
        return f"{path}{'&' if '?' in path else '?'}{self.session_name}={session}"

    def without_session(self, target: str) -> str:
        if not self.session_name:
            return target
        target = re.sub(rf"([?&]){self.session_name}=\w*(&|$)", r"\1", target)
        return target.rstrip("?&")

    def canonical_place_url(self, what: str, number: int, view: View) -> str:
        return self.path(SitePage(what, number), view)

    def data_url(self, url: str) -> str:
        """Where the content of a page comes from; only script-made skins have it elsewhere."""
        return url

    def links_of(self, answer: Answer, url: str) -> set[str]:
        """Links that scripts make of an answer; none where the page has its links itself."""
        return set()

    # --- truth

    def truth(self, url: str, view: View) -> PageTruth:
        """Type and canonical URL of the page that a URL leads to; `url` may be absolute or a path."""
        parts = urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        place = self.place(target, view)
        home = self.home(place, view) if place is not None else None
        if place is None or home is None:
            return PageTruth(PageKind.OTHER)
        if self.rearranged(place) or (home.what == "board" and self.entry_lists_threads):
            return PageTruth(LISTS[home.what])
        canonical = self.path(home, view)
        origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
        itself = unquote(target) == unquote(canonical)
        return PageTruth(LISTS[home.what], origin + canonical, self.kind(home) if itself else None)

    def home(self, place: SitePage, view: View) -> SitePage | None:
        """The canonical place that shows the same as this one; None for pages of type other."""
        if place.what in ("post", "last", "go"):
            return self.destination(place, view)
        if place.what not in LISTS or not self.exists(place, view):
            return None
        return SitePage(place.what, place.id, place.page)

    def kind(self, place: SitePage) -> PageKind:
        if place.what == "thread":
            return PageKind.THREAD_FLIP if place.page > 1 else PageKind.THREAD
        return PageKind.INDEX_FLIP if place.page > 1 else PageKind.INDEX

    def canonical_places(self, view: View) -> Iterator[SitePage]:
        """Every page that a perfect crawler asks for, once each."""
        boards = (SitePage("board", board.id) for board in view.boards if not self.entry_lists_threads)
        threads = (SitePage("thread", int(number)) for number in view.thread_ids())
        for first in chain((SitePage("entry"),), boards, threads):
            for page in range(1, self.page_count(first, view) + 1):
                yield SitePage(first.what, first.id, page)

    def canonical_urls(self, view: View, origin: str = "") -> Iterator[tuple[str, PageKind]]:
        for place in self.canonical_places(view):
            yield origin + self.path(place, view), self.kind(place)

    def posts_at(self, url: str, view: View) -> tuple[int, ...]:
        """Ids of the posts that the page at a URL shows."""
        parts = urlsplit(url)
        place = self.place(parts.path + (f"?{parts.query}" if parts.query else ""), view)
        home = self.home(place, view) if place is not None else None
        if place is None or home is None:
            return ()
        if self.rearranged(place):
            return tuple(post.id for post in self.posts_shown(place, view))
        return self.posts_on(home, view)

    # --- answers

    def answer(self, target: str, visit: Visit) -> Answer:
        place = self.place(target, visit.view)
        if place is None or place.what in self._switched_off():
            return self.missing(visit)
        if place.what in self.walled:
            return noise.wall(visit)
        return self._pages[place.what](visit, place)

    def _switched_off(self) -> set[str]:
        return {what for what in ("feed", "newest") if not getattr(self.layers, what)}

    def menu(self, visit: Visit, *names: str) -> list[str]:
        """Links to the site's other pages; what is switched off is not there."""
        shown = (name for name in names if name not in self._switched_off())
        return [f'<a href="{visit.to(name)}">{getattr(self.language, name)}</a>' for name in shown]

    def feed_link(self, visit: Visit) -> str:
        """What a page's head says of the feed."""
        if not self.layers.feed:
            return ""
        return f'<link rel="alternate" type="application/atom+xml" href="{visit.to("feed")}">'

    def missing(self, visit: Visit) -> Answer:
        return Answer(404, self.frame(visit, "404", "<p>404</p>"))

    def destination(self, place: SitePage, view: View) -> SitePage | None:
        """The thread page where a post, or the last one of a thread, stands."""
        if place.what == "go":
            return SitePage("thread", place.id) if view.thread(place.id) else None
        post = view.post(place.id, words=False) if place.what == "post" else None
        if place.what == "last" and view.size(place.id):
            post = view.last_post(place.id)
        if post is None:
            return None
        behind = post.position - 1 - (1 if self.repeats_first_post else 0)
        return SitePage("thread", post.thread, max(behind, 0) // self.posts_per_page + 1)

    def _entry(self, visit: Visit, place: SitePage) -> Answer:
        if not self.exists(place, visit.view):
            return self.missing(visit)
        return Answer(200, self.frame(visit, self.language.site, self.entry(visit, place)))

    def _board(self, visit: Visit, place: SitePage) -> Answer:
        board = visit.view.board(place.id)
        if board is None or not self.exists(place, visit.view):
            return self.missing(visit)
        return Answer(200, self.frame(visit, board.title, self.board(visit, place, board)))

    def _thread(self, visit: Visit, place: SitePage) -> Answer:
        thread = visit.view.thread(place.id)
        if thread is None or not self.exists(place, visit.view):
            return self.missing(visit)
        return Answer(200, self.frame(visit, thread.title, self.thread(visit, place, thread)))

    def _post(self, visit: Visit, place: SitePage) -> Answer:
        """A permalink: by default it redirects to the post's place on its thread page."""
        home = self.destination(place, visit.view)
        return self.missing(visit) if home is None else redirect(f"{visit.path(home)}#{self.anchor(place.id)}")

    def _last(self, visit: Visit, place: SitePage) -> Answer:
        home = self.destination(place, visit.view)
        if home is None:
            return self.missing(visit)
        return redirect(f"{visit.path(home)}#{self.anchor(visit.view.last_post(place.id).id)}")

    def _go(self, visit: Visit, place: SitePage) -> Answer:
        home = self.destination(place, visit.view)
        return self.missing(visit) if home is None else redirect(visit.path(home), 301)

    def anchor(self, post_id: int) -> str:
        return f"p{post_id}"
