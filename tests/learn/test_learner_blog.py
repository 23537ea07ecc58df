"""Learning a forum whose front page shows two boards and hardly looks like a list, below a blog that does."""

from __future__ import annotations

from functools import partial

import pytest
from tests.learn.test_learner_sites import learned_from, site

from thrawl.profile.urltypes import UrlTypes

WORDS = "kettle barn clock engine lantern bicycle stove mirror beehive anchor ladder pump radio violin".split()
PEOPLE = ("Ada", "Bo", "Cleo", "Dan", "Eve")
THREADS = range(1, 25)


def words(number: int, count: int) -> str:
    return " ".join(WORDS[(number * step + step * step) % len(WORDS)] for step in range(1, count + 1))


def said(number: int, count: int) -> str:
    name = PEOPLE[number % 5]
    return (
        f"<div class=post id=p{number}><a href='/forum/who/{name}/'>{name}</a>"
        f" <i>2026-05-{number % 28 + 1:02} 10:00</i><p>{words(number, count)} {number}.</p></div>"
    )


def framed(main: str, newest: int = 0) -> str:
    """A page, with links to the newest posts of the blog beside it."""
    beside = "".join(
        f"<p><a href='/2026/{n:02}/news-of-week-{n}/'>News of week {n}</a></p>" for n in range(1, newest + 1)
    )
    top = "<ul id=menu><li><a href='/'>Home</a></li><li><a href='/forum/'>Forum</a></li></ul>"
    return f"<html><body>{top}<div id=main>{main}</div><div id=side><h3>News</h3>{beside}</div></body></html>"


def blog(number: int) -> str:
    link = f"<h2><a href='/2026/{number:02}/news-of-week-{number}/'>News of week {number}</a></h2>"
    return f"<div class=entry>{link}<i>2026-{number:02}-03</i><p>{words(number, 30)}</p></div>"


def row(thread: int) -> str:
    title = f"<a href='/forum/topic/{words(thread, 3).replace(' ', '-')}-{thread}/'>{words(thread, 3)} {thread}</a>"
    return f"<li>{title} <b>{thread % 4}</b> <i>2026-05-{thread % 28 + 1:02} 12:00</i></li>"


def page(path: str, newest: int) -> str | None:
    frame = partial(framed, newest=newest)
    match path.strip("/").split("/"):
        case [""]:
            return frame("".join(map(blog, range(1, 11))))
        case ["2026", month, _]:
            return frame(f"<h1>News of week {month}</h1><i>2026-{month}-03</i><p>{words(int(month), 30)}</p>")
        case ["forum"]:
            boards = "".join(f"<li><a href='/forum/board/{name}/'>{name}</a> 12</li>" for name in ("wood", "metal"))
            return frame(f"<ul id=boards>{boards}</ul>")
        case ["forum", "board", name]:
            rows = "".join(row(thread) for thread in THREADS if thread % 2 == (name == "wood"))
            return frame(f"<a href='/forum/'>Forum</a><h1>{name}</h1><ul id=rows>{rows}</ul>")
        case ["forum", "topic", name]:
            thread = int(name.rsplit("-", 1)[1])
            posts = "".join(said(thread * 10 + n, 14) for n in range(1 + thread % 4))
            return frame(f"<a href='/forum/'>Forum</a><h1>{words(thread, 3)} {thread}</h1>{posts}")
    return None


@pytest.mark.parametrize("newest", [0, 4])
@pytest.mark.parametrize("start", ["forum/", "forum/board/wood/", f"forum/topic/{words(3, 3).replace(' ', '-')}-3/"])
async def test_the_blog_above_a_forum_is_not_taken_for_it(start: str, newest: int) -> None:
    async with site(partial(page, newest=newest)) as served:
        profile = (await learned_from(served.url + start)).profile
        assert profile.entry == f"{served.url}forum/"
        thread = UrlTypes(profile).type(f"{served.url}forum/topic/{words(8, 3).replace(' ', '-')}-8/")
        assert thread is not None
        assert thread.kind == "thread"
