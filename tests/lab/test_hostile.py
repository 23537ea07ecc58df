"""A small part of `benchmarks/hostile.py`: mutated pages, lies, kills."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from thrawl.lab.generate import generate
from thrawl.lab.hostile import kills
from thrawl.lab.hostile.fuzzing import findings, fuzz
from thrawl.lab.hostile.lies import ROUTES, SPELLINGS
from thrawl.lab.hostile.lying import Lie, Outcome, all_lies, trap, tried
from thrawl.lab.hostile.mutation import mutated, originals
from thrawl.lab.skins import skin_named

PAGES = 25
LIES = (
    "sessions that change with each answer",
    "every page number shows the last page",
    "a calendar without end",
    "429 for an hour",
    "challenges with 200",
    "compression bombs, zstd",
    "redirects without end",
    "robots.txt with 500",
    "private addresses by link",
    "private addresses by redirect",
)


def test_mutated_pages_raise_nothing() -> None:
    assert [trial for trial in fuzz(PAGES, seed=7) if trial.error] == []


def test_runs_over_mutated_pages_add_up_in_a_file(tmp_path: Path) -> None:
    kept, told = tmp_path / "found.jsonl", list[str]()
    list(findings(2, seed=7, first=3, kept=kept))
    study, *_ = findings(5, seed=7, first=1, kept=kept, say=told.append)
    assert study.size == 5
    assert [words.partition(";")[0] for words in told] == [
        "4 mutated pages, now up to page 3",
        "5 mutated pages, now up to page 6",
    ]


def test_a_seed_gives_the_same_mutations() -> None:
    pages = originals(forums=1, threads=4)
    one, two = (mutated(pages[3], Random(5), pages) for _ in range(2))
    assert one == two
    assert one != pages[3].html


@pytest.mark.parametrize("name", LIES)
async def test_a_server_that_lies_is_left_soon_and_nothing_is_said_that_is_not_so(name: str) -> None:
    skin = skin_named("rows")
    world = generate(12, 1, language=skin.language.code)
    async with trap() as caught:
        (lie,) = (one for one in all_lies(world, caught.port, skin) if one.name == name)
        outcome = await tried(lie, world, caught, skin)
    assert outcome.good, outcome


@pytest.mark.parametrize("look", ["tree", "lounge", "journal"])
async def test_a_thread_that_shows_its_last_page_under_all_numbers_is_not_complete(look: str) -> None:
    skin = skin_named(look)
    world = generate(12, 1, language=skin.language.code)
    async with trap() as caught:
        (lie,) = (one for one in all_lies(world, caught.port, skin) if one.name.startswith("every page number"))
        outcome = await tried(lie, world, caught, skin)
    assert not outcome.complete
    assert outcome.good, outcome


def test_private_addresses_are_tried_in_sixty_spellings_by_seven_routes() -> None:
    assert len(set(SPELLINGS)) >= 60
    assert len(ROUTES) == 7


def test_an_outcome_is_bad_if_it_says_complete_and_lacks_posts() -> None:
    lie = Lie("any", ())
    assert not Outcome(lie, 5, True, 9, 10, 0, "").good
    assert not Outcome(lie, 5, False, 9, 10, 1, "a page is missing").good
    assert not Outcome(lie, lie.most + 1, True, 10, 10, 0, "").good
    assert Outcome(lie, 5, False, 9, 10, 0, "a page is missing").good


async def test_killed_crawlers_and_workers_leave_no_trace_in_the_archive(tmp_path: Path) -> None:
    finding = await asyncio.to_thread(kills.crawl_kills, 3, tmp_path)
    assert finding.good, finding.seen
    assert finding.size >= 3
