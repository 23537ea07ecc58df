"""Which pages a random forum has, and what stands on each: lists, their pages, and the way from the entry to a post.

The way down is always entry → (category) → board → (landing page → list, or month) → thread; the choices say which
of these steps exist. Every list holds all of its records over its pages, so no choice can make a thread unreachable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import cached_property
from typing import Final

from thrawl.lab.random.choices import ONE_PAGE, ONE_POST, OPENED, Choices
from thrawl.lab.skins.lists import line_of
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.skins.values import Line
from thrawl.lab.world import Board, Post, World
from thrawl.page.pagekind import PageKind

ENTRY: Final = SitePage("entry")
_WHOLE: Final = 1_000_000
# --- boards of one category page, and of one page of a list of boards that flips
_BOARDS_A_CATEGORY: Final = 2
_BOARDS_A_PAGE: Final = 2
# --- threads that an entry page shows of each board, and of the whole forum
PREVIEWS: Final = 3
LATEST: Final = 8
INDEXES: Final = frozenset({"category", "board", "list", "month"})
LISTS: Final = INDEXES | {"entry", "thread"}


class Plan:
    """The pages of a forum, without their looks and addresses."""

    def __init__(self, choices: Choices, world: World) -> None:
        self.choices = choices
        self.world = world
        self.view = world.at(world.end + timedelta(hours=1))
        self.single = choices.structure == "single"
        self._posts: dict[int, list[Post]] = {}
        self._lines: dict[int, Line] = {}

    @cached_property
    def categories(self) -> list[tuple[Board, ...]]:
        tops = self.view.children(None)
        return [tops[start : start + _BOARDS_A_CATEGORY] for start in range(0, len(tops), _BOARDS_A_CATEGORY)]

    @cached_property
    def months(self) -> dict[tuple[int, str], list[int]]:
        """Threads by board and by the month in which they began; without boards, all as board 0."""
        found: dict[tuple[int, str], list[int]] = {}
        for number in self.thread_ids:
            thread = self.view.thread(number)
            assert thread is not None
            board = 0 if self.single else thread.board
            found.setdefault((board, f"{thread.created:%Y-%m}"), []).append(number)
        return found

    # --- lists

    def thread_lists(self, board_id: int) -> list[SitePage]:
        """The lists that together hold a board's threads."""
        if self.choices.landing == "months":
            keys = sorted(key for number, key in self.months if number == board_id)
            return [SitePage("month", board_id, key=key) for key in reversed(keys)]
        if self.choices.landing == "all":
            return [SitePage("list", board_id)]
        return [ENTRY if self.single else SitePage("board", board_id)]

    def records(self, place: SitePage) -> list[int]:
        """Ids that a list holds over all of its pages: categories, boards, threads, or positions of posts."""
        match place.what:
            case "thread":
                return list(range(self.view.size(place.id)))
            case "month":
                return self.months.get((place.id, place.key), [])
            case "list":
                return self._threads(place.id)
            case "board":
                return self._threads(place.id) if self.choices.landing == "none" else []
            case "category":
                return [board.id for board in self.categories[place.id]]
            case "entry":
                return self._entry_records()
        return []

    def _threads(self, board_id: int) -> list[int]:
        return [int(number) for number in self.view.thread_ids(None if self.single else board_id)]

    def _entry_records(self) -> list[int]:
        match self.choices.structure:
            case "single":
                return self._threads(0) if self.choices.landing == "none" else []
            case "categories":
                return list(range(len(self.categories)))
            case "latest":
                return self.thread_ids[:LATEST]
        return [board.id for board in self.view.children(None)]

    def line(self, thread_id: int) -> Line:
        """What an index page can tell of a thread."""
        if thread_id not in self._lines:
            self._lines[thread_id] = line_of(self.view, thread_id)
        return self._lines[thread_id]

    def lists_threads(self, place: SitePage) -> bool:
        """Whether a list's records are threads."""
        if place.what == "entry":
            return self.choices.structure in ("single", "latest")
        return place.what in ("board", "list", "month")

    # --- pages of lists

    def size(self, what: str) -> int:
        """Records a page."""
        if what == "thread":
            return self._posts_a_page()
        if what == "entry":
            return {"single": self.choices.board_page, "flipping": _BOARDS_A_PAGE}.get(self.choices.structure, _WHOLE)
        return _WHOLE if what == "category" else self.choices.board_page

    def _posts_a_page(self) -> int:
        if self.choices.markup in ONE_POST:
            return 1
        return _WHOLE if self.choices.markup in ONE_PAGE else self.choices.thread_page

    def page_count(self, place: SitePage) -> int:
        total = len(self.records(place))
        if place.what == "thread" and self.choices.markup in OPENED:
            total -= 1
        return max(1, -(-total // self.size(place.what)))

    def pager(self, what: str) -> str:
        return self.choices.thread_pager if what == "thread" else self.choices.board_pager

    def opens_last(self, what: str) -> bool:
        """Whether the plain address of such a list shows the page with the highest number."""
        if what == "thread":
            return self.choices.from_end == "threads"
        return self.choices.from_end == "boards" and what != "entry" and what != "category"

    def opening(self, place: SitePage) -> int:
        """The number of the page that a list opens with."""
        return self.page_count(place) if self.opens_last(place.what) else 1

    def opened(self, what: str, number: int, key: str = "") -> SitePage:
        """A list at the page that it opens with."""
        first = SitePage(what, number, key=key)
        return SitePage(what, number, self.opening(first), key)

    def on_page(self, place: SitePage) -> list[int]:
        """The records of one page, in order."""
        records, size = self.records(place), self.size(place.what)
        if place.what == "thread" and self.choices.markup in OPENED:
            return [0, *self._cut(records[1:], place, size)]
        return self._cut(records, place, size)

    def _cut(self, records: list[int], place: SitePage, size: int) -> list[int]:
        if self.pager(place.what) == "more":
            return records[: place.page * size]
        turn = place.page - 1
        if place.what != "thread" and self.opens_last(place.what):
            turn = self.page_count(place) - place.page  # the newest rows stand on the highest page
        return records[turn * size : (turn + 1) * size]

    def pages(self, place: SitePage) -> Iterator[SitePage]:
        """All pages of a list, from the one that it opens with."""
        numbers: Sequence[int] = range(1, self.page_count(place) + 1)
        if self.opens_last(place.what):
            numbers = [*reversed(numbers)]
        for page in numbers:
            yield SitePage(place.what, place.id, page, place.key)

    def posts_on(self, place: SitePage) -> list[Post]:
        posts = self.posts(place.id)
        return posts if place.form == "whole" else [posts[number] for number in self.on_page(place)]

    def posts(self, thread_id: int) -> list[Post]:
        """All posts of a thread; kept, as writing their words takes most of a page's time."""
        if thread_id not in self._posts:
            self._posts[thread_id] = self.view.posts(thread_id)
        return self._posts[thread_id]

    @cached_property
    def thread_ids(self) -> list[int]:
        """Every thread by last reply."""
        return self.view.all_thread_ids()

    def home_of(self, post: Post) -> SitePage:
        """The thread page where a post stands."""
        place = SitePage("thread", post.thread)
        behind = post.position - 1 - (1 if self.choices.markup in OPENED else 0)
        return SitePage("thread", post.thread, max(behind, 0) // self.size("thread") + 1, place.key)

    # --- truth

    def canonical(self) -> Iterator[SitePage]:
        """Every page that a perfect crawler asks for, once each."""
        yield from self.pages(ENTRY)
        if self.choices.structure == "categories":
            yield from (SitePage("category", number) for number in range(len(self.categories)))
        for number in [0] if self.single else [board.id for board in self.view.boards]:
            if not self.single:
                yield from self.pages(SitePage("board", number))
            for listed in self.thread_lists(number):
                if listed.what in ("list", "month"):
                    yield from self.pages(listed)
        for number in self.thread_ids:
            yield from self.pages(SitePage("thread", number))

    def type_of(self, place: SitePage) -> PageKind:
        if place.what in INDEXES:
            return PageKind.INDEX
        return {"entry": PageKind.ENTRY, "thread": PageKind.THREAD}.get(place.what, PageKind.OTHER)

    def kind(self, place: SitePage) -> PageKind:
        flipped = place.page != self.opening(place)
        if place.what == "thread":
            return PageKind.THREAD_FLIP if flipped else PageKind.THREAD
        return PageKind.INDEX_FLIP if flipped else PageKind.INDEX
