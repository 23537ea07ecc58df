"""A web archive as one file (WACZ 1.1.1) out of the WARC files of a crawl: it opens in ReplayWeb.page and pywb.

The `wacz` package makes it; what is added here is the list of pages: every thread and board that the archive knows,
with its title, so that a reader finds them without searching.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from thrawl.archive.export import whole_file
from thrawl.archive.store import Archive
from thrawl.archive.values import PageState, StoredPage
from thrawl.errors import ArchiveError, InputError, UsageError
from thrawl.page.pagekind import PageKind

# In a process of its own: it prints its progress, and leaves files open.
_MAKER: Final = (sys.executable, "-m", "thrawl.web.wacz")


def export_wacz(archive: Archive, output: Path, warc: Path | None) -> int:
    """Write a WACZ file of the WARC files in a folder; the number of pages that it lists."""
    if warc is None:
        raise UsageError("--format wacz is made of WARC files: add --warc DIR, the folder that the crawl kept them in.")
    files = sorted(path for path in warc.glob("*.warc*") if path.is_file())
    if not files:
        raise InputError(f"{warc} holds no WARC files; crawl with --warc {warc} first.")
    if find_spec("wacz") is None:
        raise UsageError("--format wacz needs the wacz package: pip install 'thrawl[wacz]'")
    with tempfile.TemporaryDirectory(prefix="thrawl-wacz-") as folder:
        pages, made = Path(folder, "pages.jsonl"), Path(folder, "made.wacz")
        count = _write_pages(archive, pages)
        title = ", ".join(forum.host for forum in archive.forums()) or "An archive"
        arguments = ["create", "-o", str(made), "-p", str(pages), "--title", title]
        done = subprocess.run([*_MAKER, *arguments, *map(str, files)], stdout=subprocess.DEVNULL)
        if done.returncode or not made.exists():
            raise ArchiveError(f"{output} could not be made of the WARC files in {warc}; check them with warcio check.")
        with whole_file(output) as out, made.open("rb") as source:
            while block := source.read(1 << 20):
                out.write(block)
    return count


def _write_pages(archive: Archive, path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps({"format": "json-pages-1.0", "id": "pages", "title": "Threads and boards"}) + "\n")
        for page in _pages(archive):
            file.write(json.dumps(page, ensure_ascii=False) + "\n")
            count += 1
    return count


def _pages(archive: Archive) -> Iterator[dict[str, Any]]:
    """The entry pages, and the first pages of boards and threads by their own addresses, with their titles.

    Other forms of them, and pages that are neither, are in the file and not in the list.
    """
    titles = {board.url: board.title for board in archive.boards() if board.url}
    for page in archive.pages():
        if page.state is not PageState.DONE or page.status != 200 or page.fetched is None or page.page_number != 1:
            continue
        title = _title(archive, page, titles)
        if title is not None:
            yield {"url": page.url, "title": title, "ts": _moment(page.fetched)}


def _title(archive: Archive, page: StoredPage, boards: Mapping[str, str]) -> str | None:
    """What a page is called in the list; None for one that does not belong there."""
    if page.kind is PageKind.ENTRY:
        return boards.get(page.url) or page.url
    if page.kind is PageKind.THREAD:
        thread = archive.thread(page.url)
        return None if thread is None or (page.list_url or page.url) != page.url else thread.title or page.url
    return boards.get(page.url)


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    from wacz.main import main

    sys.exit(main())
