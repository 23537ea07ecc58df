"""Archives to test on: the same suite runs on SQLite and on a throwaway PostgreSQL server of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from thrawl.archive import Archive, BoardRef, FoundUrl, PageKind, PageOutcome, ThreadRef
from thrawl.lab.postgres import NoPostgres, running_postgres
from thrawl.page.shown import PostRecord, ThreadRow

SITE = "http://forum.example"
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Make:
    """Small pages of a forum, with what a test cares about spelled out."""

    forum_id: int = 1
    site: str = SITE
    noon: datetime = NOON

    def at(self, minutes: float) -> datetime:
        return NOON + timedelta(minutes=minutes)

    def post(self, post_id: str | None, text: str | None = None, **fields: Any) -> PostRecord:
        words = text if text is not None else f"words of {post_id}"
        plain = PostRecord(
            post_id=post_id,
            post_url=f"{SITE}/post/{post_id}" if post_id else None,
            author="Ann",
            author_url=f"{SITE}/user/ann",
            published=NOON,
            published_text="Fri May 01, 2026 12:00 pm",
            edited=None,
            text=words,
            html=f"<p>{words}</p>",
        )
        return replace(plain, **fields)

    def thread_page(
        self, posts: str | tuple[PostRecord, ...], page: int = 1, minute: float = 0, **fields: Any
    ) -> PageOutcome:
        """One page of the thread /t/1. Posts may be given as their ids: "a b c"."""
        records = tuple(self.post(word) for word in posts.split()) if isinstance(posts, str) else posts
        url = fields.pop("thread_url", f"{SITE}/t/1")
        plain = PageOutcome(
            forum_id=self.forum_id,
            url=url if page == 1 else f"{url}?page={page}",
            kind=PageKind.THREAD if page == 1 else PageKind.THREAD_FLIP,
            fetched=self.at(minute),
            page_number=page,
            list_url=url,
            status=200,
            thread=ThreadRef(url, "A thread"),
            posts=records,
            boards=(BoardRef("Technical", f"{SITE}/b/1"), BoardRef("Lenses", f"{SITE}/b/2")),
        )
        return replace(plain, **fields)

    def index_page(self, rows: tuple[ThreadRow, ...], minute: float = 0, **fields: Any) -> PageOutcome:
        plain = PageOutcome(
            forum_id=self.forum_id,
            url=f"{SITE}/b/2",
            kind=PageKind.INDEX,
            fetched=self.at(minute),
            status=200,
            boards=(BoardRef("Technical", f"{SITE}/b/1"), BoardRef("Lenses", f"{SITE}/b/2")),
            rows=rows,
            found=tuple(FoundUrl(row.url, PageKind.THREAD, "a thread URL") for row in rows),
        )
        return replace(plain, **fields)


@pytest.fixture(scope="session")
def make() -> Make:
    return Make()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the tests do."""
    try:
        with running_postgres() as server:
            yield server.address
    except NoPostgres as error:
        pytest.skip(str(error))


_SCHEMAS = count(1)


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """An empty corner of the server, as the address of an archive."""
    name = f"archive_{next(_SCHEMAS)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{postgres_server}?options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new archive may be made."""
    return str(tmp_path / "forum.db") if request.param == "sqlite" else request.getfixturevalue("postgres")


@pytest.fixture
def archive(location: str) -> Iterator[Archive]:
    """An empty archive with one forum, open for writing."""
    with Archive.open(location, create=True) as opened:
        assert opened.put_forum(f"{SITE}/", "forum.example") == 1
        yield opened
