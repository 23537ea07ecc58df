"""Files of a mirror that wget made: which of them are pages, and where they stood on the web."""

from __future__ import annotations

from pathlib import Path

import pytest

from thrawl.crawl.saved import SavedFiles, skipped_of

PAGE = "<html><body><a href='/t/5'>five</a> <a href='viewtopic.php?id=6'>six</a></body></html>"


def saved(folder: Path, *names: str, text: str = PAGE) -> SavedFiles:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return SavedFiles([folder])


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("viewtopic.php?id=5", "viewtopic.php?id=5"),
        ("viewtopic.php?id=5&start=20", "viewtopic.php?id=5&start=20"),
        ("viewtopic.php?id=5.html", "viewtopic.php?id=5"),
        ("viewtopic.php@id=5", "viewtopic.php?id=5"),
        ("sub/index.html", "sub/"),
        ("index.php.html", "index.php"),
        ("t/5", "t/5"),
        ("t/5.html", "t/5"),
        ("t/?page=2", "t/?page=2"),
    ],
)
def test_a_file_is_known_by_its_place_below_the_folder_of_its_host(tmp_path: Path, name: str, url: str) -> None:
    files = saved(tmp_path / "forum.example.org", name)
    assert list(files.urls()) == [f"http://forum.example.org/{url}"]


def test_folders_of_hosts_are_found_where_wget_was_called(tmp_path: Path) -> None:
    saved(tmp_path / "mirrors/forum.example.org:8080", "t/5?page=2", "index.html")
    saved(tmp_path / "mirrors/old.example", "t/5")
    urls = sorted(saved(tmp_path / "mirrors", "loose.html").urls())
    assert urls[0].startswith("file:///")
    forum, old = "http://forum.example.org:8080", "http://old.example"
    assert urls[1:] == [f"{forum}/", f"{forum}/t/5?page=2", f"{old}/t/5"]


def test_endings_stay_where_pages_link_to_them(tmp_path: Path) -> None:
    files = saved(tmp_path / "forum.example.org", "t/5.html", text="<html><a href='/t/6.html'>six</a></html>")
    assert list(files.urls()) == ["http://forum.example.org/t/5.html"]


def test_a_page_that_a_browser_saved_knows_better(tmp_path: Path) -> None:
    text = "<!-- saved from url=(0030)http://other.example/thread/9 --><html></html>"
    assert list(saved(tmp_path / "forum.example.org", "a.html", text=text).urls()) == ["http://other.example/thread/9"]


def test_a_folder_with_another_name_is_no_host(tmp_path: Path) -> None:
    (url,) = saved(tmp_path / "my pages", "a.html").urls()
    assert url.startswith("file:///")


def test_what_is_no_page_is_counted(tmp_path: Path) -> None:
    folder = tmp_path / "forum.example.org"
    for name in ("logo.png", "style.css?v=3", "style.css", "notes"):
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"\x89PNG")
    files = saved(folder, "index.html")
    assert len(list(files.urls())) == 1
    assert skipped_of(files) == {".png": 1, ".css": 2, "no ending": 1}
