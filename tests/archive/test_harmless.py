"""What leaves the archive is text and nothing else, whatever a stranger wrote on a forum."""

from __future__ import annotations

import csv
import json
import mailbox
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from thrawl.archive import Archive, BoardRef, ThreadRef
from thrawl.archive.connect import default_archive
from thrawl.archive.export import Format, Wanted, What, export
from thrawl.cli.search import search
from thrawl.cli.status import status
from thrawl.cli.threads import threads
from thrawl.errors import UsageError
from thrawl.harmless import cell, json_line, one_line, shown
from thrawl.net.url import usable_url
from thrawl.page.shown import ThreadRow
from thrawl.web.export import export_site

ESCAPES = "\x1b[2J\x1b]0;owned\x07\x9b31m\r\n\u202egnirts\u2028"
NASTY = f"<script>alert(1)</script>{ESCAPES}words"
FORMULA = '=HYPERLINK("http://evil.example","click")'
PATH = "../../../../etc/passwd"


@pytest.fixture
def path(tmp_path: Path, make: Any) -> Path:
    """An archive of the worst that a forum could show."""
    location = tmp_path / "forum.db"
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        row = ThreadRow(NASTY, f"{make.site}/t/1", author=FORMULA, last_author=NASTY, last_time_text=ESCAPES)
        boards = (BoardRef(PATH, f"{make.site}/b/{PATH}"), BoardRef(FORMULA, None))
        archive.save(make.index_page((row,), boards=boards))
        posts = (
            make.post(PATH, NASTY, author=FORMULA, author_url="javascript:alert(1)", html=NASTY),
            make.post("b", f"{FORMULA}\nFrom nobody Sun\n\nFrom: x", author=NASTY, post_url="javascript:alert(2)"),
            make.post("c", "+1\tagreed", author="@SUM(A1)", published_text="-1+1"),
        )
        thread = ThreadRef(f"{make.site}/t/1", f"{PATH}{ESCAPES} title")
        archive.save(make.thread_page(posts, thread=thread, boards=boards))
    return location


def run(*arguments: str) -> str:
    app = typer.Typer(pretty_exceptions_enable=False)
    for command in (status, search, threads):
        app.command()(command)
    return CliRunner().invoke(app, arguments, catch_exceptions=False).stdout


@pytest.mark.parametrize(
    "command",
    ["status", "threads", "threads --json", "search words", "search words --json", "status --json", "search agreed"],
)
def test_no_command_prints_what_a_terminal_obeys(path: Path, command: str) -> None:
    name, *rest = command.split()
    for line in run(name, str(path), *rest).split("\n"):
        assert shown(line.replace("\t", " ")) == line.replace("\t", " ")


def test_json_lines_are_harmless_and_say_the_same(path: Path, tmp_path: Path) -> None:
    with Archive.open(path, readonly=True) as archive:
        export(archive, What.POSTS, Format.JSONL, tmp_path / "posts.jsonl")
        texts = [post.text for post in archive.posts()]
    written = (tmp_path / "posts.jsonl").read_text(encoding="utf-8")
    lines = written.splitlines()  # also at the separators that only some programs take for an end of a line
    assert [json.loads(line)["text"] for line in lines] == texts
    assert all(line.isprintable() for line in lines)


def test_no_cell_is_a_formula(path: Path, tmp_path: Path) -> None:
    for what in (What.POSTS, What.THREADS, What.BOARDS):
        with Archive.open(path, readonly=True) as archive:
            export(archive, what, Format.CSV, tmp_path / "out.csv")
        with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
            cells = [one for row in csv.reader(file) for one in row]
        assert not [one for one in cells if one.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))]
        assert any(f"'{FORMULA}" in one or FORMULA in one for one in cells), "it is still there, as text"


def test_mails_are_as_many_as_posts(path: Path, tmp_path: Path) -> None:
    with Archive.open(path, readonly=True) as archive:
        export(archive, What.POSTS, Format.MBOX, tmp_path / "out.mbox")
    box = mailbox.mbox(tmp_path / "out.mbox")
    mails = list(box)
    box.close()
    assert len(mails) == 3
    assert "From nobody Sun" in mails[1].get_payload(decode=True).decode()
    assert all("\x1b" not in f"{name}{value}" for mail in mails for name, value in mail.items())


def test_a_site_has_no_script_of_a_stranger_and_no_file_outside(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "site"
    folder.parent.mkdir()
    with Archive.open(path, readonly=True) as archive:
        export_site(archive, folder, Wanted(), None)
    assert list(folder.parent.iterdir()) == [folder]
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "alert(" not in re.sub(r"&lt;script&gt;alert\(1\)&lt;/script&gt;", "", text), page
        assert not re.search(r"(?:href|src)=[\"']?javascript:", text)
    for script in (folder / "search").glob("*.js"):
        assert re.fullmatch(
            r"(?:thrawlFile\(\"[\w-]+\",.*\);|const thrawlAbout = \{.*\};)\n", script.read_text("utf-8")
        )


@pytest.mark.parametrize("host", ["..", "../x", "%2e%2e%2fx", "-o", "a/../../b"])
def test_a_host_names_no_file_elsewhere(host: str) -> None:
    try:
        name = default_archive(usable_url(f"http://{host}/"))
    except UsageError:
        return
    assert Path(name).name == name
    assert not name.startswith(("-", "."))


@given(st.text())
def test_one_line_is_one_printable_line(text: str) -> None:
    assert one_line(text).isprintable()
    assert shown(text).isprintable()
    assert len(shown(text)) == len(text)


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_a_line_of_json_means_what_it_meant(value: Any) -> None:
    line = json_line(value)
    assert json.loads(line) == value
    assert len(line.splitlines()) == 1


@given(st.text())
def test_a_cell_keeps_its_words(text: str) -> None:
    assert cell(text).removeprefix("'") == text or cell(text) == text
