"""A random forum as a site: from an address to its answer, and the truth about each address.

    site = forum(17)
    print(site.choices)
    site.answer(site.entry_path)

All places of the forum are known, so a request is looked up among their addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from urllib.parse import unquote, urlsplit

from thrawl.lab.random import noise
from thrawl.lab.random.addresses import Addresses
from thrawl.lab.random.choices import Choices, Option, draw
from thrawl.lab.random.content import make_world
from thrawl.lab.random.frame import charset_of, menu_words, tag_words, whole_page
from thrawl.lab.random.naming import Names
from thrawl.lab.random.pages import list_page
from thrawl.lab.random.paint import Paint
from thrawl.lab.random.rows import sortable
from thrawl.lab.random.structure import ENTRY, LISTS, Plan
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.skins.values import Answer, PageTruth, redirect
from thrawl.lab.world import Post, World
from thrawl.page.pagekind import PageKind

ORIGIN = "http://forum.test"
# --- noise that every forum answers for, linked or not
_ALWAYS = ("members", "login", "compose", "register", "search", "help", "newest", "calendar", "feed", "private")
# --- what robots.txt forbids where it forbids noise: single pages, and all pages of a kind
_FORBIDDEN = ("members", "login", "register", "search", "calendar")
_FORBIDDEN_EACH = ("print", "user", "calendar", "compose")


@dataclass(frozen=True, slots=True)
class Needed:
    """The fewest requests that show everything: pages, and redirects whose ends cannot be guessed."""

    index_pages: int
    thread_pages: int
    redirects: int

    @property
    def requests(self) -> int:
        return self.index_pages + self.thread_pages + self.redirects


class Site:
    """One random forum, as it stands an hour after its last post."""

    def __init__(self, choices: Choices, world: World) -> None:
        self.choices = choices
        self.world = world
        self.plan = Plan(choices, world)
        self.addresses = Addresses(self.plan, Names(choices.seed))
        self._answers = 0

    # --- requests

    @property
    def entry_path(self) -> str:
        return self.addresses.entry

    @property
    def start_path(self) -> str:
        """Where a crawl begins: mostly the entry page, by the choice `start` another one."""
        random = Random(f"{self.choices.seed}/start")
        return self.addresses.path(self._start(random))

    def _start(self, random: Random) -> SitePage:
        plan, threads = self.plan, self.plan.thread_ids
        number = random.choice(threads)
        match self.choices.start:
            case "board" if not plan.single:
                return plan.opened("board", random.choice(plan.view.boards).id)
            case "thread":
                return plan.opened("thread", number)
            case "flip":
                flips = [place for place in plan.canonical() if place.page != plan.opening(place)]
                return random.choice(flips) if flips else ENTRY
            case "profile":
                return SitePage("user", random.choice(plan.view.posts(number)).author.id)
            case "permalink":
                return SitePage("post", random.choice(plan.view.posts(number)).id)
            case "tag":
                return SitePage("tag", key=random.choice(tag_words(self._paint())))
            case "search":
                return SitePage("search")
        return ENTRY

    @property
    def charset(self) -> str:
        return charset_of(self._paint())

    @property
    def told_charset(self) -> str | None:
        """What the Content-Type header says of the charset."""
        return self.charset if self.choices.charset in ("utf-8", "legacy") else None

    @cached_property
    def robots(self) -> str | None:
        if self.choices.robots == "none":
            return None
        lines = [f"Disallow: {prefix}" for prefix in self._forbidden()] if self.choices.robots == "noise" else []
        return "\n".join(["User-agent: *", *(lines or ["Disallow:"])]) + "\n"

    def _forbidden(self) -> Iterator[str]:
        """Beginnings of the addresses of noise; none that a needed page shares."""
        needed = [self.addresses.path(place) for place in self.plan.canonical()]
        prefixes = [self.addresses.path(SitePage(what)) for what in _FORBIDDEN]
        prefixes += [self.addresses.beginning(what) for what in _FORBIDDEN_EACH]
        return (prefix for prefix in prefixes if not any(address.startswith(prefix) for address in needed))

    def _paint(self, session: str = "") -> Paint:
        return Paint(self.plan, self.addresses, session, self._answers)

    def answer(self, target: str, session: str = "") -> Answer:
        """The page at a path with its query; `session` goes into its links until the visitor's cookie comes back."""
        self._answers += 1
        place = self.place(target)
        paint = self._paint(session)
        if place is None and target == "/" and self._root_leads_in:
            return redirect(paint.path(ENTRY))
        if place is None:
            return Answer(404, whole_page(paint, "404", "<p>404</p>"))
        if place.what in LISTS:
            # Another address of a page shows that page, and leads on in its proper form.
            drawn = place if place.form in ("sorted", "whole") else self.home(place) or place
            return Answer(200, list_page(paint, drawn))
        if place.what in ("post", "last", "go"):
            return self._moved(paint, place)
        return noise.PAGES[place.what](paint, place)

    def _moved(self, paint: Paint, place: SitePage) -> Answer:
        """Forms of a thread: they redirect to where it stands, or show it themselves."""
        home = self.home(place)
        assert home is not None
        if place.what == "post" and (self.choices.permalink == "same" or self.choices.thread_id == "message"):
            return Answer(200, list_page(paint, home))
        post = self._post(place)
        return redirect(
            paint.path(home) + (f"#{paint.anchor(post)}" if post else ""), 301 if place.what == "go" else 302
        )

    # --- places

    @cached_property
    def _table(self) -> dict[str, SitePage]:
        found: dict[str, SitePage] = {}
        for place in self.places():
            found.setdefault(unquote(self.addresses.path(place)), place)
        return found

    def place(self, target: str) -> SitePage | None:
        """What an address stands for; None where the site has no such page."""
        target = unquote(self.addresses.without_session(target))
        found = self._table.get(self.addresses.without_tokens(target))
        return found if found is not None else self._endless(target)

    def _endless(self, target: str) -> SitePage | None:
        """Months of the calendar and combinations of tags: there is always one more."""
        for what in ("tag", "calendar"):
            before, after = unquote(self.addresses.path(SitePage(what, key="@"))).split("@")
            key = target[len(before) : len(target) - len(after)]
            if target.startswith(before) and target.endswith(after) and key and "/" not in key:
                return SitePage(what, key=key)
        return None

    def places(self) -> Iterator[SitePage]:
        """Every page with an end, canonical ones first: an address of two places is the first one's."""
        choices, view, plan = self.choices, self.plan.view, self.plan
        canonical = list(plan.canonical())
        yield from canonical
        yield from self._forms(canonical)
        for number in view.all_thread_ids():
            for what in ("go", "last", "print"):
                yield SitePage(what, number)
            if choices.permalink in ("redirect", "same") or choices.thread_id == "message":
                yield from (SitePage("post", post.id) for post in view.posts(number, words=False))
        yield from (SitePage(what) for what in _ALWAYS)
        if choices.above != "nothing":
            yield from (SitePage("root"), SitePage("about"))
            yield from (SitePage("news", number) for number in range(1, 6))
        yield from self._noise()

    def _forms(self, canonical: list[SitePage]) -> Iterator[SitePage]:
        for place in canonical:
            if place.page != self.plan.opening(place):
                continue
            if place.what == "thread" and self.choices.whole:
                yield SitePage("thread", place.id, form="whole")
            if place.what == "thread" and self.choices.forms == "several":
                yield replace(place, form="view")
            if self.choices.sorting and sortable(place) and self.plan.lists_threads(place):
                yield from (replace(place, key=key, form="sorted") for key in ("title", "author", "count", "last"))
            if self.choices.pager_fault == "last-lies" and self._beyond_repeats:
                last = self.plan.page_count(place)
                # Some software shows its last page again for any number above it.
                yield replace(place, page=last + 1)

    @cached_property
    def _beyond_repeats(self) -> bool:
        return Random(f"{self.choices.seed}/beyond").random() < 0.5

    @cached_property
    def _root_leads_in(self) -> bool:
        """Where nothing stands above a forum, the site's root leads to it, or is missing."""
        return Random(f"{self.choices.seed}/root").random() < 0.5

    def _noise(self) -> Iterator[SitePage]:
        paint = self._paint()
        authors = {int(number) for number in self.world.columns.authors}
        yield from (SitePage("user", number) for number in sorted(authors | set(range(1, 13))))
        yield from (SitePage("word", key=word) for word in menu_words(paint))
        yield from (SitePage("tag", key=word) for word in tag_words(paint))
        yield from (SitePage("compose", post) for post in self._composed())

    def _composed(self) -> Iterator[int]:
        yield from (int(number) for number in self.world.columns.post_ids)
        yield from self.plan.thread_ids

    # --- truth

    def home(self, place: SitePage) -> SitePage | None:
        """The canonical place that shows the same; None for pages that are none of the forum's lists."""
        if place.what in LISTS:
            last = self.plan.page_count(place)
            return SitePage(place.what, place.id, min(place.page, last), "" if place.form else place.key)
        post = self._post(place)
        if post is not None:
            return self.plan.home_of(post)
        return self.plan.opened("thread", place.id) if place.what == "go" else None

    def _post(self, place: SitePage) -> Post | None:
        view = self.plan.view
        if place.what == "last":
            return view.last_post(place.id)
        return view.post(place.id, words=False) if place.what == "post" else None

    def truth(self, url: str) -> PageTruth:
        """Type and canonical address of what a URL leads to; its kind on that address alone."""
        parts = urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        place = self.place(target)
        home = self.home(place) if place is not None else None
        if place is None or home is None:
            return PageTruth(PageKind.OTHER)
        page_type = self.plan.type_of(home)
        if place.form in ("sorted", "whole"):
            return PageTruth(page_type)
        origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
        canonical = self.addresses.path(home)
        itself = unquote(self.addresses.without_tokens(target)) == unquote(canonical)
        return PageTruth(page_type, origin + canonical, self.plan.kind(home) if itself else None)

    def key(self, target: str) -> str:
        """An address without what changes from answer to answer: two with the same key show the same page."""
        return unquote(self.addresses.without_tokens(self.addresses.without_session(target)))

    def is_feed(self, target: str) -> bool:
        place = self.place(target)
        return place is not None and place.what == "feed"

    def rows_at(self, target: str) -> list[tuple[str, int]]:
        """What the index page at an address lists: threads, boards or categories, each with its id."""
        place = self.place(target)
        if place is None or self.plan.type_of(place) not in ("entry", "index"):
            return []
        what = "thread" if self.plan.lists_threads(place) else "category" if place.what == "entry" else "board"
        return [(what, number) for number in self.plan.on_page(self.home(place) or place)]

    def canonical_urls(self, origin: str = ORIGIN) -> Iterator[tuple[str, PageKind]]:
        for place in self.plan.canonical():
            yield origin + self.addresses.path(place), self.plan.kind(place)

    def posts_at(self, url: str) -> list[Post]:
        """The posts that the thread page at a URL shows, in the world's order; none for other pages."""
        parts = urlsplit(url)
        place = self.place(parts.path + (f"?{parts.query}" if parts.query else ""))
        home = self.home(place) if place is not None else None
        if place is not None and place.form == "whole":
            return self.plan.posts_on(place)
        return self.plan.posts_on(home) if home is not None and home.what == "thread" else []

    @cached_property
    def needed(self) -> Needed:
        kinds = [kind.startswith("thread") for _, kind in self.canonical_urls()]
        if self.choices.whole:
            # The first post's page names the page of the whole thread: two requests show any thread.
            sizes = [min(self.plan.view.size(number), 2) for number in self.plan.thread_ids]
            return Needed(kinds.count(False), sum(sizes), 0)
        blind = self.choices.forms == "redirect" and self.choices.thread_id == "hash"
        return Needed(kinds.count(False), kinds.count(True), self.plan.view.thread_count if blind else 0)


def forum(seed: int, **given: Option) -> Site:
    """The random forum of a seed; choices that are given are not drawn: `forum(17, markup="tree")`."""
    choices = draw(seed, **given)
    return Site(choices, make_world(choices))
