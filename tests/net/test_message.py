"""What a response says of itself."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from thrawl.net.message import Response

FETCHED = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "moment"),
    [
        ((("Date", "Tue, 04 Mar 2003 09:15:00 GMT"),), datetime(2003, 3, 4, 9, 15, tzinfo=UTC)),
        ((("date", "no clock at hand"),), FETCHED),
        ((), FETCHED),
    ],
)
def test_relative_times_of_a_page_count_from_the_clock_of_its_site(
    headers: tuple[tuple[str, str], ...], moment: datetime
) -> None:
    assert Response("", "", 200, headers, b"", "utf-8", FETCHED).moment == moment
