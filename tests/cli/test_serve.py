"""`thrawl serve` as a user starts it: on this machine by itself, elsewhere only with a token."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.web.samples import fill

from thrawl.cli.main import main


@contextmanager
def started(*arguments: str) -> Iterator[str]:
    """The address that a server prints."""
    command = [sys.executable, "-c", "from thrawl.cli.main import run; run()", "serve", *arguments, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            server.terminate()


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@pytest.fixture
def archive(tmp_path: Path) -> str:
    fill(tmp_path / "forum.db")
    return str(tmp_path / "forum.db")


def test_on_this_machine_nothing_is_asked_for(archive: str) -> None:
    with started(archive) as address:
        assert address.startswith("http://127.0.0.1:")
        assert status(f"{address}forum/thread/1") == 200


def test_elsewhere_the_printed_token_is(archive: str) -> None:
    with started(archive, "--host", "0.0.0.0") as address:
        plain, _, token = address.replace("0.0.0.0", "127.0.0.1").partition("?token=")
        assert len(token) >= 32
        assert status(f"{plain}forum/") == 401
        request = urllib.request.Request(f"{plain}forum/", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert answer.status == 200


def test_what_is_wrong_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", str(tmp_path / "none.db")]) == 1
    assert "there is no archive at" in capsys.readouterr().err
