"""Where pages show one post or some of them, and the whole thread stands elsewhere, that is what is fetched."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import pytest
from tests.learn.tablesite import TableSite
from tests.learn.test_learner_blog import PEOPLE, words
from tests.learn.test_learner_sites import learned_from, site

from thrawl.crawl.links import LinkReader
from thrawl.crawl.values import Flips
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.sampler import Sampler
from thrawl.learn.whole import in_one_page
from thrawl.learn.wrap import learn_wrappers
from thrawl.learn.wrappers.posts import PostWrapper
from thrawl.page.tree import parse
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile
from thrawl.profile.urltypes import UrlTypes

THREADS = {thread: [thread, *range(thread + 1, thread + 1 + thread // 10 % 4)] for thread in range(100, 400, 10)}
THREAD_OF = {post: thread for thread, posts in THREADS.items() for post in posts}
PAGE = 10


def title(thread: int) -> str:
    return f"{words(thread, 4).capitalize()} {thread}"


def tree(thread: int) -> str:
    replies = "".join(
        f"<li><a href='/view?id={post}'>{title(thread)} again</a> {PEOPLE[post % 5]}</li>"
        for post in THREADS[thread][1:]
    )
    return f"<a href='/view?id={thread}'>{title(thread)}</a> {PEOPLE[thread % 5]}<ul>{replies}</ul>"


def post(number: int) -> str:
    when = f"2026-05-{number % 28 + 1:02} 10:{number % 60:02}"
    said = f"<p>{words(number, 14)} {number}.</p><p>{words(number + 7, 20)}, says {PEOPLE[number % 5]}.</p>"
    return f"<div class=post><b class=who>{PEOPLE[number % 5]}</b> <i>{when}</i><div class=text>{said}</div></div>"


def page(path: str, *, has_whole: bool) -> str | None:
    def shown(main: str, heading: str) -> str:
        return f"<title>{heading}</title><body><a href='/'>Village</a><h1>{heading}</h1>{main}"

    name, _, number = path.strip("/").partition("=")
    if name in ("", "list?page"):
        at = int(number or 1)
        threads = list(THREADS)[(at - 1) * PAGE : at * PAGE]
        whole = " <a href='/all?id={0}'>[*]</a>" if has_whole else ""
        rows = "".join(f"<li>{tree(one)}{whole.format(one)} <i>2026-05-{one % 28 + 1:02}</i></li>" for one in threads)
        pages = " ".join(f"<a href='/list?page={one}'>{one}</a>" for one in range(1, 4) if one != at)
        return shown(f"<ul id=threads>{rows}</ul><p>{pages}</p>", "Village") if rows else None
    if name == "view?id" and int(number) in THREAD_OF:
        thread = THREAD_OF[int(number)]
        whole = f"<a href='/all?id={thread}'>whole thread</a>" if has_whole else ""
        return shown(f"{post(int(number))}{whole}<hr><ul id=tree><li>{tree(thread)}</li></ul>", title(thread))
    if name == "all?id" and has_whole and int(number) in THREADS:
        return shown("".join(map(post, THREADS[int(number)])), title(int(number)))
    return None


async def test_whole_threads_are_fetched_where_a_page_shows_them() -> None:
    async with site(partial(page, has_whole=True)) as served:
        learned = await learned_from(served.url)
    types = UrlTypes(learned.profile)
    assert not learned.profile.threaded
    assert (typed := types.type(f"{served.url}all?id=130")) is not None
    assert typed.is_thread
    assert types.type(f"{served.url}view?id=131") is None
    assert learned.profile.post_wrapper is not None
    wrapper = PostWrapper.from_json(learned.profile.post_wrapper)
    whole = page("/all?id=110", has_whole=True)
    assert whole is not None
    assert len(wrapper.cut(parse(whole), f"{served.url}all?id=110", datetime(2026, 6, 1, tzinfo=UTC)) or ()) == 4


async def test_posts_are_fetched_one_by_one_where_nothing_shows_them_together() -> None:
    async with site(partial(page, has_whole=False)) as served:
        learned = await learned_from(served.url)
    assert learned.profile.threaded
    assert UrlTypes(learned.profile).type(f"{served.url}view?id=131") is not None


TOWNS = "http://f.test"


def said(thread: int, numbers: range) -> str:
    """The posts of a thread with these numbers, on a page of their own; titles lead to the last three."""

    def post_of(number: int) -> str:
        head = f"<a href='{number}'>{number}</a> <b class=who>{PEOPLE[(thread + number) % 5]}</b>"
        text = f"<div class=text><p>{words(100 * thread + number, 25)}.</p></div>"
        return f"<div class=post>{head} <i>2026-05-{number:02} 10:{thread:02}</i>{text}</div>"

    posts = "".join(map(post_of, numbers))
    ways = (
        f"<a href='/town/{thread}/'>All</a> <a href='/town/{thread}/l3'>Last</a> <a href='/town/{thread}/-3'>First</a>"
    )
    return f"<title>{title(thread)}</title><h1>{title(thread)}</h1><div>{posts}</div><p>{ways}</p>"


def towns(*, whole: bool) -> TableSite:
    """Threads of one to eight posts, whole at their own addresses or nowhere."""
    pages: dict[str, str] = {}
    for thread in range(1, 9):
        everything = range(1, thread + 1)
        pages[f"/town/{thread}/l3"] = said(thread, everything[-3:])
        pages[f"/town/{thread}/-3"] = said(thread, everything[:3])
        pages[f"/town/{thread}/"] = said(thread, everything if whole else everything[:2])
    return TableSite(TOWNS, pages)


async def in_one(served: TableSite) -> Profile:
    """What becomes of threads that were met by their last posts, and of a flip that leads to single ones."""
    sampler = Sampler(served, PageClassifier.load())
    await sampler.get_all(f"{TOWNS}/town/{thread}/l3" for thread in range(1, 9))
    pattern, flip = (Pattern.parse(f"{TOWNS}/town/{{a:number}}/{end}") for end in ("l3", "{page:number}"))
    profile = Profile(f"{TOWNS}/", (), (ListPattern(pattern, (Flip(flip),), examples=(f"{TOWNS}/town/7/l3",)),))
    return await in_one_page(sampler, learn_wrappers(profile, sampler.sampled, {}))


async def test_a_thread_whose_title_leads_to_its_last_posts_is_fetched_whole() -> None:
    profile = await in_one(towns(whole=True))
    types = UrlTypes(profile)
    for way in ("", "l3", "-3", "4"):
        typed = types.type(f"{TOWNS}/town/7/{way}")
        assert typed is not None
        assert typed.url == f"{TOWNS}/town/7/"


@pytest.mark.parametrize("shown", [3, 8])
async def test_a_view_of_threads_is_fetched_whole_though_no_known_one_is_longer(shown: int) -> None:
    pages = {
        f"/town/{thread}/{end}": said(thread, range(1, thread + 1)[-last:])
        for thread in range(1, 9)
        for end, last in (("newest/", shown), ("", 8))
    }
    ways = {path: html.replace("/l3'", "/newest/'").replace("/-3'", "/3/'") for path, html in pages.items()}
    served = TableSite(TOWNS, ways)
    sampler = Sampler(served, PageClassifier.load())
    await sampler.get_all(f"{TOWNS}/town/{thread}/newest/" for thread in range(1, 9))
    parts = ListPattern(Pattern.parse(f"{TOWNS}/town/{{a:number}}/{{b:number}}-/"), reserve=True)
    views = ListPattern(Pattern.parse(f"{TOWNS}/town/{{a:number}}/newest/"), examples=(f"{TOWNS}/town/7/newest/",))
    lists, flip = (Pattern.parse(f"{TOWNS}/{{a:word}}/{{b:word}}/{end}") for end in ("", "{page:number}/"))
    others = ListPattern(lists, (Flip(flip, 1, 1),), reserve=True)
    profile = learn_wrappers(Profile(f"{TOWNS}/", (parts, others), (views,)), sampler.sampled, {})
    types = UrlTypes(await in_one_page(sampler, profile))
    found = [types.type(f"{TOWNS}/town/7/{end}") for end in ("", "newest/", "4-/", "3/")]
    assert [one and (one.kind, one.url) for one in found] == [("thread", f"{TOWNS}/town/7/")] * 4


async def test_parts_of_a_thread_that_is_known_whole_are_not_taken_for_its_pages() -> None:
    served = towns(whole=True)
    url = f"{TOWNS}/town/7/"
    pager = "".join(f"<a href='/town/7/{start}-'>{start}</a> " for start in (1, 4, 7))
    tree = parse(f"{pager}{served.pages[url]}")
    assert LinkReader(await in_one(served)).read(tree, url, url)[2] == Flips()


async def test_an_address_above_that_shows_less_is_no_whole_thread() -> None:
    typed = UrlTypes(await in_one(towns(whole=False))).type(f"{TOWNS}/town/7/l3")
    assert typed is not None
    assert typed.url == f"{TOWNS}/town/7/l3"
