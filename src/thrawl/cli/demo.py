"""`thrawl demo`: a forum on this machine, crawled before your eyes; no network needed."""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path
from typing import Final

import typer

from thrawl.archive.export import Format, Wanted, What, export
from thrawl.archive.mediastore import store_for
from thrawl.archive.store import Archive
from thrawl.archive.values import StoredPost, StoredThread
from thrawl.cli.again import Order
from thrawl.cli.crawl import run_crawl
from thrawl.crawl.options import CrawlOptions
from thrawl.lab.server import running_forum
from thrawl.learn.tell.explain import explain
from thrawl.net.options import ClientOptions
from thrawl.profile.profile import Profile
from thrawl.web.export import export_site

_THREADS: Final = 80
_SHOWN_THREADS: Final = 3
_SHOWN_POSTS: Final = 3
_SHOWN_CHARS: Final = 100


def demo() -> None:
    """Start the built-in forum on this machine and crawl it: no network needed."""
    folder = Path(tempfile.mkdtemp(prefix="thrawl-demo-"))
    location = folder / "forum.db"
    with running_forum(threads=_THREADS) as url:
        typer.echo(f"A made-up forum of {_THREADS} threads runs at {url}; crawling it.\n")
        client = ClientOptions(start_url=url, delay=0, concurrency=4, use_environment_proxies=False)
        status = run_crawl(Order(url, str(location), client, CrawlOptions(concurrency=4)), as_json=False)
    if status:
        raise typer.Exit(status)
    with Archive.open(location, readonly=True) as archive:
        _tell_learned(archive)
        _tell_threads(archive)
        _export(archive, folder)
    _tell_what_next(folder, location)


def _tell_learned(archive: Archive) -> None:
    typer.echo("\nWhat was learned of the site:")
    for forum in archive.forums():
        if forum.profile is not None:
            for line in explain(Profile.from_json(forum.profile)):
                typer.echo(f"  {line}")


def _tell_threads(archive: Archive) -> None:
    typer.echo("\nA few of its threads:")
    longest = sorted(archive.threads(), key=lambda thread: -(thread.replies or 0))
    for thread in longest[:_SHOWN_THREADS]:
        typer.echo(f"  {_heading(thread)}")
        for post in islice(archive.posts(thread_id=thread.id), _SHOWN_POSTS):
            typer.echo(f"    {_line(post)}")


def _heading(thread: StoredThread) -> str:
    path = " > ".join(thread.board)
    return f"{path}: {thread.title}" if path else str(thread.title)


def _line(post: StoredPost) -> str:
    words = " ".join(post.text.split())
    cut = words if len(words) <= _SHOWN_CHARS else words[:_SHOWN_CHARS].rsplit(" ", 1)[0] + " …"
    when = f"{post.published:%Y-%m-%d %H:%M}" if post.published else "some day"
    return f"{post.position}. {post.author}, {when}: {cut}"


def _export(archive: Archive, folder: Path) -> None:
    count = export(archive, What.POSTS, Format.JSONL, folder / "posts.jsonl")
    export_site(archive, folder / "html", Wanted(), store_for(str(folder / "forum.db")))
    typer.echo(f"\n{count} posts exported to {folder / 'posts.jsonl'} and, to read in a browser, {folder / 'html'}")


def _tell_what_next(folder: Path, location: Path) -> None:
    typer.echo(
        "\nWhere to look next:\n"
        f"  thrawl status {location}\n"
        f"  thrawl search {location} compass\n"
        f"  open {folder / 'html' / 'index.html'}\n"
        "  thrawl crawl https://a-forum-you-care-about.example/"
    )
