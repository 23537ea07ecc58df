"""Where a saved file stood on the web, by its place on the disk: mirrors as wget makes them.

wget puts a site into a folder named after its host and a page into a file named after its path and query
(`forum.example/page.php?id=5`), with `@` for `?` where the disk wants it, and with `.html` behind it where it was
asked to (`--adjust-extension`). Whether that was so, the links of the pages tell: they do not end like that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thrawl.net.url import BadUrl, normal_url

_PAGE_ENDS: Final = (".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".cgi")
_HOST: Final = re.compile(
    r"(?:[a-z0-9-]+\.)+[a-z]{2,24}(?::\d+)?|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|localhost(?::\d+)?", re.I
)
_QUERY: Final = re.compile(r"(\.(?:html?|xhtml|php|aspx?|cgi)|/)@", re.IGNORECASE)
_ADDED: Final = re.compile(r"(?:(\.(?:php|aspx?|cgi))|([?@].*))\.html\Z", re.IGNORECASE)
_HREF: Final = re.compile(rb"<a\b[^>]*\bhref=[\"']?([^\"'\s>#?]+)", re.IGNORECASE)
_MARKUP: Final = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_HEAD_BYTES: Final = 64 * 1024
_LOOKED_AT: Final = 20  # files whose links are read; they tell of all
_FEW: Final = 0.1  # share of links that end in .html although files were given that ending


@dataclass(frozen=True, slots=True)
class SavedFolder:
    """A folder of saved pages: the host that it is named after, and whether its files got endings of their own."""

    host: str | None
    endings_added: bool

    @classmethod
    def of(cls, path: Path, files: Sequence[Path]) -> SavedFolder:
        name = path.resolve().name if path.is_dir() else ""
        return cls(name.lower() if _HOST.fullmatch(name) else None, _endings_added(files))

    def url_of(self, inside: str) -> str | None:
        """The address of a file by its place; None where the folder is not named after a host."""
        if self.host is None or not inside:
            return None
        path = self.path_of(inside)
        # wget calls what a folder's address shows index.html.
        folder = path.removesuffix("index.html") if f"/{path}".endswith("/index.html") else path
        try:
            return normal_url(f"http://{self.host}/{folder}")
        except BadUrl:
            return None

    def path_of(self, inside: str) -> str:
        """Path and query of a file by its name."""
        name = _ADDED.sub(lambda found: found[1] or found[2], inside)
        if name == inside and self.endings_added and not inside.endswith("index.html"):
            name = inside.removesuffix(".html")
        return _QUERY.sub(r"\1?", name, count=1).replace("#", "%23")


def folders_of_hosts(path: Path) -> list[Path]:
    """The folders of hosts in a folder where wget was called, which makes one for each, and the folder itself."""
    if not path.is_dir() or _HOST.fullmatch(path.resolve().name):
        return [path]
    return [*(one for one in sorted(path.iterdir()) if one.is_dir() and _HOST.fullmatch(one.name)), path]


def is_page(file: Path) -> bool:
    """Whether a file of a folder is a page: by its name, or by how it begins."""
    if file.name.partition("?")[0].lower().endswith(_PAGE_ENDS) or _ADDED.search(file.name):
        return True
    try:
        return _MARKUP.match(start_of(file, 1024)) is not None
    except OSError:
        return False


def start_of(file: Path, most: int) -> bytes:
    with file.open("rb") as opened:
        return opened.read(most)


def _endings_added(files: Sequence[Path]) -> bool:
    """Whether files end in .html although the pages hardly link to such addresses."""
    if not any(file.suffix == ".html" for file in files):
        return False
    hrefs: list[bytes] = []
    for file in files[:_LOOKED_AT]:
        try:
            hrefs += _HREF.findall(start_of(file, _HEAD_BYTES))
        except OSError:
            continue
    return bool(hrefs) and sum(href.lower().endswith(b".html") for href in hrefs) < _FEW * len(hrefs)
