"""How much of some pages a profile explains."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from thrawl.crawl.evidence import Evidence, explained, leads_to_forum
from thrawl.crawl.inprocess import InProcess
from thrawl.net.message import Response
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

F = "http://f.test"
PROFILE = Profile(
    f"{F}/",
    (ListPattern(Pattern.parse(F + "/board/{a:number}")),),
    (ListPattern(Pattern.parse(F + "/t/{a:number}")),),
)


def page(path: str, body: str) -> Response:
    return Response(F + path, F + path, 200, (), f"<body>{body}".encode(), "utf-8", datetime(2026, 5, 1, tzinfo=UTC))


async def test_of_other_pages_only_lists_speak_for_a_profile() -> None:
    rows = "".join(f"<li><a href=/t/{n}>A thread of some words {n}</a>" for n in (1, 2, 3))
    posts = "".join(
        f"<div class=p><b>Ada</b> 2026-04-0{n} 10:00<p>Words of a post, some of them {n}.</div>" for n in (1, 2)
    )
    others = [page("/board/7", f"<ul>{rows}</ul>"), page("/t/9", posts), page("/help", rows)]
    found = await explained(Evidence(), PROFILE, InProcess(PROFILE), lambda _: None, others)
    assert found.threads == {f"{F}/t/{n}" for n in (1, 2, 3)}
    assert found.posts == 0


async def test_a_portal_leads_to_the_forum_by_ways_to_newest_posts_that_answer_from_its_threads() -> None:
    rows = "".join(
        f"<tr><td><a href=/go?to={n}>The newest posts of a thread {n}</a><td>{n}<td>2026-04-0{n} 10:00"
        for n in range(1, 9)
    )
    menu = "".join(f"<a href=/{way}>{way}</a> " for way in ("news/7/", "help?for=8", "team-2", "a/b/c/3.html", "x_1/"))
    portal = page("/portal", f"<h1>Newest</h1>{menu}<table>{rows}</table>")
    led = replace(page("/go?to=3", ""), url=f"{F}/t/3")
    reader = InProcess(PROFILE)
    assert not await leads_to_forum(portal, PROFILE, reader, [portal, page("/go?to=3", "")])
    assert await leads_to_forum(portal, PROFILE, reader, [portal, led])
