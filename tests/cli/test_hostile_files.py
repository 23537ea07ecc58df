"""Saved pages and servers that mean harm or are broken: a page is left out with a reason, never a traceback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Final

import pytest
from tests.cli.test_extract import PAGE

from thrawl.cli.main import main
from thrawl.limits import MAX_BODY_BYTES

TOO_LARGE: Final = b"<p>words, words, words</p>" * (MAX_BODY_BYTES // 20)
HOSTILE: Final = {
    "deep nesting": b"<div>" * 200_000,
    "a tag of 50,000 attributes": b"<a " + b" ".join(b"a%d=1" % number for number in range(50_000)) + b">x</a>",
    "an attribute of five million characters": b'<a href="' + b"x" * 5_000_000 + b'">x</a>',
    "a page larger than any forum's": TOO_LARGE,
    "bytes that are no text": Random(1).randbytes(50_000),
    "zeroes": bytes(50_000),
    "nothing": b"",
    "a charset that does not exist": b'<meta charset="rot13"><p>hi',
    "half a character": b"\xff\xfe<\x00p\x00>\x00\xd8",
    "addresses that are none": b'<link rel=canonical href="http://[::1"><base href="http://[x"><a href="//[">x</a>',
}
hostile = pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
Told = pytest.CaptureFixture[str]


@hostile
def test_a_hostile_page_in_a_folder_is_left_out_and_the_others_are_read(
    body: bytes, tmp_path: Path, capsys: Told
) -> None:
    (tmp_path / "bad.html").write_bytes(body)
    (tmp_path / "good.html").write_text(PAGE, encoding="utf-8")
    assert main(["extract", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert [json.loads(line)["author"] for line in told.out.splitlines()] == ["Marta", "Jonas", "Otto"]
    assert "bad.html: " in told.err
    assert "a bug in Thrawl" not in told.err


@hostile
def test_a_hostile_page_has_a_type_or_a_reason_why_not(body: bytes, tmp_path: Path, capsys: Told) -> None:
    page = tmp_path / "bad.html"
    page.write_bytes(body)
    status = main(["classify", str(page)])
    told = capsys.readouterr()
    assert (status, len(told.out.splitlines()), len(told.err.splitlines())) in {(0, 1, 0), (1, 0, 1)}
    assert "a bug in Thrawl" not in told.err


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """A server that gives the same page for every address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(404 if self.path == "/robots.txt" else 200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            with suppress(ConnectionError):  # a client that has seen enough
                self.wfile.write(request.param)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}/"
        listening.shutdown()
        thread.join()


@pytest.mark.parametrize("server", [*HOSTILE.values()], ids=HOSTILE.keys(), indirect=True)
def test_a_site_of_hostile_pages_cannot_be_learned_and_that_is_one_sentence(server: str, capsys: Told) -> None:
    assert main(["learn", server, "--delay", "0"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"thrawl: {server} ")
    assert "a bug in Thrawl" not in last


def test_an_empty_folder_is_one_sentence(tmp_path: Path, capsys: Told) -> None:
    assert main(["extract", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"thrawl: There are no HTML files in {tmp_path}.\n"


def test_a_file_that_cannot_be_read_is_left_out_with_its_reason(capsys: Told) -> None:
    broken = Path("/proc/self/mem")
    if not broken.is_file():
        pytest.skip("there is no file here that fails when it is read, for root too")
    assert main(["extract", str(broken)]) == 1
    why, end = capsys.readouterr().err.splitlines()
    assert why.startswith(f"file://{broken}: the file cannot be read: ")
    assert end == f"thrawl: No posts were found on the saved pages of {broken}."


def test_a_path_that_no_system_takes_is_one_sentence(capsys: Told) -> None:
    assert main(["extract", "x" * 300]) == 1
    assert capsys.readouterr().err.startswith("thrawl: The saved pages cannot be read: File name too long")


def test_why_a_page_could_not_be_read_is_told(tmp_path: Path, capsys: Told) -> None:
    (tmp_path / "deep.html").write_bytes(HOSTILE["deep nesting"])
    (tmp_path / "large.html").write_bytes(TOO_LARGE)
    assert main(["extract", str(tmp_path)]) == 1
    deep, large, end = capsys.readouterr().err.splitlines()
    assert deep.endswith("/deep.html: the page could not be read (the page nests more than 10,000 elements)")
    assert large.endswith(f"/large.html: the file is larger than {MAX_BODY_BYTES:,} bytes")
    assert end == f"thrawl: No posts were found on the saved pages of {tmp_path}."
