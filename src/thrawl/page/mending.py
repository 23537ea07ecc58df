"""Pages that would vanish if they were read as browsers do: elements of raw text that never end.

HTML knows no self-closed `<script/>`: all that follows, up to the end tag of another script, would be its text. Tools
that save pages as XML write it so, and `<title/>`, `<textarea/>`, `<iframe/>`; other pages forget an end tag or
the end of a comment, and their last word would be a title. People's tools read such pages as they were meant. So do
these few lines, before the parser sees the page: only elements whose text hides markup are mended, in one pass.

A page of frames shows other pages, and hides what it says to who has no frames. Here nobody has: frames are links.

A script that stands where a post shows its time, and whose one call names an instant, writes that time: so it is one.
"""

from __future__ import annotations

import re
from typing import Final

HIDING: Final = ("script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp", "a")
"""Elements that hide what follows where they are written as if they were empty; a link swallows it."""
_HIDING: Final = "|".join(HIDING)
_MEANT_EMPTY: Final = re.compile(rf"<(?:{_HIDING})\b[^<>]*/>", re.IGNORECASE)
# no bracket stands inside, not even in quotes: so a search never looks at a character twice
_OPENED: Final = re.compile(rf"<!--|<({_HIDING})(?=[\s/>])([^<>]*)>", re.IGNORECASE)
# raw text that belongs to one line or one field: without its end it is taken to end where the next tag begins
_SHORT: Final = frozenset({"title", "textarea"})
_FRAMESET: Final = re.compile(r"</?(?:frameset|noframes)(?=[\s/>])[^<>]*>", re.IGNORECASE)
_FRAME: Final = re.compile(r"<frame(?=[\s/>])[^<>]*>", re.IGNORECASE)
_SOURCE: Final = re.compile(r"""\ssrc\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+)""", re.IGNORECASE)
_NAMED: Final = re.compile(r"""\s(?:title|name)\s*=\s*["']?([^"'<>\s]+)""", re.IGNORECASE)


# one call and nothing else, with one number that is as long as the seconds since 1970, or their thousandths
_OTHERS: Final = r"[^<>\d]*(?:\d{1,9}\b[^<>\d]*)*"
_WRITTEN: Final = re.compile(
    rf"<script[^<>]*>\s*[\w.$]+\((?=[^<>]{{10,200}}</){_OTHERS}\b(\d{{10}})(?:\d{{3}})?\b{_OTHERS}\)[\s;]*</script>"
)


def with_written_times(html: str) -> str:
    """The page with the times that its scripts would write."""
    pieces: list[str] = []
    done, at = 0, html.find("<script")  # to look for scripts alone is ten times faster than by the pattern
    while at >= 0:
        found = _WRITTEN.match(html, at)
        if found is not None:
            pieces += (html[done:at], f'<time datetime="{found[1]}"></time>')
            done = found.end()
        at = html.find("<script", at + 1)
    return "".join((*pieces, html[done:])) if pieces else html


def mended(html: str) -> str:
    """The page with an end for every element that would hide the rest of it."""
    if _MEANT_EMPTY.search(html) is None and not _lacks_an_end(html):
        return html
    ends = _Ends(html)
    pieces: list[str] = []
    done = at = 0
    while (found := _OPENED.search(html, at)) is not None:
        at = found.end()
        name = (found[1] or "").lower()
        stop = _missing_end(html, found, name, ends)
        if stop is not None:
            pieces += (html[done:stop], f"</{name}>" if name else "--")
            done = at = stop
        elif name != "a":
            end = ends.after(f"</{name}" if name else "-->", at)
            at = end if end >= 0 else len(html)
    pieces.append(html[done:])
    return "".join(pieces)


def unframed(html: str) -> str:
    """A page of frames as one without: what it says to readers who have none, and a link to each of its frames."""
    if _FRAMESET.search(html) is None:
        return html
    return _FRAME.sub(_linked, _FRAMESET.sub("", html))


def _linked(frame: re.Match[str]) -> str:
    source = _SOURCE.search(frame[0])
    named = _NAMED.search(frame[0])
    return f"<p><a href={source[1]}>{named[1] if named else ''}</a></p>" if source else ""


class _Ends:
    """Where end tags stand; each part of the page is searched once for each."""

    def __init__(self, html: str) -> None:
        self._html = html.translate(_LOWER)
        self._next: dict[str, int] = {}

    def after(self, end: str, at: int) -> int:
        """The next place of an end, -1 if there is none any more."""
        known = self._next.get(end, 0)
        if 0 <= known < at:
            known = self._next[end] = self._html.find(end, at)
        return known


def _missing_end(html: str, found: re.Match[str], name: str, ends: _Ends) -> int | None:
    """Where an element has to end that its page leaves open; None if it ends by itself."""
    at = found.end()
    if name == "a":
        return at if found[2].endswith("/") and "href" not in found[2].lower() else None
    end = ends.after(f"</{name}" if name else "-->", at)
    if name and found[2].endswith("/"):
        return None if end >= 0 and html.find("<", at) == end else at
    if end >= 0 or not (name in _SHORT or not name):
        return None
    # as old browsers did: a comment without its end is one tag long
    stop = html.find("<", at) if name else html.find(">", at)
    return stop if stop >= 0 else len(html)


def _lacks_an_end(html: str) -> bool:
    """Whether the page may leave open what hides the rest: counted the cheap way."""
    if html.count("<!--") > html.count("-->"):
        return True
    return any(html.count(f"<{name}") > html.count(f"</{name}>") for name in _SHORT)


_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
