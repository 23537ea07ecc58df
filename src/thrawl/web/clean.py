"""The border that strangers' markup passes: what comes out can be read and run nowhere.

nh3 (a browser's parser, and a list of what is allowed) does the cleaning. Its output is regular, so that pictures and
links are then changed tag by tag: pictures come from the archive's own store or not at all, links into the forum lead
into the archive, and links elsewhere tell nobody where the reader came from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Final
from urllib.parse import urlsplit

import nh3
from markupsafe import Markup

from thrawl.archive.media import MediaState, PostFile
from thrawl.archive.mediatypes import is_shown
from thrawl.page.pictures import address_of
from thrawl.web.links import Links

_TAGS: Final = frozenset(
    "a abbr b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption "
    "figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strike strong sub "
    "summary sup table tbody td tfoot th thead time tr tt u ul var wbr".split()
)
# Whose words are no words of a post either.
_SILENT: Final = frozenset("script style iframe object embed noscript template title textarea select svg math".split())
_ATTRIBUTES: Final = {
    "*": {"lang", "dir"},
    "a": {"href"},
    "img": {"src", "srcset", "alt", "width", "height"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "ol": {"start"},
    "time": {"datetime"},
}
_CLEANER: Final = nh3.Cleaner(
    tags=set(_TAGS),
    clean_content_tags=set(_SILENT),
    attributes=_ATTRIBUTES,
    url_schemes={"http", "https", "mailto", "data"},
    link_rel="nofollow noopener noreferrer",
)
# nh3 writes every attribute in double quotes, and every < of a text as &lt;
_TAG: Final = re.compile(r'<(img|a)((?: [\w:-]+="[^"]*")*)>')
_ATTRIBUTE: Final = re.compile(r' ([\w:-]+)="([^"]*)"')
_DATA_PICTURE: Final = re.compile(r"data:image/(?:png|gif|jpeg|webp|avif);base64,[A-Za-z0-9+/=\s]+")
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)
_SIZE: Final = re.compile(r"[1-9]\d{0,3}")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the markup of posts is read against: their files, threads of the archive, and where links lead."""

    links: Links
    files: Mapping[str, PostFile] = field(default_factory=dict)
    threads: Mapping[str, int] = field(default_factory=dict)


def clean(html: str, text: str, base: str, around: Surroundings) -> Markup:
    """The markup of a post, harmless; its words where there is no markup left."""
    cleaned = _CLEANER.clean(html)
    if "<img" in cleaned or "<a" in cleaned:
        cleaned = _TAG.sub(lambda found: _changed(found, base, around), cleaned)
    if not cleaned.strip():
        cleaned = f"<p>{escape(text)}</p>"
    return Markup(cleaned)


def hrefs(html: str) -> Iterator[str]:
    """The addresses that links of the markup name, without their fragments."""
    for found in re.finditer(r'<a [^>]*?href="([^"]+)"', html):
        yield unescape(found[1]).partition("#")[0]


def safe_link(url: str | None) -> str | None:
    """An address that may stand in a link: one of the web, and none of a script."""
    return url if url and _WEB.match(url) else None


def _changed(found: re.Match[str], base: str, around: Surroundings) -> str:
    attributes = {name: unescape(value) for name, value in _ATTRIBUTE.findall(found[2])}
    return _picture(attributes, base, around) if found[1] == "img" else _link(attributes, around)


def _picture(attributes: Mapping[str, str], base: str, around: Surroundings) -> str:
    source, alt = attributes.get("src", ""), attributes.get("alt", "")
    if _DATA_PICTURE.fullmatch(source):
        return _img(source, attributes)
    url = address_of(source, attributes.get("srcset"), base)
    file = None if url is None else around.files.get(url)
    if file is not None and file.sha256 is not None and is_shown(file.type):
        return _img(around.links.media(file.sha256, file.type), attributes)
    shown = alt or (url or "").rpartition("/")[2] or "picture"
    return f'<span class="missing" title="{escape(url or "")}">{escape(shown)} ({escape(_why(file))})</span>'


def _why(file: PostFile | None) -> str:
    if file is None:
        return "picture not kept"
    if file.state is MediaState.KEPT:
        return "a file that is not shown here; see below"
    return f"picture missing: {file.failure or 'not fetched yet'}"


def _img(source: str, attributes: Mapping[str, str]) -> str:
    sizes = "".join(
        f' {name}="{attributes[name]}"' for name in ("width", "height") if _SIZE.fullmatch(attributes.get(name, ""))
    )
    return f'<img src="{escape(source)}" alt="{escape(attributes.get("alt", ""))}"{sizes} loading="lazy">'


def _link(attributes: Mapping[str, str], around: Surroundings) -> str:
    target = attributes.get("href", "")
    url = target.partition("#")[0]
    file = around.files.get(url)
    if file is not None and file.sha256 is not None:
        saved = "" if is_shown(file.type) else f' download="{escape(file_name(file))}"'
        return f'<a href="{escape(around.links.media(file.sha256, file.type))}"{saved}>'
    thread = around.threads.get(url)
    if thread is not None:
        return f'<a href="{escape(around.links.thread(thread))}">'
    if target[:5].lower() == "data:" or not target:
        return "<a>"
    return f'<a href="{escape(target)}" rel="nofollow noopener noreferrer">'


def file_name(file: PostFile) -> str:
    """The name under which a reader saves a file: one name, not a path."""
    name = file.name or urlsplit(file.url).path
    last = re.split(r"[/\\]", name.strip())[-1]
    return "".join(char for char in last if char.isprintable()).strip(". ") or "file"
