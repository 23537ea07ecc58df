"""The pace of a crawl in words."""

from __future__ import annotations

import pytest

from thrawl.cli.pace import current_delay, in_words, pace_in_words
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions
from thrawl.net.pace import PaceState


def state(delay: float, usual: float, pause: float = 0, trouble: str = "") -> PaceState:
    return PaceState("forum.example", delay, usual, pause, 1, trouble)


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (state(1, 1), "one request every 1 s"),
        (state(1, 1, trouble="HTTP 503"), "one request every 1 s"),
        (state(10, 10), "one request every 10 s because robots.txt asks for it"),
        (state(4, 1, trouble="HTTP 503"), "slowed to one request every 4 s by the site (HTTP 503)"),
        (state(2, 1, 29.7, "HTTP 429"), "waiting 30 s because the site asks for it (HTTP 429)"),
    ],
)
def test_the_pace_says_who_decided_it(shown: PaceState, said: str) -> None:
    assert in_words(shown, chosen=1) == said


def test_who_wants_no_delay_is_told_so() -> None:
    assert in_words(state(0, 0), chosen=0) == "no delay between requests"
    assert in_words(state(0.125, 0, trouble="HTTP 429"), chosen=0) == (
        "slowed to one request every 0.12 s by the site (HTTP 429)"
    )


async def test_before_the_first_request_the_pace_is_the_chosen_one() -> None:
    async with Client(ClientOptions(delay=2.5)) as client:
        assert pace_in_words(client) == "one request every 2.5 s"
        assert current_delay(client) == 2.5
