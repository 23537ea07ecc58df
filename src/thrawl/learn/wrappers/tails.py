"""Lines with which nearly all posts of a site end: they are the template's, wherever they stand in the markup.

Pages that print everything as one text have no element for the links below a post.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from thrawl.profile.content import form_of

_LEAST: Final = 8  # posts; fewer may all end with the same greeting
_NEARLY_ALL: Final = 0.75  # of them: some are cut with what follows the last post of their page
_WORDS: Final = 2  # of a form that is no greeting


def common_tails(texts: Iterable[str]) -> frozenset[str]:
    """The form of the last lines, numbers left out, if nearly all of some posts end with it."""
    lines = [text.rpartition("\n")[2] for text in texts if "\n" in text]
    form, count = Counter(form_of(line, ()) for line in lines).most_common(1)[0] if lines else ("", 0)
    usual = count >= max(_LEAST, _NEARLY_ALL * len(lines)) and len(form.split()) >= _WORDS
    return frozenset({form}) if usual else frozenset()
