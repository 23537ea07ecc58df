"""How much is still to fetch: right within a factor of two once a tenth of a crawl is done."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.crawl.tinyforum import Crawl, TinyForum

from thrawl.archive import Archive, PageState
from thrawl.archive.figures import pages_left


def done(location: Path) -> int:
    with Archive.open(location, readonly=True) as archive:
        return sum(number for _, state, number in archive.page_counts() if state is PageState.DONE)


def expected(location: Path) -> int:
    with Archive.open(location, readonly=True) as archive, archive.reading() as connection:
        return pages_left(connection, 1)


@pytest.mark.parametrize(("boards", "threads", "longest"), [(4, 40, 11), (2, 30, 40), (12, 12, 3)])
async def test_the_estimate_after_a_tenth_is_right_within_a_factor_of_two(
    forum: TinyForum, crawl: Crawl, location: Path, boards: int, threads: int, longest: int
) -> None:
    forum.fill(boards=boards, threads=threads, longest=longest)
    step = 4
    guesses: list[tuple[int, int]] = []
    finished = await crawl(forum, max_pages=step)
    while finished.waiting:
        guesses.append((done(location), expected(location)))
        finished = await crawl(forum, max_pages=step)
        step *= 2
    total = done(location)
    later = [(fetched, guess) for fetched, guess in guesses if fetched >= total / 10]
    assert later
    for fetched, guess in later:
        assert (total - fetched) / 2 <= guess <= (total - fetched) * 2, (fetched, guess, total)
    assert expected(location) == 0
