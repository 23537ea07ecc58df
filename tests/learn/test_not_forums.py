"""Sites that are no forums: refused in one sentence, after a few dozen requests."""

from __future__ import annotations

import pytest
from tests.learn.test_learner_sites import learned_from, site

from thrawl.errors import LearnError
from thrawl.lab.notforums import KINDS, news
from thrawl.lab.random.serving import RandomServer
from thrawl.lab.random.site import forum

# What looking for boards and threads, a score of threads, and a few looks for trees of posts may cost: 40, mostly.
_MOST = 45


@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("kind", KINDS)
async def test_a_site_on_which_nobody_talks_is_no_forum(kind: str, seed: int) -> None:
    async with site(KINDS[kind](seed).get) as served:
        with pytest.raises(LearnError, match="does not look like a forum"):
            await learned_from(served.url)
        assert served.requests <= _MOST


@pytest.mark.parametrize("seed", [600200, 720077])  # trees: links with tokens, addresses that are all query
async def test_pages_of_one_post_that_lead_to_answers_by_their_own_title_are_a_forum(seed: int) -> None:
    async with RandomServer(forum(seed)) as server:
        learned = await learned_from(server.start_url)
    assert learned.profile.thread


async def test_a_site_whose_articles_ask_for_answers_may_have_some() -> None:
    pages = {
        path: page.replace("</body>", "<form><textarea></textarea></form></body>") for path, page in news(11).items()
    }
    async with site(pages.get) as served:
        assert (await learned_from(served.url)).profile.thread


@pytest.mark.parametrize("seed", [600201, 600202])
async def test_a_young_forum_on_which_nobody_answered_so_far_is_a_forum(seed: int) -> None:
    async with RandomServer(forum(seed, threads=12, singles=100, markup="divs")) as server:
        assert (await learned_from(server.start_url)).profile.thread
