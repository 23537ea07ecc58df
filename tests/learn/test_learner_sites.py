"""Learning sites by hand: forums with odd addresses, and sites that are no forums or cannot be read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlsplit

import pytest
from aiohttp import web

from thrawl.errors import LearnError
from thrawl.learn.learner import Learned, learn
from thrawl.limits import MAX_LEARNING_PAGES
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions
from thrawl.profile.urltypes import UrlTypes


async def learned_from(url: str) -> Learned:
    async with Client(ClientOptions(start_url=url, delay=0, concurrency=4)) as client:
        return await learn(url, client)


class Site:
    """A small site on loopback: a function from path (with query) to HTML, None for a 404."""

    def __init__(self, page: Callable[[str], str | None]) -> None:
        self._page = page
        self.requests = 0
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        self.requests += 1
        body = self._page(request.path_qs)
        return web.Response(status=404 if body is None else 200, text=body or "gone", content_type="text/html")


@asynccontextmanager
async def site(page: Callable[[str], str | None]) -> AsyncIterator[Site]:
    served = Site(page)
    app = web.Application()
    app.router.add_get("/{path:.*}", served.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    served.url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    try:
        yield served
    finally:
        await runner.cleanup()


def routed(**pages: Callable[[dict[str, int]], str]) -> Callable[[str], str | None]:
    """A site whose pages are told apart by their first folder (`entry` without one) and the numbers in their query."""

    def page(path: str) -> str | None:
        parts = urlsplit(path)
        made = pages.get(parts.path.strip("/") or "entry")
        return None if made is None else made({name: int(value) for name, value in parse_qsl(parts.query)})

    return page


def framed(main: str) -> str:
    return f'<html><body><div id="top"><a href="/">Home</a> <a href="/help">Help</a></div>{main}</body></html>'


async def test_a_login_wall_is_called_so() -> None:
    form = '<h1>Members only</h1><form><input name="u"><input type="password" name="p"><button>Log in</button></form>'
    async with site(lambda path: framed(form)) as walled:
        with pytest.raises(LearnError, match=r"login page.*--cookies"):
            await learned_from(walled.url + "t?id=3")
        assert walled.requests <= 30


async def test_a_bot_challenge_is_called_so() -> None:
    page = (
        "<html><title>Just a moment...</title><body>Checking your browser before you go on.<script>x()</script></body>"
    )
    async with site(lambda path: page) as guarded:
        with pytest.raises(LearnError, match=r"bot challenge.*--cookies"):
            await learned_from(guarded.url)


async def test_a_site_without_threads_is_no_forum() -> None:
    words = "We have made fine chairs in this village since 1921, and we are proud of every single one of them. " * 5
    pages = {
        f"/{name}": framed(f"<h1>{name}</h1><p>{words}</p>") for name in ("chairs", "tables", "about", "help", "jobs")
    }
    menu = "".join(f'<li><a href="{path}">Read more about our {path[1:]}</a></li>' for path in pages)
    pages["/"] = framed(f"<ul>{menu}</ul><p>{words}</p>")
    async with site(pages.get) as brochure:
        with pytest.raises(LearnError, match="forum"):
            await learned_from(brochure.url)
        assert brochure.requests <= 40


async def test_a_site_where_nothing_answers_is_told_in_one_sentence() -> None:
    async with site(lambda path: None) as gone:
        with pytest.raises(LearnError, match=r"cannot be read \(status 404\)"):
            await learned_from(gone.url + "forum/t?id=3")
        assert gone.requests <= 6


async def test_an_endless_calendar_ends() -> None:
    def month(path: str) -> str:
        number = int(path.rpartition("=")[2]) if "=" in path else 0
        days = "".join(f'<td><a href="/day?at={number * 31 + day}">{day}</a> nothing planned</td>' for day in range(31))
        flips = f'<a href="/month?at={number + 1}">Next</a> <a href="/month?at={number - 1}">Previous</a>'
        return framed(f"<table><tr>{days}</tr></table>{flips}")

    async with site(month) as calendar:
        with pytest.raises(LearnError):
            await learned_from(calendar.url)
        assert calendar.requests <= MAX_LEARNING_PAGES


BOARDS, THREADS, POSTS, ROWS, SHOWN = 4, 15, 24, 10, 10


def plain_forum(base: str, outside: Callable[[str], str | None]) -> Callable[[str], str | None]:
    """A forum whose every URL is `index.php?x=…`; other paths are answered by `outside`."""

    def link(text: str, **values: object) -> str:
        query = "&amp;".join(f"{name}={value}" for name, value in values.items())
        return f'<a href="{base}index.php?{query}">{text}</a>'

    def pager(number: int, kind: str, id_: int, last: int) -> str:
        return " ".join(link(str(page), x=kind, id=id_, p=page) for page in range(1, last + 1) if page != number)

    def entry() -> str:
        rows = [
            f"<tr><td>{link(f'Board about subject {n}', x='board', id=n)}</td><td>15</td></tr>"
            for n in range(1, BOARDS + 1)
        ]
        return f"<table>{''.join(rows)}</table>"

    def board(id_: int, page: int) -> str:
        numbers = range(id_ * 100, id_ * 100 + THREADS)[(page - 1) * ROWS : page * ROWS]
        rows = [
            f"<tr><td>{link(f'Why does thing {n} behave so strangely?', x='thread', id=n)}</td>"
            f"<td>{link(f'user{n % 7}', x='user', id=n % 7)}</td><td>{POSTS - 1 if n % 2 else 0}</td>"
            f"<td>2026-05-{n % 28 + 1:02} 12:00 {link('last', x='thread', id=n, view='last')}</td></tr>"
            for n in numbers
        ]
        return f"<h1>Board {id_}</h1><table>{''.join(rows)}</table><p>{pager(page, 'board', id_, 2)}</p>"

    def thread(id_: int, page: int) -> str:
        count = POSTS if id_ % 2 else 1
        posts = [
            f"<tr><td>{link(f'user{n % 7}', x='user', id=n % 7)}</td><td>2026-05-{n % 28 + 1:02} 12:{n:02}"
            f"<p>Thing {id_} was fine until day {n}. {'Then it began to rattle. ' * (n % 7 + 1)}</p></td></tr>"
            for n in range(count)[(page - 1) * SHOWN : page * SHOWN]
        ]
        last = -(-count // SHOWN)
        return f"<h1>Thing {id_}</h1><table>{''.join(posts)}</table><p>{pager(page, 'thread', id_, last)}</p>"

    def answer(path: str) -> str | None:
        split = urlsplit(path)
        values = dict(parse_qsl(split.query))
        id_, page = int(values.get("id", "0")), int(values.get("p", "1"))
        if split.path not in (base, base + "index.php"):
            return outside(path)
        if values.get("x") == "board" and id_ in range(1, BOARDS + 1):
            return framed(board(id_, page))
        if values.get("x") == "thread" and id_ // 100 in range(1, BOARDS + 1):
            return framed(thread(id_, page))
        if values.get("x") == "user":
            return framed(f"<h1>user{id_}</h1><p>Joined 2020-01-01. Likes things.</p>")
        return framed(entry()) if not values else None

    def framed(main: str) -> str:
        top = f'<div id="top"><a href="{base}index.php">Forum</a> <a href="/">Home</a></div>'
        return f"<html><body>{top}{main}</body></html>"

    return answer


@pytest.mark.parametrize(
    "start", ["", "index.php?x=board&id=2", "index.php?x=thread&id=301&p=2", "index.php?x=user&id=3"]
)
async def test_a_forum_whose_every_address_is_one_script(start: str) -> None:
    async with site(plain_forum("/", lambda path: None)) as plain:
        types = UrlTypes((await learned_from(plain.url + start)).profile)
        kinds = {
            "x=board&id=3": "index",
            "x=board&id=3&p=2": "index-flip",
            "x=thread&id=401": "thread",
            "x=thread&id=401&p=3": "thread-flip",
            "x=thread&id=401&view=last": None,
            "x=user&id=3": None,
        }
        typed = {query: types.type(f"{plain.url}index.php?{query}") for query in kinds}
        assert {query: one and one.kind for query, one in typed.items()} == kinds


def news(path: str) -> str | None:
    """The front page of a club whose forum stands under /club/forum/."""
    words = "The club has met again in the old boat house, and all were glad of it. " * 3
    if path == "/":
        items = "".join(
            f'<li><a href="/news/{n}">News of the club in week {n}</a><p>{words}</p></li>' for n in range(8)
        )
        return framed(f'<ul>{items}</ul><a href="/club/forum/">Our forum</a>')
    return framed(f"<h1>News</h1><p>{words * 3}</p>") if path.startswith("/news/") else None


@pytest.mark.parametrize("start", ["index.php?x=board&id=2", "index.php?x=thread&id=301&p=2"])
async def test_a_forum_below_a_site_that_is_something_else(start: str) -> None:
    async with site(plain_forum("/club/forum/", news)) as club:
        profile = (await learned_from(f"{club.url}club/forum/{start}")).profile
        assert profile.entry in (f"{club.url}club/forum/", f"{club.url}club/forum/index.php")
        assert UrlTypes(profile).type(f"{club.url}club/forum/index.php?x=thread&id=101") is not None


SUBJECTS = (
    "kettles clocks engines lanterns bicycles stoves mirrors beehives anchors ladders pumps radios violins".split()
)
TROUBLES = "rattles leaks hums smokes squeaks bends rusts stops shakes freezes cracks".split()


def matter(number: int) -> str:
    return f"One of my {SUBJECTS[number % 13]} {TROUBLES[number % 11]} near the {SUBJECTS[number * 3 % 7]}"


def young_forum(path: str) -> str | None:
    """Of seven boards only the last two have threads; the others show nothing but the site's menu."""
    menu = "".join(
        f'<li><a href="/{name}">{name.title()} of this place</a></li>' for name in ("rules", "members", "groups")
    )

    def page(main: str) -> str:
        return f"<html><body><ul>{menu}</ul>{main}</body></html>"

    def row(number: int) -> str:
        threads, posts = (30, 120) if number > 5 else (0, 0)
        return (
            f'<li class="row"><h2><a href="/board/{number}/{SUBJECTS[number]}">All about {SUBJECTS[number]}</a></h2>'
            f"<p>Buy, mend and sell them</p><b>{threads}</b> threads <b>{posts}</b> posts</li>"
        )

    def thread_row(number: int) -> str:
        return (
            f'<li class="row"><h3><a href="/thread/{number}">{matter(number)}</a></h3>'
            f'<a href="/user/{number % 7}">user{number % 7}</a> <b>4</b> <i>2026-05-{number % 28 + 1:02} 12:00</i></li>'
        )

    def post(thread: int, number: int) -> str:
        words = "Then it began to rattle. " * (number % 3 + 2)
        return (
            f'<li class="post"><a href="/user/{number}">user{number}</a> <i>2026-05-{number + 1:02} 12:{number:02}</i>'
            f"<p>{matter(thread * 5 + number)}. {words}</p></li>"
        )

    kind, _, rest = path.strip("/").partition("/")
    number = int(rest.partition("/")[0] or 0) if rest else 0
    if not kind:
        return page(f"<ol>{''.join(map(row, range(1, 8)))}</ol>")
    if kind == "board" and number <= 5:
        return page(f"<h1>All about {SUBJECTS[number]}</h1><div>Nobody has written here yet. Why not you?</div>")
    if kind == "board":
        rows = "".join(map(thread_row, range(number * 100, number * 100 + 30)))
        return page(f"<h1>All about {SUBJECTS[number]}</h1><ol>{rows}</ol>")
    if kind == "thread":
        return page(f"<h1>{matter(number)}</h1><ol>{''.join(post(number, one) for one in range(4))}</ol>")
    return page(f"<h1>{kind}</h1><p>Nothing to see.</p>") if kind in ("rules", "members", "groups", "user") else None


async def test_boards_are_known_though_most_of_them_are_empty() -> None:
    async with site(young_forum) as young:
        types = UrlTypes((await learned_from(young.url)).profile)
        kinds = {"board/1/clocks": "index", "board/7/beehives": "index", "thread/612": "thread", "members": None}
        typed = {path: types.type(young.url + path) for path in kinds}
        assert {path: one and one.kind for path, one in typed.items()} == kinds


def letters(path: str) -> str | None:
    """Three lists of letters, one letter a page, each list in its own folder and counted from 0 on.

    One thread in four has two answers, and its letters name each other.
    """
    lists = {"makers": 0, "menders": 40, "sellers": 80}
    if path == "/":
        rows = "".join(
            f'<li><a href="/{name}/threads.html">The list of {name}</a> - all about it</li>' for name in lists
        )
        return f"<html><body><h1>Our lists</h1><ul>{rows}</ul></body></html>"
    folder, _, file = path.strip("/").partition("/")
    pages = {"threads.html": range(30), "more2.html": range(30, 60)}
    if folder not in lists:
        return None

    def answered(number: int) -> int:
        return number - number % 6 if number % 6 < 3 else number

    def subject(number: int) -> str:
        first = answered(number)
        return "Re: " * (number > first) + matter(lists[folder] + first * 2)

    if file in pages:
        turn = '[<a href="threads.html">Prev Page</a>][Next Page]' if file == "more2.html" else ""
        turn = turn or '[Prev Page][<a href="more2.html">Next Page</a>]'
        rows = "".join(
            f'<li><b><a href="msg{number:05}.html">{subject(number)}</a></b>, <i>user{number % 7}</i></li>'
            for number in pages[file]
        )
        return f"<html><body><h1>The list of {folder}</h1>{turn}<hr><ul>{rows}</ul></body></html>"
    number = int(file[3:8]) if file.startswith("msg") else 60
    words = "".join(f"{matter(lists[folder] + number * 7 + line)}.\n" for line in range(3 + number % 4))
    others = [one for one in range(number - 2, number + 3) if 0 <= one < 60 and one != number and number % 6 < 3]
    kin = [one for one in others if answered(one) == answered(number)]
    thread = "".join(f'<li><a href="msg{one:05}.html">{subject(one)}</a></li>' for one in kin)
    return (
        None
        if number >= 60
        else (
            f"<html><body>[<a href='threads.html'>Threads</a>]<h1>{subject(number)}</h1><hr><ul>"
            f"<li>From: <a href='mailto:user{number % 7}@f.test'>user{number % 7}</a></li>"
            f"<li>Date: 2026-05-{number % 28 + 1:02} 12:{number:02}</li></ul><hr><pre>{words}</pre>"
            f"<ul>{thread}</ul></body></html>"
        )
    )


async def test_letters_of_one_number_in_two_lists_are_two_letters() -> None:
    async with site(letters) as archive:
        types = UrlTypes((await learned_from(archive.url)).profile)
        paths = ["makers/msg00041.html", "menders/msg00041.html", "sellers/msg00041.html"]
        typed = [types.type(archive.url + path) for path in paths]
        assert [one and one.kind for one in typed] == ["thread"] * 3
        assert len({one.key for one in typed if one}) == 3


async def test_a_list_may_go_on_in_a_file_of_another_name() -> None:
    async with site(letters) as archive:
        types = UrlTypes((await learned_from(archive.url)).profile)
        flip = types.type(f"{archive.url}menders/more2.html")
        assert flip is not None
        assert (flip.kind, flip.page, flip.list_url) == ("index-flip", 2, f"{archive.url}menders/threads.html")
