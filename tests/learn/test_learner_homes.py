"""Learning a forum from deep inside: its home lists groups, a group has a landing page before its list of threads.

The start page is a message's own address, which shows the whole thread in a form that no row links to; names lead to
profiles, and each profile to one page with all that the person wrote.
"""

from __future__ import annotations

import pytest
from tests.learn.test_learner_sites import learned_from, site

from thrawl.profile.urltypes import UrlTypes

WORDS = "kettle barn clock engine lantern bicycle stove mirror beehive anchor ladder pump radio violin".split()
PEOPLE = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Finn")
GROUPS = ("wood", "metal", "glass", "stone")
THREADS = range(1, 49)


def words(number: int, count: int) -> str:
    return " ".join(WORDS[(number * step + step * step + number // 7) % len(WORDS)] for step in range(1, count + 1))


def framed(main: str) -> str:
    top = "<div id=top><a href='/groups/'>All groups</a> <a href='/help'>Help</a></div>"
    return f"<html><body>{top}<div id=main>{main}</div></body></html>"


def said(number: int) -> str:
    name = PEOPLE[number % len(PEOPLE)]
    return (
        f"<div class=post id=m{number}><a href='/who/{name}'>{name}</a> <i>2026-05-{number % 28 + 1:02} 10:00</i>"
        f"<p>{words(number, 24)} {number}.</p><a href='/message?of={number}'>link</a></div>"
    )


def shown(thread: int) -> str:
    group = GROUPS[thread % len(GROUPS)]
    posts = "".join(said(thread * 10 + n) for n in range(2 + thread % 4))
    return framed(f"<p><a href='/groups/{group}/'>{group}</a></p><h1>{words(thread, 4)} {thread}</h1>{posts}")


def page(path: str) -> str | None:
    match path.strip("/").split("/"):
        case ["groups"]:
            rows = (f"<li><a href='/groups/{one}/'>All about {one}</a> <b>12 talks</b></li>" for one in GROUPS)
            return framed(f"<ul>{''.join(rows)}</ul>")
        case ["groups", group] if group in GROUPS:
            about = f"<p>Welcome to the group of those who like {group}. {words(len(group), 30)}</p>"
            return framed(f"<h1>All about {group}</h1>{about}<a href='/groups/{group}/talks'>All talks</a>")
        case ["groups", group, "talks"] if group in GROUPS:
            rows = (
                f"<li><a href='/talk/{n}-{words(n, 4).replace(' ', '-')}'>{words(n, 4)} {n}</a>"
                f" <b>{1 + n % 4}</b> <i>2026-05-{n % 28 + 1:02} 12:00</i></li>"
                for n in THREADS
                if GROUPS[n % len(GROUPS)] == group
            )
            return framed(f"<h1>{group}</h1><ul>{''.join(rows)}</ul>")
        case ["talk", name]:
            return shown(int(name.split("-")[0]))
        case [message] if message.startswith("message?of="):
            return shown(int(message.partition("=")[2]) // 10)
        case ["who", name]:
            return framed(f"<h1>{name}</h1><p>Here since 2020</p><div><a href='/all-by?who={name}'>All posts</a></div>")
        case [query] if query.startswith("all-by?who="):
            name = query.partition("=")[2]
            return framed(f"<h1>Posts</h1>{''.join(said(n * 10) for n in THREADS if PEOPLE[n * 10 % 6] == name)}")
    return None


@pytest.mark.parametrize("start", ["message?of=70", "groups/wood/", "groups/metal/talks", "who/Ada"])
async def test_the_home_above_landing_pages_is_found_from_anywhere(start: str) -> None:
    async with site(page) as served:
        profile = (await learned_from(served.url + start)).profile
    types = UrlTypes(profile)
    assert profile.entry == f"{served.url}groups/"
    assert types.type(f"{served.url}talk/8-{words(8, 4).replace(' ', '-')}").kind == "thread"
    assert types.type(f"{served.url}groups/stone/talks") is not None
    assert types.type(f"{served.url}all-by?who=Bo") is None
