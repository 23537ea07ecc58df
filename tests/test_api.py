"""The public face: few names, quick to import, the same calls with and without an event loop."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import thrawl
from thrawl.lab.server import running_forum

THREADS = 12
HEAVY = {"aiohttp", "numpy", "rich", "selectolax", "sqlalchemy", "typer", "uvloop", "warcio"}


@pytest.fixture(scope="module")
def forum() -> Iterator[str]:
    with running_forum("tables", THREADS) as url:
        yield url


@pytest.fixture(scope="module")
def crawled(forum: str, tmp_path_factory: pytest.TempPathFactory) -> thrawl.aio.Crawled:
    folder = tmp_path_factory.mktemp("crawled")
    return thrawl.crawl(forum, archive=folder / "forum.db", warc=folder / "warc", delay=0, concurrency=4)


def loaded_after(statement: str) -> set[str]:
    script = f"{statement}; import json, sys; print(json.dumps(list(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    return set(json.loads(shown))


def test_the_face_is_small_and_whole() -> None:
    assert len(thrawl.__all__) <= 15
    assert all(hasattr(thrawl, name) for name in thrawl.__all__)


def test_importing_thrawl_imports_nothing_heavy() -> None:
    assert not loaded_after("import thrawl") & HEAVY


def test_importing_thrawl_takes_no_time_in_which_ctrl_c_would_show_what_was_loaded() -> None:
    assert loaded_after("import thrawl") - loaded_after("import importlib") == {"thrawl", "thrawl._version"}


def test_calls_keep_their_names_when_the_folders_of_the_same_name_are_used() -> None:
    from thrawl.crawl.forum import ForumCrawl
    from thrawl.learn.learner import learn

    assert ForumCrawl.__module__ == "thrawl.crawl.forum"
    assert learn is not thrawl.learn
    assert callable(thrawl.learn)
    assert callable(thrawl.crawl)
    assert inspect.signature(thrawl.crawl) == inspect.signature(thrawl.api.crawl)


def test_the_insides_of_the_folders_can_be_imported_by_their_names() -> None:
    script = "import thrawl.crawl.forum as forum, thrawl.learn.learner as learner; print(forum.__name__, learner.learn)"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("thrawl.crawl.forum <function learn")


def test_a_type_checker_sees_the_calls(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    script = tmp_path / "script.py"
    script.write_text(
        'import thrawl\nreveal_type(thrawl.crawl("x").posts)\nreveal_type(thrawl.read("x", "y"))\n', encoding="utf-8"
    )
    command = [sys.executable, "-m", "mypy", f"--cache-dir={tmp_path}", "--follow-imports=silent", str(script)]
    told = subprocess.run(command, capture_output=True, text=True, cwd=Path(thrawl.__file__).parents[1]).stdout
    assert 'Revealed type is "int"' in told
    assert "PostRecord" in told


PAGE = "<html><head><title>Stiff ring</title></head><body><h1>Stiff ring</h1>" + "".join(
    f"""<div class=post id=p{number}><div class=who><a href=/u/{name}>{name}</a></div>
    <div class=when>2026-05-0{number} 12:34</div><div class=words>{words}</div></div>"""
    for number, name, words in (
        (1, "Ann", "The focus ring of my lens is stiff, and I do not know what to do about it at all."),
        (2, "Bob", "Try a drop of oil, but only a very small one, and wait for a day before you turn it."),
        (3, "Cleo", "Do not listen to Bob, oil ruins the glass; give it to somebody who knows the lens."),
    )
)


def test_one_page_is_read_without_disk_or_network() -> None:
    for html in (PAGE, PAGE.encode("latin-1")):
        posts = thrawl.read(html, "http://f.test/t/1")
        assert [post.author for post in posts] == ["Ann", "Bob", "Cleo"]
        assert posts[1].text.startswith("Try a drop of oil")
    assert thrawl.read("<p>nothing here</p>", "http://f.test/") == ()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'frobnicate'"):
        thrawl.frobnicate  # noqa: B018


def test_a_crawl_fills_an_archive_and_says_how_it_ended(crawled: thrawl.aio.Crawled) -> None:
    assert crawled.complete
    assert crawled.threads == THREADS
    with thrawl.Archive.open(crawled.archive, readonly=True) as archive:
        assert sum(1 for _ in archive.posts()) == crawled.posts


def test_what_was_learned_can_be_kept_and_used_again(forum: str, tmp_path: Path) -> None:
    said: list[str] = []
    profile = thrawl.learn(forum, delay=0, concurrency=4, say=said.append)
    assert profile.entry == forum
    assert said
    (tmp_path / "profile.json").write_text(profile.to_json(), encoding="utf-8")
    few = thrawl.crawl(forum, archive=tmp_path / "few.db", profile=tmp_path / "profile.json", max_pages=3, delay=0)
    assert few.requests == 3
    assert not few.complete


def test_posts_come_out_of_saved_pages(crawled: thrawl.aio.Crawled) -> None:
    posts = list(thrawl.extract(Path(crawled.archive).parent / "warc"))
    assert len(posts) == crawled.posts
    assert posts[0].text


async def test_plain_calls_work_where_a_loop_already_runs(crawled: thrawl.aio.Crawled, forum: str) -> None:
    again = thrawl.crawl(forum, archive=crawled.archive, delay=0, concurrency=4)
    assert again.posts == crawled.posts


async def test_the_same_calls_can_be_awaited(crawled: thrawl.aio.Crawled, forum: str, tmp_path: Path) -> None:
    with thrawl.Archive.open(crawled.archive, readonly=True) as archive:
        (kept,) = archive.forums()
    assert kept.profile is not None
    profile = thrawl.Profile.from_json(kept.profile)
    few = await thrawl.aio.crawl(forum, archive=tmp_path / "few.db", profile=profile, max_pages=2, delay=0)
    assert few.requests == 2
    posts = [post async for post in thrawl.aio.extract([Path(crawled.archive).parent / "warc"], profile=profile)]
    assert len(posts) == crawled.posts


async def test_errors_reach_the_caller_through_the_thread(tmp_path: Path) -> None:
    with pytest.raises(thrawl.ThrawlError, match="no file or folder"):
        list(thrawl.extract(tmp_path / "missing"))


def test_stopping_a_notebook_stops_the_work(forum: str) -> None:
    """Its loop has no handler of its own for SIGINT; the work is asked to stop as soon as it begins."""
    script = (
        "import asyncio, os, signal, threading, thrawl\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell may have started us deaf to it
        "async def cell():\n"
        f"    thrawl.learn({forum!r}, delay=1, say=lambda _: os.kill(os.getpid(), signal.SIGINT))\n"
        "try:\n"
        "    asyncio.new_event_loop().run_until_complete(cell())\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', threading.active_count())\n"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=240).stdout
    assert shown == "stopped 1\n"


def test_a_misspelt_option_is_named() -> None:
    with pytest.raises(TypeError, match="no such option: dealy"):
        thrawl.learn("http://127.0.0.1:9/", dealy=2)  # type: ignore[call-arg]  # that is the point


def test_the_example_of_saved_pages_runs(crawled: thrawl.aio.Crawled) -> None:
    warc = Path(crawled.archive).parent / "warc"
    command = [sys.executable, str(Path(__file__).parents[1] / "examples" / "saved_pages.py"), str(warc)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert shown.count("\n1. ") == THREADS
