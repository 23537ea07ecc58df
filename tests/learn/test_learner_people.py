"""Learning who is a person and what a board: people whose pages list threads, boards that stand on every thread."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

from tests.learn.test_learner_sites import framed, learned_from, site

from thrawl.profile.urltypes import UrlTypes

WORDS = "kettle barn clock engine lantern bicycle stove mirror beehive anchor ladder pump radio violin".split()
PEOPLE = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Fay", "Gus")
THREADS = range(1, 61)
ROWS = 15


def words(number: int, count: int) -> str:
    return " ".join(WORDS[(number * step + step * step) % len(WORDS)] for step in range(1, count + 1))


def by(thread: int, post: int = 0) -> int:
    return (thread * 3 + post * 2) % len(PEOPLE)


def person(number: int) -> str:
    return f'<a class="who" href="/people/{number}/{PEOPLE[number].lower()}/">{PEOPLE[number]}</a>'


def whose(number: int) -> str:
    return f'<a href="profile?user={number}">{PEOPLE[number]}</a>'


def rows(threads: Sequence[int]) -> str:
    return "".join(
        f'<li><a class="title" href="/t/{thread}/">{words(thread, 5)} {thread}</a>'
        f"<p>{person(by(thread))} <i>2026-05-{thread % 28 + 1:02} 12:00</i></p></li>"
        for thread in threads
    )


def entry(number: int) -> str:
    shown = list(reversed(THREADS))[(number - 1) * ROWS : number * ROWS]
    pager = " ".join(f'<a href="/?page={page}">{page}</a>' for page in range(1, 5) if page != number)
    return framed(f"<ul id=list>{rows(shown)}</ul><p>{pager}</p>")


def thread_page(thread: int) -> str:
    posts = "".join(
        f"<div class=post id=p{thread * 10 + n}>{person(by(thread, n))} <i>2026-05-{thread % 28 + 1:02} 1{n}:00</i>"
        f"<p>{words(thread * 7 + n, 12)} {thread}/{n}.</p></div>"
        for n in range(2 + thread % 4)
    )
    return framed(f"<h1>{words(thread, 5)} {thread}</h1>{posts}")


def page(path: str) -> str | None:
    parts = urlsplit(path)
    match parts.path.strip("/").split("/"):
        case [""]:
            return entry(int(parse_qs(parts.query).get("page", ["1"])[0]))
        case ["people", number, _]:
            written = [thread for thread in THREADS if by(thread) == int(number)]
            return framed(f"<h1>{PEOPLE[int(number)]}</h1><ul id=list>{rows(written)}</ul>")
        case ["t", thread]:
            return thread_page(int(thread))
    return None


async def test_people_are_no_boards() -> None:
    async with site(page) as forum:
        profile = (await learned_from(forum.url)).profile
        types = UrlTypes(profile)
        person = types.type(f"{forum.url}people/2/cleo/")
        assert person is None or person.reserve
        flip = types.type(f"{forum.url}?page=3")
        assert flip is not None
        assert (flip.kind, flip.page) == ("index-flip", 3)


def board(number: int) -> str:
    return f'<a href="/forum?f={number}">The {WORDS[number]} room</a>'


def crumbed(path: str) -> str | None:
    """Six boards whose names stand above and below each thread, in tables like those of posts."""
    number = int(path.rpartition("=")[2]) if path[-1].isdigit() else 0
    if path == "/":
        lines = "".join(
            f"<tr><td>{board(one)}<td>{one + 6}<td>2026-05-11 12:0{one} {person(one % 7)}</tr>" for one in range(6)
        )
        return framed(f"<table class=forums><tr><th>Forum<th>Topics<th>Last</tr>{lines}</table>")
    if path.endswith("&mark=read"):
        return framed(f"<p>The topics are marked. <a href='/forum?f={path[9:].partition('&')[0]}'>Go back</a>")
    if path.startswith("/forum?f="):
        lines = "".join(
            f'<tr><td><a href="/topic?t={thread}">{words(thread, 5)} {thread}</a><td>{person(by(thread))}'
            f"<td>{thread % 4 + 1}<td>2026-05-{thread % 28 + 1:02} 12:00 {person(by(thread, 1))}</tr>"
            for thread in THREADS
            if thread % 6 == number
        )
        mark = f'<table class=nav><tr><td><a href="/forum?f={number}&mark=read">Mark all topics read</a></table>'
        return framed(f"{mark}<table class=topics>{lines}</table>{mark}")
    if path.startswith("/topic?t="):
        crumbs = f'<table class=nav><tr><td><a href="/">Forum</a> » {board(number % 6)}<td>of the day</tr></table>'
        posts = "".join(
            f"<tr><td>{person(by(number, n))}<td>2026-05-{number % 28 + 1:02} 1{n}:00"
            f"<p>{words(number * 7 + n, 12)} {number}/{n}.</tr>"
            for n in range(2 + number % 4)
        )
        return framed(f"{crumbs}<h1>{words(number, 5)} {number}</h1><table class=posts>{posts}</table>{crumbs}")
    if path.startswith("/people/"):
        who = int(path.split("/")[2])
        return framed(f"<h1>{PEOPLE[who]}</h1><p><a href='/written?by={who}'>Find all posts</a>")
    if path.startswith("/written?by="):
        lines = "".join(
            f'<li><a href="/topic?t={thread}">{words(thread, 5)} {thread}</a> {board(thread % 6)}'
            for thread in THREADS
            if by(thread) == number
        )
        return framed(f"<ul id=list>{lines}</ul>")
    return None


async def test_boards_that_each_thread_names_are_no_people() -> None:
    async with site(crumbed) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        board, person = types.type(f"{forum.url}forum?f=4"), types.type(f"{forum.url}people/2/cleo/")
        assert board is not None
        assert not board.reserve
        assert person is None or person.reserve
        assert types.type(f"{forum.url}forum?f=4&mark=read") is None


async def test_what_people_wrote_is_not_looked_at_in_all_ways_where_lists_are_known() -> None:
    asked: list[str] = []
    ways = ("written", "begun", "liked", "followed", "answered")

    def many_ways(path: str) -> str | None:
        asked.append(path)
        if path.startswith("/people/"):
            who = int(path.split("/")[2])
            links = "".join(f"<li><a href='/{way}?by={who}'>Topics {way}</a>" for way in ways)
            return framed(f"<h1>{PEOPLE[who]}</h1><ul class=tabs>{links}</ul>")
        way = path[1:].partition("?")[0]
        return crumbed(path.replace(way, "written")) if way in ways else crumbed(path)

    async with site(many_ways) as forum:
        board = UrlTypes((await learned_from(forum.url)).profile).type(f"{forum.url}forum?f=4")
        assert board is not None
        assert not board.reserve
    assert not [path for path in asked if "?by=" in path]


def room(number: int) -> str:
    return f'<a href="/forum?f={number}">{WORDS[number].title()}</a>'


def clocked(path: str) -> str | None:
    """A forum that says the hour above each page, so that a page of one post is one record with its menu and crumbs."""
    number = int(path.rpartition("=")[2]) if path[-1].isdigit() else 0
    top = "<div class=now>Nov 19, 2026, 08:52 PM</div><ul><li><a href='/search'>Search</a></ul>"
    if path == "/":
        lines = "".join(
            f"<div class=row><h3>{room(one)}</h3><i>2026-05-11 12:0{one}</i> {person(one % 7)}</div>"
            for one in range(6)
        )
        return framed(f"<div id=all>{top}<div id=main>{lines}</div></div>")
    if path.startswith("/forum?f="):
        lines = "".join(
            f'<div class=row><a href="/topic?t={thread}">{words(thread, 5)} {thread}</a> {person(by(thread))}'
            f" <b>0</b> <i>2026-05-{thread % 28 + 1:02} 12:00</i></div>"
            for thread in THREADS
            if thread % 6 == number
        )
        return framed(f"<div id=all>{top}<div id=main>{lines}</div></div>")
    if path.startswith("/topic?t="):
        crumbs = f"<ul class=crumbs><li><a href='/'>Forum</a><li>{room(number % 6)}</ul>"
        posts = "".join(
            f"<div class=post id=m{number}-{n}><h4>{person(by(number, n))}</h4><p>Posts: {20 + number % 9}</p>"
            f"<a href='/message?m={number * 10 + n}'>May {number % 28 + 1:02}, 2026, 1{n}:00 PM</a>"
            f"<div>{'.<br>'.join(words(number * 7 + n + line, 13) for line in range(4))}. {number}/{n}.</div></div>"
            for n in range(1 + (number % 5 == 0))
        )
        title = f"<h2>{words(number, 5)} {number}</h2>"
        return framed(f"<div id=all>{top}{crumbs}<div id=main>{title}{posts}</div>{crumbs}</div>")
    if path.startswith("/message?m="):
        return clocked(f"/topic?t={number // 10}")
    if path.startswith("/people/"):
        return framed(f"<div id=all>{top}<div id=main><h1>{PEOPLE[int(path.split('/')[2])]}</h1></div></div>")
    return framed("<form><input name=q></form>") if path == "/search" else None


async def test_boards_that_stand_above_single_posts_are_no_people() -> None:
    async with site(clocked) as forum:
        board = UrlTypes((await learned_from(forum.url)).profile).type(f"{forum.url}forum?f=4")
        assert board is not None
        assert not board.reserve


def tagged(threads: Sequence[int]) -> str:
    """Rows that begin with an author, and end with a tag whose address is made like that of a board."""
    return "".join(
        f'<li>{person(by(thread))} <a class="title" href="/t/{thread}/">{words(thread, 5)} {thread}</a>'
        f' <i>2026-05-{thread % 28 + 1:02} 12:00</i> <a class="tag" href="/tag/{WORDS[thread % 9]}/">'
        f"{WORDS[thread % 9]}</a></li>"
        for thread in threads
    )


BOARDS = {"boats": range(1, 21), "tents": range(21, 41), "tools": range(41, 61)}


def tagged_page(path: str) -> str | None:
    match urlsplit(path).path.strip("/").split("/"):
        case [""]:
            named = (
                f'<div><a href="/area/{name}/">All about {name}</a> {len(of)} threads</div>'
                for name, of in BOARDS.items()
            )
            return framed(f"<section>{''.join(named)}</section>")
        case ["area", name] if name in BOARDS:
            return framed(f"<h1>All about {name}</h1><ul id=list>{tagged(BOARDS[name])}</ul>")
        case ["tag", word] if word in WORDS:
            alike = [thread for thread in THREADS if WORDS[thread % 9] == word]
            return framed(f"<h1>{word}</h1><ul id=list>{tagged(alike)}</ul>")
    return page(path) if path != "/" else None


async def test_tags_and_the_authors_before_titles_are_no_boards_though_they_list_threads_as_boards_do() -> None:
    async with site(tagged_page) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        board = types.type(f"{forum.url}area/tools/")
        assert board is not None
        assert (board.kind, board.reserve) == ("index", False)
        for other in ("tag/kettle/", "people/2/cleo/"):
            typed = types.type(forum.url + other)
            assert typed is None or typed.reserve
