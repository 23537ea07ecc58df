"""Sites that are no forums: refused in one sentence, after a few dozen requests."""

from __future__ import annotations

import pytest
from tests.learn.test_learner_sites import learned_from, site

from thrawl.errors import LearnError
from thrawl.lab.notforums import KINDS
from thrawl.lab.random.serving import RandomServer
from thrawl.lab.random.site import forum

# What looking for boards and threads, a sample of threads, and their flips may cost.
_MOST = 75


@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("kind", ["listing", "shop", "wiki"])  # the others name those who wrote
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
