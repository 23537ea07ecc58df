"""Exports that are more than rows of a table: a static site, and a web archive of what was fetched."""

from __future__ import annotations

from pathlib import Path

from thrawl.archive.export import whole_folder
from thrawl.archive.export_rows import Wanted
from thrawl.archive.mediastore import MediaStore
from thrawl.archive.store import Archive
from thrawl.web.redirects import Server, write_redirects
from thrawl.web.static import MARK, write_site


def export_site(
    archive: Archive, output: Path, wanted: Wanted, store: MediaStore | None, redirects: Server | None = None
) -> int:
    """Write the archive as a static site into a folder of that name; the number of posts."""
    with whole_folder(output, MARK) as folder:
        written = write_site(archive, folder, wanted, store)
        if redirects is not None:
            write_redirects(archive, folder, redirects)
    return written
