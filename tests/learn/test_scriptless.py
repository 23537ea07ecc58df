"""Threads whose rest is fetched by a script: readers without scripts are sent to the whole of them."""

from __future__ import annotations

import pytest
from tests.learn.tablesite import TableSite

from thrawl.learn.classifier import PageClassifier
from thrawl.learn.flips import with_scriptless
from thrawl.learn.sampler import Sampler
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern

SITE = "http://mill.example"
THREADS = ListPattern(Pattern.parse(SITE + "/talk/{a:number}/"))
WORDS = "a wheel that turns too fast throws water over the wall and wets the flour in the loft".split()


def post(number: int) -> str:
    said = " ".join(WORDS[(number + at * 3) % len(WORDS)] for at in range(12))
    return f"<div class=p><b>Ann</b> <i>2024-02-0{number % 9 + 1}</i><p>Number {number}: {said}.</p></div>"


def page(number: int, posts: int, offer: str) -> str:
    said = "".join(post(number * 10 + at) for at in range(posts))
    return f"<html><title>Talk {number}</title><body><h1>Talk {number}</h1>{said}{offer}</body></html>"


async def learned(whole: int, offer: str) -> ListPattern:
    """The threads of a site whose pages show one post and make an offer, behind which stand so many posts."""
    pages = {f"/talk/{n}/": page(n, 1, offer) for n in range(4)}
    pages |= {f"/talk/{n}/?plain=1": page(n, whole, "") for n in range(4)}
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    sampled = await sampler.get_all([f"{SITE}/talk/{n}/" for n in range(4)])
    return await with_scriptless(sampler, THREADS, sampled)


LINK = '<a href="?plain=1">Read it without scripts</a>'


async def test_what_readers_without_scripts_are_offered_is_a_page_of_the_thread() -> None:
    (flip,) = (await learned(5, f"<noscript>{LINK}</noscript>")).flips
    assert flip.pattern.match(f"{SITE}/talk/77/?plain=1") is not None
    assert flip.pattern.match(f"{SITE}/talk/77/?print=1") is None
    assert flip.signs == ("Read it without scripts",)


@pytest.mark.parametrize(("whole", "offer"), [(1, f"<noscript>{LINK}</noscript>"), (5, LINK)])
async def test_it_is_none_where_it_shows_no_more_or_is_offered_to_all(whole: int, offer: str) -> None:
    assert not (await learned(whole, offer)).flips
