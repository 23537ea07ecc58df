"""A profile says why: each decision with its probability, its evidence and what came second."""

from __future__ import annotations

import pytest

from thrawl.errors import InputError
from thrawl.lab.generate import generate
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import skin_named
from thrawl.learn.learner import learn
from thrawl.learn.tell.explain import explain
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions
from thrawl.profile.decisions import Decision
from thrawl.profile.profile import Profile


async def learned() -> Profile:
    skin = skin_named("tables")
    world = generate(60, seed=3, language=skin.language.code)
    async with (
        ForumServer(world, skin) as forum,
        Client(ClientOptions(forum.url, delay=0, concurrency=4)) as client,
    ):
        return (await learn(forum.url, client)).profile


async def test_a_profile_says_why_and_keeps_it() -> None:
    profile = await learned()
    by_question = {one.question: one for one in profile.decisions}
    assert by_question["entry"].answer == profile.entry
    assert by_question["threads"].answer == str(profile.thread[0].pattern)
    assert by_question["threads"].probability > 0.5
    assert any(figure > 0 for figure in by_question["threads"].evidence.values())
    assert [one.question for one in Profile.from_json(profile.to_json()).decisions] == [
        one.question for one in profile.decisions
    ]


async def test_the_reasons_are_told_in_words() -> None:
    told = "\n".join(explain(await learned()))
    assert "is the entry page" in told
    assert "are threads" in told
    assert "for it: how" in told


def test_a_decision_of_an_unknown_question_is_refused_by_name() -> None:
    profile = Profile("http://f.test/", (), (), decisions=(Decision("entry", "http://f.test/", 0.9),))
    broken = profile.to_json().replace('"question": "entry"', '"question": "weather"')
    with pytest.raises(InputError, match=r"'decisions\[0\]\.question' .* must be one of entry, boards, threads"):
        Profile.from_json(broken)
