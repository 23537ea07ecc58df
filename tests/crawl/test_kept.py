"""What was asked for once is not asked for again while a site is learned once more."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thrawl.archive import Archive
from thrawl.crawl.allowance import Allowance, Spent
from thrawl.crawl.kept import AskedBefore
from thrawl.crawl.remembered import Remembered
from thrawl.errors import FetchError, RobotsDenied
from thrawl.net.message import Request, Response

SITE = "http://forum.test"


class Web:
    """A site of which robots.txt forbids `/private`, and that is in trouble at `/busy`."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        if request.url.endswith("/private"):
            raise RobotsDenied(request.url, "robots.txt forbids it")
        status = {"/busy": 503, "/gone": 404}.get(request.url.removeprefix(SITE), 200)
        return Response(request.url, request.url, status, (), b"", "utf-8", datetime.now(UTC))

    async def close(self) -> None:
        self.asked.clear()


async def ask(fetcher: AskedBefore, path: str, times: int = 2) -> None:
    for _ in range(times):
        try:
            await fetcher.fetch(Request(SITE + path))
        except FetchError:
            continue


@pytest.mark.parametrize(("path", "times"), [("/", 1), ("/gone", 1), ("/private", 1), ("/busy", 2)])
async def test_answers_are_remembered_and_trouble_is_not(path: str, times: int) -> None:
    web = Web()
    await ask(AskedBefore(web), path)
    assert web.asked == [SITE + path] * times


async def test_what_robots_txt_forbids_is_told() -> None:
    fetcher = AskedBefore(Web())
    await ask(fetcher, "/private")
    await ask(fetcher, "/gone")
    assert fetcher.denied == (f"{SITE}/private",)
    assert [page.url for page in fetcher.pages] == [f"{SITE}/gone"]


async def test_a_site_that_changed_is_asked_again() -> None:
    web = Web()
    fetcher = AskedBefore(web)
    await ask(fetcher, "/", times=1)
    fetcher.begin(Allowance())
    await ask(fetcher, "/", times=1)
    assert len(web.asked) == 2


async def test_no_more_is_asked_for_than_is_allowed_and_what_is_known_costs_nothing() -> None:
    web = Web()
    fetcher = AskedBefore(web)
    fetcher.begin(Allowance(2))
    await ask(fetcher, "/", times=3)
    await ask(fetcher, "/gone", times=3)
    with pytest.raises(Spent):
        await ask(fetcher, "/other", times=1)
    assert len(web.asked) == 2


class Door(Web):
    """Who asks for a page before the start page was answered is told so."""

    inside = False

    async def fetch(self, request: Request) -> Response:
        for _ in range(5 if request.url == SITE else 1):
            await asyncio.sleep(0)
        assert self.inside or request.url == SITE
        response = await super().fetch(request)
        self.inside = True
        return response


async def test_who_goes_on_with_what_is_remembered_comes_in_by_the_start_page(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "forum.db", create=True) as archive:
        first, second = Allowance(remembered=Remembered(archive, SITE)), Allowance(remembered=Remembered(archive, SITE))
        await first.fetched(Request(SITE), Web())
        web = Door()
        answers = [second.fetched(Request(SITE + path), web) for path in ("", "/a", "/b", "/c")]
        assert [one.url for one in await asyncio.gather(*answers)] == [SITE, f"{SITE}/a", f"{SITE}/b", f"{SITE}/c"]
        assert sorted(web.asked) == [SITE, f"{SITE}/a", f"{SITE}/b", f"{SITE}/c"]
        assert second.asked == 4
