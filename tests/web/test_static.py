"""The static site: old addresses lead into it, its search stays small, and parts of an archive are whole sites, too."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from tests.web.samples import NOON, PNG, SITE, post, thread

from thrawl.archive import Archive
from thrawl.archive.export_rows import Wanted
from thrawl.archive.mediastore import store_for
from thrawl.archive.selection import Selection
from thrawl.cli.main import main
from thrawl.web.export import export_site
from thrawl.web.redirects import Server
from thrawl.web.values import pages_shown


def export(location: Path, folder: Path, wanted: Wanted | None = None, redirects: Server | None = None) -> Path:
    with Archive.open(location, readonly=True) as archive:
        export_site(archive, folder, wanted or Wanted(), store_for(str(location)), redirects)
    return folder


def hrefs(path: Path) -> list[str]:
    return re.findall(r'(?:href|src)="([^"#][^"]*)"', path.read_text(encoding="utf-8"))


def test_every_link_within_the_site_leads_to_a_file_and_to_a_post_of_it(sample: Path, tmp_path: Path) -> None:
    folder = export(sample, tmp_path / "site")
    for page in folder.rglob("*.html"):
        for href in hrefs(page):
            if href.startswith(("http://", "https://", "data:")):
                continue
            file, _, fragment = href.partition("#")
            target = (page.parent / file).resolve()
            assert target.is_file(), (page, href)
            if fragment:
                assert f'id="{fragment}"' in target.read_text(encoding="utf-8"), (page, href)


def test_pictures_stand_beside_the_pages_and_nothing_that_runs_does(sample: Path, tmp_path: Path) -> None:
    folder = export(sample, tmp_path / "site")
    files = [path for path in (folder / "media").rglob("*") if path.is_file()]
    assert sorted(path.suffix for path in files) == [".bin", ".bin", ".png"]
    assert next(path for path in files if path.suffix == ".png").read_bytes() == PNG
    scripts = [path.name for path in folder.rglob("*.js")]
    assert "search.js" in scripts
    for page in folder.rglob("*.html"):
        if page.name != "search.html":
            assert "<script" not in page.read_text(encoding="utf-8")


def test_a_part_of_an_archive_is_a_site_without_the_rest(sample: Path, tmp_path: Path) -> None:
    folder = export(sample, tmp_path / "site", Wanted(Selection(author="Bob")))
    page = (folder / "threads/0/1.html").read_text(encoding="utf-8")
    assert page.count("<article") == 1
    assert "#2</a>" in page  # its place in the whole thread
    assert "A long thread" not in (folder / "boards/3.html").read_text(encoding="utf-8")
    without = export(sample, tmp_path / "still", Wanted(with_vanished=False))
    assert "soon gone" not in (without / "threads/0/5.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("server", "name", "line"),
    [
        (Server.NGINX, "redirects.nginx.conf", '    "/t/2" "/threads/0/2.html";'),
        (Server.APACHE, "redirects.apache.txt", "/t/2? /threads/0/2.html"),
        (Server.NETLIFY, "_redirects", "/t/2 /threads/0/2.html 301!"),
    ],
)
def test_old_addresses_lead_to_the_new_ones(sample: Path, tmp_path: Path, server: Server, name: str, line: str) -> None:
    lines = (export(sample, tmp_path / "site", redirects=server) / name).read_text(encoding="utf-8").splitlines()
    assert line in lines
    assert any("/b/2" in one and "/boards/" in one for one in lines)
    # post 60 of the long thread stands on its second page
    assert any(re.search(r"/post/l60\b.*/threads/0/2-2\.html#p\d+", one) for one in lines)


def test_no_address_of_a_stranger_is_a_line_of_a_configuration(tmp_path: Path) -> None:
    location = tmp_path / "forum.db"
    evil = f'{SITE}/x" "/y"; }} server {{ return 301 http://evil.example; #'
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{SITE}/", "forum.example")
        archive.save(
            thread(1, "x", (post("a", "x", post_url=evil), post("b", "y", post_url=f"{SITE}/p\n/evil /x 301")))
        )
    for server in Server:
        folder = export(location, tmp_path / server.value, redirects=server)
        text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*redirects*"))
        assert "evil" not in text


def test_pagers_show_both_ends_and_the_neighbours() -> None:
    assert list(pages_shown(1, 1)) == [1]
    assert list(pages_shown(5000, 10_000)) == [1, None, 4998, 4999, 5000, 5001, 5002, None, 10_000]
    assert list(pages_shown(2, 5)) == [1, 2, 3, 4, 5]


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to run the search page's script")
def test_a_search_loads_little_however_common_its_words(tmp_path: Path) -> None:
    location = tmp_path / "forum.db"
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{SITE}/", "forum.example")
        for number in range(1, 101):
            posts = tuple(
                post(f"{number}-{place}", f"the common words and word{number * 100 + place} " + "filler " * 60,
                     published=NOON + timedelta(minutes=number * 100 + place))
                for place in range(100)
            )  # fmt: skip
            archive.save(thread(number, f"Thread {number}", posts))
    folder = export(location, tmp_path / "site")
    assert all(path.stat().st_size < 100_000 for path in (folder / "search").iterdir())
    script = Path(__file__).with_name("search_budget.js")
    for words, first in (
        ("the common", "#p10000"),
        ("word5005", "#p4906"),
        ("word77*", ""),
        ('"and word5005"', "#p4906"),
    ):
        shown = subprocess.run(["node", str(script), str(folder), words], check=True, capture_output=True, text=True)
        answer = json.loads(shown.stdout)
        assert answer["hits"], words
        assert answer["hits"][0].endswith(first) or not first, words
        assert answer["bytes"] < 1_000_000, words


def test_the_command_says_what_belongs_together(
    sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(sample), "--format", "html"]) == 2
    assert "add -o NAME" in capsys.readouterr().err
    assert main(["export", str(sample), "--format", "csv", "--redirects", "nginx"]) == 2
    assert main(["export", str(sample), "--format", "html", "-o", str(tmp_path / "site"), "--redirects", "nginx"]) == 0
    assert (tmp_path / "site" / "redirects.nginx.conf").is_file()
