"""`thrawl classify`: the type of saved or live pages, with its confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from thrawl import loops
from thrawl.cli.asking import Delay, Proxy
from thrawl.crawl.workers import WorkerPool, worker_pool
from thrawl.errors import FetchError, InputError, PageError, ThrawlError
from thrawl.harmless import json_line, one_line
from thrawl.learn.classifier import PageClassifier, Verdict
from thrawl.limits import DEFAULT_DELAY_SECONDS, MAX_BODY_BYTES
from thrawl.net.charset import charset_of
from thrawl.net.client import Client
from thrawl.net.message import Request
from thrawl.net.options import ClientOptions

_NO_ADDRESS: Final = "http://page.invalid/"
_FAILED: Final = 1


@dataclass(frozen=True, slots=True)
class Source:
    """A page to classify: what the user called it, its address and its HTML, or why it could not be had."""

    name: str
    url: str
    html: str
    fetched: datetime | None = None
    error: ThrawlError | None = None


def classify(
    sources: Annotated[list[str], typer.Argument(help="Saved pages or URLs.", metavar="FILE_OR_URL...")],
    url: Annotated[str | None, typer.Option(help="The address that saved pages came from.", metavar="URL")] = None,
    model: Annotated[Path | None, typer.Option(help="A model of `thrawl train`.", metavar="FILE")] = None,
    proxy: Proxy = None,
    delay: Delay = DEFAULT_DELAY_SECONDS,
    as_json: Annotated[bool, typer.Option("--json", help="Print one object a line.")] = False,
) -> None:
    """Say of each page whether it is an index page, a thread page or another."""
    classifier = PageClassifier.load(model)
    if not loops.run(_classify(load(sources, url, proxy, delay), classifier, as_json)):
        raise typer.Exit(_FAILED)


async def _classify(sources: Sequence[Source], classifier: PageClassifier, as_json: bool) -> bool:
    """Print the type of each page, or why there is none; whether all have one."""
    failed = False
    async with worker_pool() as workers:
        for source in sources:
            try:
                _print(source.name, await _judge(classifier, source, workers), as_json)
            except (PageError, FetchError, InputError) as error:
                failed = True
                typer.echo(f"thrawl: {one_line(source.name)}: {error}", err=True)
    return not failed


def load(names: Sequence[str], url: str | None, proxy: str | None, delay: float) -> list[Source]:
    """Read the files and fetch the URLs among the names, in their order."""
    wanted = [name for name in names if _is_url(name)]
    fetched = loops.run(_fetch(wanted, proxy, delay)) if wanted else {}
    return [fetched[name] if _is_url(name) else _saved(name, url) for name in names]


def _is_url(name: str) -> bool:
    return name.lower().startswith(("http://", "https://"))


def _saved(name: str, url: str | None) -> Source:
    try:
        with Path(name).open("rb") as file:
            body = file.read(MAX_BODY_BYTES)
    except OSError as error:
        reason = InputError(f"the file cannot be read: {error.strerror or error}")
        return Source(name, url or _NO_ADDRESS, "", error=reason)
    return Source(name, url or _NO_ADDRESS, body.decode(charset_of(body), errors="replace"))


async def _fetch(urls: Sequence[str], proxy: str | None, delay: float) -> dict[str, Source]:
    found: dict[str, Source] = {}
    for url in urls:
        options = ClientOptions(start_url=url, proxy=proxy, delay=delay)
        async with Client(options) as client:
            try:
                response = await client.fetch(Request(url))
            except FetchError as error:
                found[url] = Source(url, url, "", error=error)
            else:
                found[url] = Source(url, response.url, response.text, response.fetched)
    return found


async def _judge(classifier: PageClassifier, source: Source, workers: WorkerPool) -> Verdict:
    if source.error is not None:
        raise source.error
    return classifier.classify(await workers.page(source.html, source.url, source.fetched))


def _print(name: str, verdict: Verdict, as_json: bool) -> None:
    if as_json:
        row = {"source": name, "type": verdict.type, "confidence": round(verdict.confidence, 4)}
        typer.echo(json_line(row))
    else:
        typer.echo(f"{verdict.type:6}  {verdict.confidence:4.0%}  {one_line(name)}")
