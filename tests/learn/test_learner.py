"""Learning whole forums: every skin of the laboratory, from any of its pages."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from thrawl.errors import LearnError
from thrawl.lab.generate import generate
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import skin_named
from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.world import View
from thrawl.learn.learner import Learned, learn, without_flips
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions
from thrawl.page.reading import read_page
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern
from thrawl.profile.urltypes import UrlTypes

MOST_PAGES = 120
STARTS = ["entry", "board", "thread", "profile"]


async def learned_from(url: str) -> Learned:
    async with Client(ClientOptions(start_url=url, delay=0, concurrency=4)) as client:
        return await learn(url, client)


def start_place(start: str, skin: Skin, view: View) -> SitePage:
    """The entry page, the largest board, the last page of the longest thread, or somebody's profile."""
    if start == "board":
        return max((SitePage("board", board.id) for board in view.boards), key=lambda one: skin.page_count(one, view))
    if start == "thread":
        longest = SitePage("thread", max(map(int, view.thread_ids()), key=view.size))
        return SitePage("thread", longest.id, skin.page_count(longest, view))
    return SitePage("user", 1) if start == "profile" else SitePage("entry")


def is_walled(skin: Skin, url: str, view: View) -> bool:
    """Boards that only members may read look like any other until they are asked for."""
    parts = urlsplit(url)
    place = skin.place(parts.path + (f"?{parts.query}" if parts.query else ""), view)
    return place is not None and place.what in skin.walled


def variants_followed(learned: Learned, skin: Skin, view: View, origin: str) -> set[str]:
    """URLs on the pages seen while learning that would be followed and are no canonical page.

    Lists in reserve are not followed as long as they bring nothing that others do not.
    """
    types = UrlTypes(learned.profile)
    links = {link.url for page in learned.pages for link in read_page(page.text, page.url).links}
    typed = [types.type(url) for url in links if url.startswith(origin)]
    followed = {one.url for one in typed if one is not None and not one.reserve}
    return {
        url
        for url in followed
        if skin.truth(url, view).kind is None
        and skin.truth(url, view).type != "entry"
        and not is_walled(skin, url, view)
    }


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", ["tables", "rows", "cards", "leaves", "answers"])
async def test_a_forum_is_learned_from_any_of_its_pages(name: str, start: str) -> None:
    skin = skin_named(name)
    world = generate(120, seed=1, language=skin.language.code)
    async with ForumServer(world, skin) as forum:
        view = world.at(forum.clock.now())
        learned = await learned_from(forum.origin + skin.path(start_place(start, skin, view), view))
        types = UrlTypes(learned.profile)
        wrong = [
            (url, kind, types.type(url))
            for url, kind in skin.canonical_urls(view, forum.origin)
            if skin.truth(url, view).type != "entry"
            # the front page of "answers" lists every thread, so that its boards may stay unknown
            and (name != "answers" or kind.startswith("thread"))
            and ((typed := types.type(url)) is None or (typed.url, typed.kind.replace("_", "-")) != (url, kind))
        ]
        assert wrong == []
        assert variants_followed(learned, skin, view, forum.origin) == set()
        assert skin.truth(learned.profile.entry, view).type == "entry"
        assert len(forum.requests) <= MOST_PAGES


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", ["tree", "journal", "lounge"])
async def test_every_thread_of_an_unusual_forum_is_reached_from_any_of_its_pages(name: str, start: str) -> None:
    skin = skin_named(name)
    world = generate(120, seed=1, language=skin.language.code)
    async with ForumServer(world, skin) as forum:
        view = world.at(forum.clock.now())
        learned = await learned_from(forum.origin + skin.path(start_place(start, skin, view), view))
        types = UrlTypes(learned.profile)
        missed = [
            url
            for url, kind in skin.canonical_urls(view, forum.origin)
            # pages of threads whose like no sampled thread had are followed by their pagers, in the crawl
            if kind == "thread" and ((typed := types.type(url)) is None or not typed.is_thread)
        ]
        assert missed == []
        assert skin.truth(learned.profile.entry, view).type == "entry"
        assert len(forum.requests) <= MOST_PAGES


async def test_what_learning_fetched_is_handed_over() -> None:
    skin = skin_named("rows")
    async with ForumServer(generate(60, seed=2, language=skin.language.code), skin) as forum:
        learned = await learned_from(forum.url)
        read = {request.url for request in forum.requests if request.status == 200}
        assert {page.url for page in learned.pages} == {url for url in read if not url.endswith("robots.txt")}
        assert learned.profile.pages_fetched <= len(forum.requests)


async def test_session_ids_are_found_and_removed() -> None:
    async with ForumServer(generate(60, seed=2), skin_named("tables")) as forum:
        profile = (await learned_from(forum.url)).profile
        assert profile.session_parameters == (forum.skin.session_name,)
        assert forum.skin.session_name not in " ".join(str(one.pattern) for one in (*profile.index, *profile.thread))


async def test_a_start_page_that_is_gone_leads_to_the_folder_above() -> None:
    async with ForumServer(generate(60, seed=2), skin_named("tables")) as forum:
        profile = (await learned_from(forum.url + "nothing-here.cgi?item=99999")).profile
        assert profile.thread


async def test_script_made_lists_are_called_so() -> None:
    async with ForumServer(generate(60, seed=2), skin_named("script")) as forum:
        with pytest.raises(LearnError, match="made by scripts"):
            await learned_from(forum.url)
        assert len(forum.requests) <= 30


@pytest.mark.parametrize("name", ["rows", "tables", "answers"])
async def test_a_forum_of_three_threads_is_learned(name: str) -> None:
    skin = skin_named(name)
    world = generate(3, seed=1, language=skin.language.code)
    async with ForumServer(world, skin) as forum:
        view = world.at(forum.clock.now())
        types = UrlTypes((await learned_from(forum.url)).profile)
        threads = [url for url, kind in skin.canonical_urls(view, forum.origin) if kind == "thread"]
        assert all(types.type(url) is not None for url in threads)
        assert len(forum.requests) <= 60


def test_second_pages_of_several_boards_are_no_boards_of_their_own() -> None:
    """Links to them may stand where boards stand; each says once more how many threads its board has."""
    site = "http://f.test/forum/"
    flip = Flip(Pattern.parse(site + "{a:number}/page/{page:number}/"), 1, 1)
    boards = ListPattern(Pattern.parse(site + "{a:number}/"), (flip,), examples=(site + "3/", site + "4/"))
    second = ListPattern(Pattern.parse(site + "{a:number}/page/2/"), examples=(site + "3/page/2/", site + "4/page/2/"))
    assert without_flips([boards, second]) == [boards]
