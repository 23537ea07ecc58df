"""Learning a forum without boards: its rows name nobody but people, whose pages list threads as a board does."""

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
        assert (flip.kind, flip.page) == ("index_flip", 3)
