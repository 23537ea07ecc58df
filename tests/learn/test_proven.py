"""Kinds of threads whose pages hold no posts, or the posts of another kind, are given up."""

from __future__ import annotations

from random import Random

import pytest
from tests.learn.tablesite import TableSite

from thrawl.learn.classifier import PageClassifier
from thrawl.learn.proven import proven_threads
from thrawl.learn.sampler import Sampler
from thrawl.learn.wrap import learn_wrappers
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

SITE = "http://f.test"
WORDS = "tide harbour pilot lock rope net lamp fog oar keel mast sail buoy reef anchor hull".split()
NUMBERS = range(1, 9)


def words(seed: str) -> str:
    return " ".join(Random(seed).choices(WORDS, k=25)) + "."


def thread(number: int) -> str:
    posts = "".join(
        f"<div class='post'><a href='/u/{name}'>{name}</a> <i>2020-03-0{number} 10:0{at}</i>"
        f"<p>{words(f'{number}/{at}')}</p></div>"
        for at, name in enumerate(("Ada", "Bo", "Cleo"))
    )
    return f"<html><title>Thread {number}</title><body><h1>Thread {number}</h1>{posts}</body></html>"


def printed(number: int) -> str:
    lines = "".join(f"<b>{name}</b><br>{words(f'{number}/{at}')}<hr>" for at, name in enumerate(("Ada", "Bo", "Cleo")))
    return f"<html><title>Thread {number}</title><body>{lines}</body></html>"


def form(number: int) -> str:
    """A form for an answer above what was said last."""
    said = thread(number).partition("</h1>")[2]
    smileys = "".join(f"<a href='/smile/{word}'>{word}</a>" for word in WORDS)
    fields = "<form method=post><input name=title><textarea name=words></textarea><input type=submit></form>"
    return f"<html><title>Answer</title><body><h1>Answer</h1>{smileys}{fields}{said}"


def answer(number: int) -> str:
    title = f"Question {number}"
    return f"<html><title>{title}</title><body><h1>{title}</h1><p>{words(title)}</p></body></html>"


def board(kind: str) -> str:
    rows = "".join(f"<tr><td><a href='/{kind}/{n}'>Thread {n}</a></td></tr>" for n in NUMBERS)
    return f"<html><title>Board</title><body><h1>Board</h1><table>{rows}</table></body></html>"


def site() -> TableSite:
    """Threads under two addresses, their print views, answers to frequent questions, and a list of each kind."""
    makers = {"t": thread, "print": printed, "faq": answer, "also": thread}
    pages = {f"/{kind}/{n}": make(n) for kind, make in makers.items() for n in NUMBERS}
    pages |= {f"/plain/thread-{n}.html": printed(n) for n in NUMBERS}
    pages |= {f"/answer/{n}/{n + 30}": form(n) for n in NUMBERS}
    return TableSite(SITE, pages | {f"/list/{kind}": board(kind) for kind in makers})


def lists(*paths: str) -> tuple[ListPattern, ...]:
    return tuple(ListPattern(Pattern.parse(SITE + path), examples=(SITE + example(path),)) for path in paths)


def example(path: str) -> str:
    return path.replace("{a:number}", "7").replace("{b:word}", "thread")


async def proven(kinds: list[str], asked: list[str]) -> Profile:
    """What is left of a profile with some kinds of threads, of which these pages were looked at."""
    sampler = Sampler(site(), PageClassifier.load())
    await sampler.get_all(f"{SITE}{path}" for path in [*asked, *(f"/list/{kind}" for kind in kinds)])
    index = lists(*(f"/list/{kind}" for kind in kinds))
    profile = Profile(f"{SITE}/", index, lists(*(f"/{kind}/{{a:number}}" for kind in kinds)))
    return await proven_threads(sampler, learn_wrappers(profile, sampler.sampled, {}))


@pytest.mark.parametrize("kind", ["print", "faq"])
async def test_a_kind_without_posts_of_its_own_goes_with_the_lists_that_lead_to_it_alone(kind: str) -> None:
    left = await proven(["t", kind], [*(f"/t/{n}" for n in NUMBERS[:6]), f"/{kind}/2", f"/{kind}/7"])
    assert [str(one.pattern) for one in left.thread] == [f"{SITE}/t/{{a:number}}"]
    assert [str(one.pattern) for one in left.index] == [f"{SITE}/list/t"]


async def test_a_kind_that_one_look_found_empty_stays() -> None:
    left = await proven(["t", "faq"], [*(f"/t/{n}" for n in NUMBERS[:6]), "/faq/2"])
    assert len(left.thread) == 2


async def test_another_address_of_the_same_page_stays() -> None:
    left = await proven(["t", "also"], [f"/t/{n}" for n in NUMBERS[:6]])
    assert len(left.thread) == 2


async def test_a_copy_is_known_by_its_number_whatever_words_stand_beside_it() -> None:
    sampler = Sampler(site(), PageClassifier.load())
    await sampler.get_all(f"{SITE}/t/{n}" for n in NUMBERS[:6])
    profile = Profile(f"{SITE}/", (), lists("/t/{a:number}", "/plain/{b:word}-{a:number}.html"))
    left = await proven_threads(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(one.pattern) for one in left.thread] == [f"{SITE}/t/{{a:number}}"]


async def test_forms_for_an_answer_that_show_the_thread_are_no_threads() -> None:
    sampler = Sampler(site(), PageClassifier.load())
    await sampler.get_all(f"{SITE}{path}" for n in NUMBERS[:6] for path in (f"/t/{n}", f"/answer/{n}/{n + 30}"))
    profile = Profile(f"{SITE}/", (), lists("/t/{a:number}", "/answer/{a:number}/{b:number}"))
    left = await proven_threads(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(one.pattern) for one in left.thread] == [f"{SITE}/t/{{a:number}}"]
