"""Learning a forum whose entry page lists the latest threads of all boards, and whose lists are paged by scripts."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from tests.learn.test_learner_sites import framed, learned_from, site

from thrawl.profile.urltypes import UrlTypes

WORDS = "kettle barn clock engine lantern bicycle stove mirror beehive anchor ladder pump radio violin".split()
BOARDS = {1: ("trades", None), 2: ("wood", 1), 3: ("metal", 1), 4: ("people", None), 5: ("meetings", 4), 6: ("lost", 4)}
LEAVES = (2, 3, 5, 6)
THREADS = range(1, 61)
ROWS = 12


def words(number: int, count: int) -> str:
    return " ".join(WORDS[(number * step + step * step) % len(WORDS)] for step in range(1, count + 1))


def board_of(thread: int) -> int:
    return LEAVES[thread % len(LEAVES)]


def board_link(board: int) -> str:
    name, parent = BOARDS[board]
    above = board_link(parent) + " &gt; " if parent else ""
    return f'{above}<a class="in" href="/c/{name}/{board}/">{name.capitalize()}</a>'


def row(thread: int) -> str:
    title = f'<a class="title" href="/t/{thread}/">{words(thread, 5)} {thread}</a>'
    return f"<li>{title}<p>{board_link(board_of(thread))} <i>2026-05-{thread % 28 + 1:02} 12:00</i></p></li>"


def list_page(path: str, threads: list[int], start: int | None) -> str:
    """Newest first, from the thread after `start` on; only the head names the next page, by the last thread shown."""
    left = [thread for thread in sorted(threads, reverse=True) if start is None or thread < start]
    ahead = f'<link rel="next" href="{path}?start={left[ROWS - 1]}">' if len(left) > ROWS else ""
    menu = "".join(
        f'<li><a href="/c/{name}/{number}/">{name.capitalize()}</a></li>' for number, (name, _) in BOARDS.items()
    )
    rows = "".join(map(row, left[:ROWS]))
    return f"<html><head>{ahead}</head>{framed(f'<ul id=menu>{menu}</ul><ul id=list>{rows}</ul>')}"


def thread_page(thread: int) -> str:
    """A thread; to its head, the next page is the next thread."""
    posts = "".join(
        f"<div class=post id=p{thread * 10 + n}><b>{WORDS[(thread + n) % 7].capitalize()}</b>"
        f"<i>2026-05-{thread % 28 + 1:02} 1{n}:00</i><p>{words(thread * 7 + n, 12)} {thread}/{n}.</p></div>"
        for n in range(1 + thread % 4)
    )
    ahead = f'<link rel="next" href="/t/{thread % len(THREADS) + 1}/">'
    return f"<html><head>{ahead}</head>{framed(f'<h1>{words(thread, 5)} {thread}</h1>{posts}')}"


def page(path: str) -> str | None:
    parts = urlsplit(path)
    start = parse_qs(parts.query).get("start")
    match parts.path.strip("/").split("/"):
        case [""]:
            return list_page("/", list(THREADS), int(start[0]) if start else None)
        case ["c", _, board]:
            below = {int(board), *(one for one, (_, parent) in BOARDS.items() if parent == int(board))}
            return list_page(
                parts.path, [one for one in THREADS if board_of(one) in below], int(start[0]) if start else None
            )
        case ["t", thread]:
            return thread_page(int(thread))
    return None


async def test_boards_are_found_though_rows_name_their_parents_too() -> None:
    async with site(page) as forum:
        profile = (await learned_from(forum.url)).profile
        types = UrlTypes(profile)
        for board, (name, _) in BOARDS.items():
            found = types.type(f"{forum.url}c/{name}/{board}/")
            assert found is not None
            assert found.kind == "index"


async def test_the_next_page_that_only_the_head_names_is_a_cursor() -> None:
    async with site(page) as forum:
        profile = (await learned_from(forum.url)).profile
        found = UrlTypes(profile).type(f"{forum.url}c/wood/2/?start=17")
        assert found is not None
        assert (found.kind, found.list_url, found.page) == ("index-flip", f"{forum.url}c/wood/2/", None)
        assert [one.flips for one in profile.thread] == [()]
