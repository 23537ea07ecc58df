"""Kinds of threads whose pages hold no posts, or the posts of another kind, are given up."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from tests.learn.tablesite import TableSite

from thrawl.learn.classifier import PageClassifier
from thrawl.learn.proven import proven_flips, proven_lists, proven_threads
from thrawl.learn.sampler import Sampler
from thrawl.learn.wrap import learn_wrappers
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

SITE = "http://f.test"
WORDS = "tide harbour pilot lock rope net lamp fog oar keel mast sail buoy reef anchor hull".split()
NUMBERS = range(1, 9)


def words(seed: str) -> str:
    return " ".join(Random(seed).choices(WORDS, k=25)) + "."


def thread(number: int, *authors: str) -> str:
    """A thread of three people, or what some of them wrote in it."""
    posts = "".join(
        f"<div class='post'><a href='/u/{name}'>{name}</a> <i>2020-03-0{number} 10:0{at}</i>"
        f"<p>{words(f'{number}/{at}')}</p></div>"
        for at, name in enumerate(("Ada", "Bo", "Cleo"))
        if not authors or name in authors
    )
    ways = f"<a href='/answer/{number}/{number + 30}'>Answer</a> <a href='/one/{number + 50}'>Link</a>"
    ways += f" <a href='/by/{number + 70}'>Bo alone</a>"
    return f"<html><title>Thread {number}</title><body><h1>Thread {number}</h1>{posts}{ways}</body></html>"


def window(number: int) -> str:
    """The second post of a thread alone, as it opens for people who want its address."""
    quoted = (
        f"<table><tr><td><a href='/u/Bo'>Bo</a><td>2020-03-0{number} 10:01</tr></table><p>{words(f'{number}/1')}</p>"
    )
    return f"<html><title>Post {number + 50}</title><body class=small><ul><li>{quoted}</li></ul></body></html>"


def printed(number: int) -> str:
    lines = "".join(f"<b>{name}</b><br>{words(f'{number}/{at}')}<hr>" for at, name in enumerate(("Ada", "Bo", "Cleo")))
    return f"<html><title>Thread {number}</title><body>{lines}</body></html>"


def archived(number: int) -> str:
    """A thread as plain text in one box, below who wrote it first."""
    lines = "".join(f"<p>{words(f'{number}/{at}')}</p>" for at in range(3))
    head = f"<div class=head><b>Ada</b> <i>2020-03-0{number} 10:00</i></div>"
    title = f"<html><title>Thread {number}</title><body><h1>Thread {number}</h1>"
    return f"{title}<div class=all>{head}<div>{lines}</div></div>"


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
    makers = {"t": thread, "print": printed, "faq": answer, "also": thread, "archive": archived}
    pages = {f"/{kind}/{n}": make(n) for kind, make in makers.items() for n in NUMBERS}
    pages |= {f"/plain/thread-{n}.html": printed(n) for n in NUMBERS}
    pages |= {f"/answer/{n}/{n + 30}": form(n) for n in NUMBERS}
    pages |= {f"/one/{n + 50}": window(n) for n in NUMBERS}
    pages |= {f"/by/{n + 70}": thread(n, "Bo") for n in NUMBERS}
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
    threads, copies = lists("/t/{a:number}", "/plain/{b:word}-{a:number}.html")
    copies = replace(copies, examples=(f"{SITE}/plain/board-2.html", *copies.examples))
    seeds = (f"{SITE}/plain/board-2.html",)
    profile = Profile(f"{SITE}/", (), (threads, copies), seeds=seeds)
    left = await proven_threads(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(one.pattern) for one in left.thread] == [f"{SITE}/t/{{a:number}}"]
    assert left.seeds == ()


@pytest.mark.parametrize(
    ("kinds", "sure"),
    [
        (["t", "print"], 0.7),
        (["print", "t"], 0.7),
        (["t", "archive"], 0.95),  # however sure its lists are, it shows as one post what the forum tells apart
    ],
)
async def test_of_a_forum_and_its_plain_archive_the_forum_stays(kinds: list[str], sure: float) -> None:
    sampler = Sampler(site(), PageClassifier.load())
    asked = [*(f"/{kind}/{n}" for kind in kinds for n in NUMBERS[:6]), *(f"/list/{kind}" for kind in kinds)]
    await sampler.get_all(f"{SITE}{path}" for path in asked)
    boards = {kind: lists(f"/list/{kind}")[0] for kind in kinds}
    copy = next(kind for kind in kinds if kind != "t")
    index = (replace(boards["t"], confidence=0.9), replace(boards[copy], confidence=sure))
    met_as_list = replace(lists(f"/{copy}/3")[0], reserve=True)
    threads = lists(*(f"/{kind}/{{a:number}}" for kind in kinds))
    profile = learn_wrappers(Profile(f"{SITE}/", (*index, met_as_list), threads), sampler.sampled, {})
    left = await proven_threads(sampler, profile)
    assert [str(one.pattern) for one in left.thread] == [f"{SITE}/t/{{a:number}}"]
    assert [str(one.pattern) for one in left.index] == [f"{SITE}/list/t"]


def person(number: int) -> str:
    titles = "".join(f"<li><a href='/t/{n}'>Thread {n} about tides and ropes</a></li>" for n in NUMBERS if n != number)
    posts = f"<div class='post'><a href='/u/Ada'>Ada</a> <i>2020-03-0{number} 10:00</i><p><ul>{titles}</ul></p></div>"
    return f"<html><title>Person {number}</title><body><h1>Person {number}</h1>{posts}</body></html>"


@pytest.mark.parametrize("kinds", [["/t/{a:number}", "/who/{a:number}"], ["/{b:t|who}/{a:number}"]])
async def test_pages_that_say_the_titles_of_threads_are_lists_of_what_somebody_wrote(kinds: list[str]) -> None:
    pages = {f"/{kind}/{n}": make(n) for kind, make in (("t", thread), ("who", person)) for n in NUMBERS}
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    await sampler.get_all(f"{SITE}{path}" for path in [*(f"/t/{n}" for n in NUMBERS[:6]), "/who/2", "/who/5", "/who/7"])
    profile = learn_wrappers(Profile(f"{SITE}/", (), lists(*kinds)), sampler.sampled, {})
    found = await proven_threads(sampler, profile)
    assert [str(one.pattern) for one in found.thread] == [f"{SITE}/t/{{a:number}}"]


def member(number: int) -> str:
    """A page of a person that looks like a post, with a label where posts have their author."""
    joined = f"<a href='/rules'>Joined</a> <i>2020-03-0{number} 10:00</i><p>{words(f'm{number}')}</p>"
    name = f"Member {number}"
    return f"<html><title>{name}</title><body><h1>{name}</h1><div class='post'>{joined}</div></body></html>"


async def test_pages_that_are_all_by_one_who_writes_nowhere_else_are_no_threads() -> None:
    pages = {f"/{kind}/{n}": make(n) for kind, make in (("t", thread), ("m", member)) for n in NUMBERS}
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    await sampler.get_all(f"{SITE}{path}" for path in [*(f"/t/{n}" for n in NUMBERS[:6]), "/m/2", "/m/5", "/m/7"])
    profile = Profile(f"{SITE}/", (), lists("/t/{a:number}", "/m/{a:number}"))
    found = await proven_threads(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(one.pattern) for one in found.thread] == [f"{SITE}/t/{{a:number}}"]


def about(number: int) -> str:
    """What somebody says of himself, below his name."""
    name = f"Person{'ABCDEFGHI'[number]}"
    said = f"<b>{name}</b> <i>2020-03-0{number} 10:00</i><p>{words(f'a{number}')}</p>"
    return f"<html><title>{name} - Forum</title><body><h1>{name}</h1><div class='post'>{said}</div></body></html>"


async def test_pages_that_are_called_like_who_wrote_them_and_differ_in_nothing_else_are_no_threads() -> None:
    pages = {f"/{kind}/{n}": make(n) for kind, make in (("t", thread), ("about", about)) for n in NUMBERS}
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    asked = [*(f"/t/{n}" for n in NUMBERS[:6]), *(f"/about/{n}" for n in NUMBERS[:6])]
    await sampler.get_all(f"{SITE}{path}" for path in asked)
    profile = Profile(f"{SITE}/", (), lists("/t/{a:number}", "/about/{a:number}"))
    found = await proven_threads(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(one.pattern) for one in found.thread] == [f"{SITE}/t/{{a:number}}"]


def longer(title: str, page: int, link: str) -> str:
    """A page of a thread with a link that says nothing known, to the pages after it."""
    posts = "".join(
        f"<div class='post'><a href='/u/{name}'>{name}</a> <i>2020-03-0{page} 10:0{at}</i>"
        f"<p>{words(f'{title}/{page}/{at}')}</p></div>"
        for at, name in enumerate(("Ada", "Bo", "Cleo", "Dan", "Eve"))
    )
    more = f"<p><a href='{link}'>Ulteriora</a></p>"
    return f"<html><title>{title}</title><body><h1>{title}</h1>{posts}{more}</body></html>"


@pytest.mark.parametrize(("behind", "flips"), [("A keel", ["/t/{a:number}?z={page:word}"]), ("Other", [])])
async def test_a_link_without_known_words_flips_if_posts_prove_it(behind: str, flips: list[str]) -> None:
    pages = {f"/t/{n}": thread(n) for n in NUMBERS}
    pages["/t/30"] = longer("A keel", 1, "/t/30?z=0a1b2c")
    pages["/t/30?z=0a1b2c"] = longer(behind, 2, "/t/30?z=7f3e1d")  # of this thread, or of another one
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    await sampler.get_all(f"{SITE}/t/{n}" for n in [*NUMBERS, 30])
    profile = learn_wrappers(Profile(f"{SITE}/", (), lists("/t/{a:number}")), sampler.sampled, {})
    found = await proven_flips(sampler, profile)
    assert [str(flip.pattern).removeprefix(SITE) for flip in found.thread[0].flips] == flips


@pytest.mark.parametrize(("path", "is_thread"), [("/also/7", True), ("/faq/7", False), ("/list/t", False)])
async def test_the_address_of_a_boards_only_thread_is_no_list(path: str, is_thread: bool) -> None:
    sampler = Sampler(site(), PageClassifier.load())
    await sampler.get_all(f"{SITE}{one}" for one in [*(f"/t/{n}" for n in NUMBERS), path])
    alone = replace(lists(path)[0], reserve=True)
    profile = learn_wrappers(Profile(f"{SITE}/", (alone,), lists("/t/{a:number}")), sampler.sampled, {})
    found = proven_lists(sampler, replace(profile, seeds=(SITE + path,)))
    assert [str(one.pattern) for one in found.thread[1:]] == ([SITE + path] if is_thread else [])
    assert (found.index, found.seeds) == (((), ()) if is_thread else ((alone,), (SITE + path,)))


def rows(board: int, numbers: range, link: str) -> str:
    titles = "".join(
        f"<tr><td><a href='/t/{board}{n:02}'>{words(f'{board}/{n}')[:40]}</a><td>2020-03-01 10:{n:02}" for n in numbers
    )
    more = f"<p><a href='{link}'>Ulteriora</a></p>" if link else ""
    return f"<html><title>Board {board}</title><body><h1>Board {board}</h1><table>{titles}</table>{more}</body></html>"


@pytest.mark.parametrize(("on_all", "flips"), [(False, ["/list/{a:number}?z={page:word}"]), (True, [])])
async def test_a_link_on_full_lists_alone_flips_if_other_threads_stand_behind_it(
    on_all: bool, flips: list[str]
) -> None:
    pages = {f"/t/{n}": thread(n) for n in NUMBERS}
    for board in range(1, 8):
        link = f"/list/{board}?z={board}a1b2c" if on_all or board < 3 else ""
        pages[f"/list/{board}"] = rows(board, range(1, 12 if board < 3 else 2 + board), link)
        pages[f"/list/{board}?z={board}a1b2c"] = rows(board, range(12, 17), "")
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    await sampler.get_all(
        f"{SITE}{path}" for path in [*(f"/t/{n}" for n in NUMBERS), *(f"/list/{n}" for n in range(1, 8))]
    )
    profile = Profile(f"{SITE}/", lists("/list/{a:number}"), lists("/t/{a:number}"))
    found = await proven_flips(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(flip.pattern).removeprefix(SITE) for flip in found.index[0].flips] == flips


PAGES = {"": (1, "?z=2a9"), "?z=2a9": (8, "?z=7c1"), "?z=7c1": (15, "?z=4e3"), "?z=4e3": (22, "")}
ORDERS = {"": (1, "?z=2a9"), "?z=2a9": (8, "?z=7c1"), "?z=7c1": (15, "?z=2a9")}


@pytest.mark.parametrize(("steps", "flips"), [(PAGES, ["/list/{a:number}?z={page:word}"]), (ORDERS, [])])
async def test_a_link_flips_if_a_walk_meets_no_row_twice_and_an_order_leads_back(
    steps: dict[str, tuple[int, str]], flips: list[str]
) -> None:
    pages = {f"/t/{n}": thread(n) for n in NUMBERS} | {"/list/2": rows(2, range(1, 3), "")}
    for query, (first, ahead) in steps.items():
        pages[f"/list/1{query}"] = rows(1, range(first, first + 7), ahead and f"/list/1{ahead}")
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    await sampler.get_all(SITE + path for path in [*(f"/t/{n}" for n in NUMBERS), "/list/1", "/list/2"])
    profile = Profile(f"{SITE}/", lists("/list/{a:number}"), lists("/t/{a:number}"))
    found = await proven_flips(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(flip.pattern).removeprefix(SITE) for flip in found.index[0].flips] == flips


@pytest.mark.parametrize(("steps", "flips"), [(PAGES, ["/?z={page:word}"]), (ORDERS, [])])
async def test_an_entry_page_that_is_the_only_list_flips_by_such_a_walk(
    steps: dict[str, tuple[int, str]], flips: list[str]
) -> None:
    pages = {f"/t/{n}": thread(n) for n in NUMBERS}
    for query, (first, ahead) in steps.items():
        pages[f"/{query}"] = rows(1, range(first, first + 7), ahead and f"/{ahead}")
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    await sampler.get_all(SITE + path for path in [*(f"/t/{n}" for n in NUMBERS), "/"])
    profile = Profile(f"{SITE}/", (), lists("/t/{a:number}"))
    found = await proven_flips(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(flip.pattern).removeprefix(SITE) for one in found.index for flip in one.flips] == flips


async def test_pages_of_threads_that_were_met_as_if_they_were_lists_are_none() -> None:
    pages = {f"/t/{n}": thread(n) for n in NUMBERS}
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    await sampler.get_all(f"{SITE}/t/{n}" for n in NUMBERS)
    flip = Flip(Pattern.parse(f"{SITE}/t/{{a:number}}_{{page:number}}"), 1, 1)
    met = lists("/{a:t/3_2|t/5_2|golf|lenses}", "/t/7_2", "/chess")
    profile = Profile(f"{SITE}/", met, (replace(lists("/t/{a:number}")[0], flips=(flip,)),))
    profile = replace(profile, seeds=(f"{SITE}/t/3_2", f"{SITE}/golf"))
    found = await proven_flips(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(one.pattern) for one in found.index] == [f"{SITE}/{{a:golf|lenses}}", f"{SITE}/chess"]
    assert found.seeds == (f"{SITE}/golf",)


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("/answer/{n}/{answer}", "/answer/{a:number}/{b:number}"),
        ("/one/{one}", "/one/{a:number}"),
        ("/by/{by}", "/by/{a:number}"),
    ],
    ids=["a form for an answer", "a window with one post", "what one of them wrote"],
)
async def test_what_threads_link_to_and_say_themselves_are_no_threads(path: str, pattern: str) -> None:
    sampler = Sampler(site(), PageClassifier.load())
    parts = [path.format(n=n, answer=n + 30, one=n + 50, by=n + 70) for n in NUMBERS[:6]]
    await sampler.get_all(f"{SITE}{one}" for one in (*(f"/t/{n}" for n in NUMBERS[:6]), *parts))
    profile = Profile(f"{SITE}/", (), lists("/t/{a:number}", pattern))
    left = await proven_threads(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(one.pattern) for one in left.thread] == [f"{SITE}/t/{{a:number}}"]


def with_links(number: int, *, answers: int = 3) -> str:
    """A thread whose posts have addresses of their own, at which the whole thread stands."""
    posts = "".join(
        f"<div class='post'><a href='/u/{name}'>{name}</a> <a class=at href='/m/{number}{at}#p{at}'>2020-03-0{number}"
        f" 10:0{at}</a><p>{words(f'{number}/{at}')}</p></div>"
        for at, name in enumerate(("Ada", "Bo", "Cleo")[:answers])
    )
    return f"<html><title>Thread {number}</title><body><h1>Thread {number}</h1>{posts}</body></html>"


@pytest.mark.parametrize(("kind", "stays"), [("t", False), ("m", True)], ids=["by threads", "by messages"])
async def test_addresses_of_messages_are_no_threads_where_lists_lead_to_threads(kind: str, *, stays: bool) -> None:
    pages = {f"/t/{n}": with_links(n) for n in NUMBERS} | {
        f"/m/{n}{at}": with_links(n) for n in NUMBERS for at in (0, 2)
    }
    first = "0" * stays
    rows = "".join(f"<tr><td><a href='/{kind}/{n}{first}'>Thread {n}</a></td></tr>" for n in NUMBERS)
    sampler = Sampler(TableSite(SITE, pages | {"/list": f"<table>{rows}</table>"}), PageClassifier.load())
    await sampler.get_all(f"{SITE}{one}" for one in (*(f"/t/{n}" for n in NUMBERS[:5]), "/m/72", "/m/82", "/list"))
    profile = Profile(f"{SITE}/", lists("/list"), lists("/t/{a:number}", "/m/{a:number}"))
    left = await proven_threads(sampler, learn_wrappers(profile, sampler.sampled, {}))
    assert [str(one.pattern) for one in left.thread if "/m/" in str(one.pattern)] == [f"{SITE}/m/{{a:number}}"] * stays
