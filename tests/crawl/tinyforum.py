"""A forum of a few dozen lines whose content a test can change while it is crawled."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path
from typing import Protocol

from aiohttp import web

from thrawl.archive import Archive
from thrawl.crawl.options import Finished, Tally
from thrawl.lab.faults import Fault
from thrawl.learn.learner import Learned
from thrawl.learn.wrappers.learnheading import learn_page_wrapper
from thrawl.learn.wrappers.learnrows import learn_row_wrapper
from thrawl.learn.wrappers.posts import learn_post_wrapper
from thrawl.net.message import Response
from thrawl.page.reading import read_page
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

START = datetime(2026, 5, 1, 8, 0, tzinfo=UTC)
POSTS_A_PAGE = 4
THREADS_A_PAGE = 5
PEOPLE = "Marta Jonas Wilhelmina Otto Beatrix".split()
WORDS = "tripod shutter lens winter film grain bellows focus scanner paper light meter strap filter".split()


@dataclass
class Post:
    id: int
    author: str
    text: str
    quote: tuple[str, str] | None = None


@dataclass
class TinyForum:
    """Boards of threads of posts, served on loopback. Its looks are a few tags; its URLs are the usual ones."""

    boards: dict[int, list[int]] = field(default_factory=dict)
    threads: dict[int, list[Post]] = field(default_factory=dict)
    shows_ids: bool = True
    picture: str = ""
    repeats_first_post: bool = False
    repeats_its_head: bool = (
        False  # who wrote the first post and when stands on every page, its words on the first only
    )
    first_has_thread_id: bool = False  # the first post of each page is named by the thread's number
    redesigned: bool = False
    opens_last: bool = False  # threads show their last page at their own address
    all_threads_list: bool = False
    only_on_boards: tuple[int, ...] = ()  # threads that the list of all threads leaves out
    counts_threads: bool = False  # beside the names of boards
    crumbs: bool = False  # threads name their board
    headings: bool = True
    tells_replies: bool = True
    pinned: int | None = None
    newest_first: bool = False
    asked: Counter[str] = field(default_factory=Counter)
    answers: dict[str, Callable[[int], web.Response | None]] = field(default_factory=dict)
    before: Callable[[str], None] = lambda _: None
    wall: Callable[[str], str | None] = lambda _: None
    faults: list[Fault] = field(default_factory=list)
    _posts: int = 0
    _runner: web.AppRunner | None = None
    origin: str = ""

    def write(self, thread: int, text: str = "", quote: tuple[str, str] | None = None, author: str = "") -> Post:
        self._posts += 1
        number = self._posts
        words = " ".join(WORDS[(number * step + step) % len(WORDS)] for step in (1, 3, 5, 7, 2))
        post = Post(number, author or PEOPLE[number % len(PEOPLE)], text or f"{words} number {number}.", quote)
        self.threads.setdefault(thread, []).append(post)
        return post

    def fill(self, boards: int = 2, threads: int = 7, longest: int = 11) -> TinyForum:
        for board in range(1, boards + 1):
            for place in range(threads):
                thread = board * 100 + place
                self.boards.setdefault(board, []).append(thread)
                for _ in range(1 + (thread * 5) % longest):
                    self.write(thread)
        return self

    async def start(self) -> None:
        app = web.Application()
        app.router.add_get("/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        path = request.path_qs
        if path == "/robots.txt":
            return web.Response(status=404)
        for fault in self.faults:
            if fault.hits(request) and (trouble := await fault.strike(request)) is not None:
                return trouble
        self.asked[path] += 1
        self.before(path)
        special = self.answers.get(path)
        answer = special(self.asked[path]) if special is not None else None
        if answer is not None:
            return answer
        body = self.wall(path) or self.page(path)
        if body is None:
            return web.Response(status=404, text="<p>Not here</p>", content_type="text/html")
        response = web.Response(text=body, content_type="text/html")
        response.headers["ETag"] = f'"{hash(body):x}"'
        if request.headers.get("If-None-Match") == response.headers["ETag"]:
            return web.Response(status=304, headers={"ETag": response.headers["ETag"]})
        return response

    def page(self, path: str) -> str | None:
        where, _, query = path.partition("?")
        number = int(query.partition("page=")[2] or 1)
        parts = where.strip("/").split("/")
        if parts == [""]:
            return self._frame("Forum", "".join(map(self._board_row, self.boards)) + self._all_link())
        if parts == ["all"] and self.all_threads_list:
            every = [one for board in self.boards.values() for one in board if one not in self.only_on_boards]
            return self._list("All", "/all", every, number)
        if parts[0] == "board" and int(parts[1]) in self.boards:
            return self._list(f"Board {parts[1]}", where, self._in_order(self.boards[int(parts[1])]), number)
        if parts[0] == "thread" and int(parts[1].partition("-")[0]) in self.threads:
            return self._thread(int(parts[1].partition("-")[0]), where, 0 if self.opens_last and not query else number)
        return None

    def _frame(self, title: str, main: str, crumbs: str = "") -> str:
        head = f"<title>{title}</title><body><nav><a href='/'>Forum</a>{crumbs}</nav><h1>{title}</h1>"
        return f"<!DOCTYPE html>{head}{main}"

    def _board_row(self, board: int) -> str:
        count = f" <span>{len(self.boards[board])}</span> threads" if self.counts_threads else ""
        return f"<p class='board'><a href='/board/{board}'>Board {board}</a>{count}</p>"

    def _all_link(self) -> str:
        return "<p class='board'><a href='/all'>All threads</a></p>" if self.all_threads_list else ""

    def _in_order(self, threads: list[int]) -> list[int]:
        if not self.newest_first:
            return threads
        return sorted(threads, key=lambda one: (one != self.pinned, -self.threads[one][-1].id))

    def _list(self, title: str, where: str, threads: list[int], number: int) -> str | None:
        shown = threads[(number - 1) * THREADS_A_PAGE : number * THREADS_A_PAGE]
        rows = "".join(
            f"<li><a href='/thread/{one}'>{self.title(one)}</a>"
            + (f" <span>{len(self.threads[one]) - 1}</span></li>" if self.tells_replies else "</li>")
            for one in shown
        )
        return self._frame(title, f"<ul>{rows}</ul>{_pager(where, len(threads), THREADS_A_PAGE)}") if shown else None

    def title(self, thread: int) -> str:
        return f"About {WORDS[thread % len(WORDS)]} in case {thread}"

    def _thread(self, thread: int, where: str, number: int) -> str | None:
        posts = self.threads[thread]
        number = number or _pages(len(posts), POSTS_A_PAGE)
        shown = posts[(number - 1) * POSTS_A_PAGE : number * POSTS_A_PAGE]
        if not shown:
            return None
        if self.repeats_first_post and number > 1:
            shown = [posts[0], *shown]
        if self.repeats_its_head and number > 1:
            shown = [replace(posts[0], text=""), *shown]
        if self.first_has_thread_id:
            shown = [replace(shown[0], id=thread), *shown[1:]]
        draw = self._new_post if self.redesigned else self._post
        main = "".join(map(draw, shown)) + _pager(where, len(posts), POSTS_A_PAGE, 1 if self.opens_last else 2)
        board = next((board for board, threads in self.boards.items() if thread in threads and self.crumbs), None)
        crumbs = f" » <a href='/board/{board}'>Board {board}</a>" if board is not None else ""
        return self._frame(self.title(thread) if self.headings else f"Page of {thread}", main, crumbs)

    def _post(self, post: Post) -> str:
        name = f" id='p{post.id}'" if self.shows_ids else ""
        quote = f"<blockquote><cite>{post.quote[0]} wrote:</cite>{post.quote[1]}</blockquote>" if post.quote else ""
        moment = START + timedelta(minutes=7 * post.id)
        return (
            f"<div class='post'{name}><div class='by'><a href='/user/{post.author}'>{post.author}</a> "
            f"<time datetime='{moment.isoformat()}'>{moment:%Y-%m-%d %H:%M}</time></div>"
            f"<div class='words'>{quote}{escape(post.text)}{self.picture}</div></div>"
        )

    def _new_post(self, post: Post) -> str:
        moment = START + timedelta(minutes=7 * post.id)
        return (
            f"<section><table><tr><td><b>{post.author}</b><td>{moment:%Y-%m-%d %H:%M}</table>"
            f"<main id='entry{post.id}'>{escape(post.text)}</main></section>"
        )

    def profile(self) -> Profile:
        """What learning would find out about this forum."""
        site = self.origin
        flip = "?page={page:number}"

        def a_list(path: str, key: tuple[str, ...] = ()) -> ListPattern:
            return ListPattern(Pattern.parse(site + path), (Flip(Pattern.parse(site + path + flip), 1, 1),), key)

        firsts = [f"/thread/{one}" for one in list(self.threads)[:12]]
        lasts = [
            f"/thread/{one}?page={-(-len(posts) // POSTS_A_PAGE)}"
            for one, posts in self.threads.items()
            if len(posts) > POSTS_A_PAGE
        ]
        pages = [*firsts, *lasts[-6:]]
        read = [read_page(body, site + path) for path in pages if (body := self.page(path))]
        posts = learn_post_wrapper(read)
        boards = [f"/board/{board}" for board in self.boards]
        heading = learn_page_wrapper(read, [], is_index_url=lambda url: "/board/" in url) if self.crumbs else None
        rows = learn_row_wrapper(
            [read_page(body, site + path) for path in boards if (body := self.page(path))],
            lambda url: url.startswith(f"{site}/thread/"),
        )
        return Profile(
            f"{site}/",
            (a_list("/board/{a:number}"), a_list("/all")),
            (a_list("/thread/{a:number}"), a_list("/thread/{a:number}-{b:word}", ("a",))),
            post_wrapper=posts.to_json() if posts else None,
            row_wrapper=rows.to_json() if rows else None,
            page_wrapper=heading.to_json() if heading else None,
        )

    def answer(self, path: str) -> Response:
        """A page as a fetcher would give it."""
        url, body = self.origin + path, (self.page(path) or "<p>Nobody.").encode()
        return Response(url, url, 200, (("Content-Type", "text/html"),), body, "utf-8", datetime.now(UTC))

    def written(self) -> dict[str, list[str]]:
        """The words of every thread, in order."""
        return {f"{self.origin}/thread/{one}": [post.text for post in posts] for one, posts in self.threads.items()}


def _pages(items: int, size: int) -> int:
    return -(-items // size)


def _pager(where: str, items: int, size: int, first: int = 2) -> str:
    numbers = range(first, _pages(items, size) + 1) if items > size else ()
    return "".join(f"<a href='{where}?page={page}'>{page}</a> " for page in numbers)


class Crawl(Protocol):
    def __call__(
        self,
        forum: TinyForum,
        profile: Profile | None = None,
        *,
        learn: Callable[[str], Awaitable[Learned]] = ...,
        say: Callable[[str], None] = ...,
        watch: Callable[[Tally], None] = ...,
        stop: asyncio.Event | None = None,
        **options: object,
    ) -> Awaitable[Finished]: ...


def archived(location: Path) -> dict[str, list[str]]:
    """The words of every thread in an archive, in order."""
    found: dict[str, list[str]] = {}
    with Archive.open(location, readonly=True) as archive:
        assert archive.check() == []
        for post in archive.posts(with_vanished=False):
            words = found.setdefault(post.thread_url, [])
            words.append(post.text)
            assert post.position == len(words)
    return found
