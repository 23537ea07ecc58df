"""The tags of a page as lexbor writes it out again: in that one spelling they can be read by a single pattern.

Walking the parser's own nodes costs a handful of Python objects each. Written out by the parser, every tag is closed,
every attribute quoted and every bracket in text escaped, so one pattern parts a page into tags and texts; and as pages
of a site repeat the same tags, each is looked at once.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

Act = Literal["open", "empty", "close", "silent", "raw", "skip"]

INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike"
    " strong sub sup time tt u var wbr".split()
)
IN_HEAD: Final = ("title", "base", "link", "meta")
NO_ATTRIBUTES: Final[dict[str, str]] = {}
SILENT: Final = frozenset({"template", "head", "svg", "math"})
SKIPPED: Final = frozenset({"script", "style"})
RAW: Final = frozenset({"xmp", "iframe", "noembed", "noframes", "plaintext"})
VOID: Final = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
# What stands in raw elements and in comments is taken together with its tag: brackets are not escaped there.
TAG: Final = re.compile(
    r"<(!--.*?--|(?:" + "|".join(f"{name}(?=[ >]).*?</{name}" for name in sorted(SKIPPED | RAW)) + r")|[^>]*)>",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(r'(=?[^ =]*)="([^"]*)"')
_MOST_KEPT: Final = 16_384  # tags as written, a few MB; then all are forgotten and met anew
_MOST_MET: Final = 65_536  # their hashes, to keep only what comes back
_LONGEST_KEPT: Final = 400  # characters; longer tags hold addresses of their own, and do not come back


Tag = tuple[Act, str, dict[str, str], bool, bool]
"""What a tag does to the tree, its name and attributes, and whether white space before and after it parts words.

A plain tuple: a thousand of them are taken apart for each page.
"""


class _KnownTags(dict[str, Tag]):
    """Tags by what stands between their brackets; one that is missing is read.

    A page's tags are nine in ten those of every page, the rest its own (links, numbers of posts) and never met again.
    So a tag is kept when it comes for the second time: a table of those that come once is only slow to look through.
    """

    def __init__(self) -> None:
        self._met: set[int] = set()

    def __missing__(self, written: str) -> Tag:
        tag = read_tag(written)
        met = hash(written)
        if met not in self._met:
            if len(self._met) >= _MOST_MET:
                self._met.clear()
            self._met.add(met)
        elif len(written) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[written] = tag
        return tag


def unescaped(text: str) -> str:
    """The text behind the escapes that lexbor writes."""
    if "&" not in text:
        return text
    text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\xa0").replace("&quot;", '"')
    return text.replace("&amp;", "&")


def raw_text(written: str) -> str:
    """What stands in a raw element."""
    return written.partition(">")[2].rpartition("</")[0]


def read_tag(written: str) -> Tag:
    if written[0] == "!":
        is_comment = written.startswith("!--")
        return "skip", "", NO_ATTRIBUTES, is_comment, is_comment
    if written[0] == "/":
        return "close", written[1:], NO_ATTRIBUTES, False, written[1:] in INLINE
    if ">" in written:
        written = written.partition(">")[0]
    first, *rest = written.split('"')
    name, attribute = _start(first)
    own = _attributes(attribute, rest) if rest else NO_ATTRIBUTES
    if own is None:
        name, _, behind = written.partition(" ")
        own = {key: unescaped(value) for key, value in _ATTRIBUTE.findall(behind)}
    act, inline, joins_after = _nature(name)
    return act, name, own, inline, joins_after


def _attributes(name: str, pieces: list[str]) -> dict[str, str] | None:
    """The attributes behind the first one's name, parted at quotes; None where a quote stands in a name, too."""
    own = {}
    values = iter(pieces)
    for value in values:
        if not name:
            return None
        own[name] = unescaped(value) if "&" in value else value
        name = _next_name(next(values, ""))
    return own


@lru_cache(maxsize=1024)
def _start(written: str) -> tuple[str, str]:
    """The name of a tag and of its first attribute, of `a href=`."""
    name, _, rest = written.partition(" ")
    return name, _next_name(" " + rest)


@lru_cache(maxsize=1024)
def _next_name(written: str) -> str:
    """The name of an attribute, of ` href=`; empty where there is none."""
    return written[1:-1] if written[:1] == " " and written[-1:] == "=" else ""


@lru_cache(maxsize=1024)
def _nature(name: str) -> tuple[Act, bool, bool]:
    inline = name in INLINE
    if name in VOID:
        return "empty", inline, inline
    if name in SKIPPED:
        return "skip", False, False
    return "silent" if name in SILENT else "raw" if name in RAW else "open", inline, False


TAGS: Final = _KnownTags()
