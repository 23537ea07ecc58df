"""Subjects of letters: an answer repeats that of the letter it answers, behind a mark ("Re:", "AW:", "SV[2]:").

No language's marks are listed: a short word with a colon is one. A title that begins so by chance is taken for an
answer's, which only means that what it leads to is asked for later.
"""

from __future__ import annotations

import re
from typing import Final

_MARKS: Final = re.compile(r"(?:\w{1,4}(?:[\[(]\d+[\])])?\s?[:：]\s*)+(?=\S)")
# lists may say behind a title when its letter was written, and the last answer to it; in few words, so that no title
# takes long to read
_WHEN: Final = re.compile(r"(?:\s?\([^()]{0,40}\d[/.-]\d{1,2}[/.-]\d[^()]{0,40}\))+\Z")
_AROUND: Final = " \t\"'“”„«».,!…()[]"
_OPENING: Final = ('"', "“", "„", "«", "'", ":", "：")
_LEAST: Final = 3  # letters of a subject that say something


def is_answer(title: str) -> bool:
    """Whether a title is that of an answer."""
    return _MARKS.match(title.strip(_AROUND)) is not None


def undated(title: str) -> str:
    """A title without the times that a list says behind it, in brackets."""
    return _WHEN.sub("", title.rstrip())


def subject_of(title: str) -> str:
    """The words that all letters of a thread share in their titles; nothing where they are too few."""
    whole = title.strip()
    mark = _MARKS.match(whole.lstrip(_AROUND))
    words = _plain(whole.lstrip(_AROUND)[mark.end() :] if mark else whole)
    return words if sum(map(str.isalnum, words)) >= _LEAST else ""


def names(words: str, subject: str) -> bool:
    """Whether a link names a letter of this subject: alone, behind a mark, or behind the name of its writer."""
    said = _plain(words)
    if not subject or not said.endswith(subject):
        return False
    before = said[: len(said) - len(subject)].rstrip()
    return not before or before.endswith(_OPENING)


def _plain(text: str) -> str:
    return " ".join(undated(text).casefold().split()).strip(_AROUND)
