"""A database server that dies in the middle of a crawl: one sentence, and the next crawl goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from thrawl.errors import InputError
from thrawl.lab.hostile.postgres import PostgresServer, postgres_server
from thrawl.lab.server import running_forum

THRAWL = [sys.executable, "-c", "from thrawl.cli.main import run; run()"]
SECONDS = 240  # on however busy a machine


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    pytest.importorskip("psycopg")
    try:
        with postgres_server() as running:
            yield running
    except InputError as error:
        pytest.skip(str(error))


def pages_in(location: str) -> int:
    import psycopg

    with psycopg.connect(location) as connection:
        try:
            row = connection.execute("SELECT count(*) FROM pages WHERE fetched IS NOT NULL").fetchone()
        except psycopg.errors.UndefinedTable:
            return 0
    return int(row[0]) if row else 0


def test_a_database_server_that_dies_is_one_sentence_and_the_next_crawl_goes_on(server: PostgresServer) -> None:
    location = server.create("dying")
    with running_forum(skin="rows", threads=30) as url:
        words = [*THRAWL, "crawl", url, "--archive", location, "--delay", "0.05", "--json"]
        for least in (1, 20, 35):
            crawl = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)
            until = time.monotonic() + SECONDS
            while pages_in(location) < least and crawl.poll() is None:
                assert time.monotonic() < until
                time.sleep(0.05)
            server.kill()
            _, told = crawl.communicate(timeout=SECONDS)
            server.start()
            assert crawl.returncode == 1
            complaints = [line for line in told.splitlines() if line.startswith("thrawl: ")]
            assert len(complaints) == 1
            assert "cannot be reached" in complaints[0]
            assert "Traceback" not in told
            assert "Exception" not in told
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=True)
        assert json.loads(done.stdout)["complete"] is True
