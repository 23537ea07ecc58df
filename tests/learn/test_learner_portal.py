"""Learning a forum that is one part of a larger site: its files are listed, described and commented like threads."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

import pytest
from tests.learn.test_learner_people import PEOPLE, THREADS, by, words
from tests.learn.test_learner_sites import learned_from, site

from thrawl.profile.urltypes import UrlTypes

BOARDS = range(1, 7)
SHELVES = range(1, 6)
FILES = range(1, 51)
MENU = "".join(f'<li><a href="/{part}">{part.title()}</a></li>' for part in ("forum", "files", "news", "help"))


def framed(path: str, main: str) -> str:
    newest = "".join(f'<p><a href="{where(one)}">{words(one, 4).title()}</a></p>' for one in range(1, 5))
    crumbs = f'<p class=path><a href="/">Home</a> &gt; <a href="/{path.split("/")[1]}">Part</a></p>'
    return f"<html><body><ul id=menu>{MENU}</ul><div id=side><b>New files</b>{newest}</div>{crumbs}{main}</body></html>"


def where(file: int) -> str:
    return f"/files/{words(file, 2).replace(' ', '_')}/{file % 5 + 1}-1-0-{file}"


def said(kind: str, number: int, count: int) -> str:
    return "".join(
        f"<div class={kind}><b>{PEOPLE[by(number, n)]}</b> <i>2026-05-{number % 28 + 1:02} 1{n}:00</i>"
        f"<p>{words(number * 7 + n, 14)} {kind} {number}/{n}.</p></div>"
        for n in range(count)
    )


def listed(rows: Iterable[str]) -> str:
    return f"<table>{''.join(f'<tr><td>{row}</td></tr>' for row in rows)}</table>"


def file_rows(files: Iterable[int]) -> str:
    return listed(
        f'<a href="{where(one)}">{words(one, 4).title()} {one}</a></td><td>2026-04-{one % 28 + 1:02} 10:00'
        for one in files
    )


def title(thread: int) -> str:
    return f'<a href="/forum/{thread % 6 + 1}-{thread}-1">{words(thread, 5)} {thread}</a>'


def last_post(thread: int) -> str:
    return f'<a href="/forum/{thread % 6 + 1}-{thread}-0-17-1">2026-05-{thread % 28 + 1:02} 12:00</a>'


def board_row(board: int) -> str:
    last = max(one for one in THREADS if one % 6 + 1 == board)
    return f'<a href="/forum/{board}">{words(board, 2)}</a></td><td>10 topics</td><td>{last_post(last)}'


def page(path: str) -> str | None:
    match urlsplit(path).path.strip("/").split("/"):
        case [""] | ["news"]:
            return framed("/news", said("news", 3, 4) + file_rows(FILES[:12]))
        case ["help"]:
            return framed("/help", "<p>Ask in the forum.</p>")
        case ["forum"]:
            return framed(path, listed(map(board_row, BOARDS)))
        case ["forum", place] if place.isdigit():
            threads = [one for one in THREADS if one % 6 + 1 == int(place)]
            return framed(path, listed(f"{title(one)}</td><td>{last_post(one)}" for one in threads))
        case ["forum", place]:
            thread = int(place.split("-")[1])
            return framed(path, f"<h1>{words(thread, 5)} {thread}</h1>{said('post', thread, thread % 4 + 1)}")
        case ["files"]:
            return framed(path, listed(f'<a href="/files/{one}">{words(one, 3)}</a></td><td>10' for one in SHELVES))
        case ["files", shelf]:
            return framed(path, file_rows(one for one in FILES if one % 5 + 1 == int(shelf)))
        case ["files", _, place]:
            file = int(place.split("-")[-1])
            told = (
                f"<h2>{words(file, 4).title()} {file}</h2><blockquote>{words(file * 3, 30)} file {file}.</blockquote>"
            )
            kind = "<dl><dt>Kind<dd>Archive<dt>Size<dd>2 MB<dt>Read<dd>17 times</dl><fieldset>Rate this file</fieldset>"
            return framed(path, f"<table class=file><tr><td>{told}{kind}{said('note', file, file % 4)}</table>")
    return None


@pytest.mark.parametrize("start", ["forum", "forum/3", "forum/2-7-2", "forum/2-7-0-17-1"])
async def test_files_with_comments_are_no_part_of_the_forum_beside_them(start: str) -> None:
    async with site(page) as portal:
        learned = await learned_from(portal.url + start)
        types = UrlTypes(learned.profile)
        assert learned.profile.entry == f"{portal.url}forum"
        assert types.is_thread(f"{portal.url}forum/4-21-1")
        assert not types.is_thread(portal.url.rstrip("/") + where(11))
