"""Figures that were reckoned once and hold until something is written: the summary, and the facts of each forum.

To reckon them means to look at every post, seconds on a large archive. They are kept as JSON in a table of their own,
which every transaction that writes empties: what stands there is true, and what does not is reckoned anew. Nothing
here needs the libraries that write an archive, so that a look at the figures (`glance`) does not wait for them.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

from thrawl.archive.facts import BoardFacts, Facts, FailureFacts, ListFacts, Numbers, Phrase, Voices, Wordings
from thrawl.archive.values import FailureKind, PageState, Promise, Stray, Summary
from thrawl.page.pagekind import PageKind

FORMAT: Final = 4
"""Part of every name: what another Thrawl kept in another form is not found."""
SUMMARY: Final = f"summary {FORMAT}"
KEPT: Final = "SELECT value FROM reckoned WHERE name = "
FORGET: Final = "DELETE FROM reckoned WHERE name <> ''"  # without a condition SQLite would write an empty table anew

FORGET_SUMMARY: Final = "DELETE FROM reckoned WHERE name LIKE 'summary %'"
"""For what changes no facts: files of posts count in the summary alone."""


def facts_name(forum_id: int) -> str:
    return f"facts {FORMAT} {forum_id}"


def as_text(figures: Summary | Facts) -> str:
    return json.dumps(asdict(figures), ensure_ascii=False, separators=(",", ":"))


def summary_from(text: str) -> Summary:
    plain: dict[str, Any] = json.loads(text)
    pairs = {name: _pairs(plain[name]) for name in ("requests", "failures", "refusals", "media")}
    pages = tuple((PageKind(kind), PageState(state), number) for kind, state, number in plain["pages"])
    return Summary(**{**plain, **pairs, "pages": pages})


def facts_from(text: str) -> Facts:
    plain: dict[str, Any] = json.loads(text)
    read = {
        "replies": _pairs(plain["replies"]),
        "lengths": _pairs(plain["lengths"]),
        "fullest": _pairs(plain["fullest"]),
        "unfollowed_threads": tuple(plain["unfollowed_threads"]),
        "boards": tuple(BoardFacts(**one) for one in plain["boards"]),
        "lists": tuple(ListFacts(**one) for one in plain["lists"]),
        "failures": tuple(map(_failure, plain["failures"])),
        "promises": tuple(Promise(**one) for one in plain["promises"]),
        "strays": tuple((where, Stray(**stray)) for where, stray in plain["strays"]),
        "forbidden": tuple(plain["forbidden"]),
        "lost": tuple(plain["lost"]),
        "people": tuple(plain["people"]),
        "listed_people": tuple(plain["listed_people"]),
        "row_voices": Voices(**plain["row_voices"]),
        "quote_voices": Voices(**plain["quote_voices"]),
        "wordings": _wordings(plain["wordings"]),
        "numbers": Numbers(**plain["numbers"]),
    }
    return Facts(**{**plain, **read})


def _pairs(plain: list[list[Any]]) -> tuple[Any, ...]:
    return tuple(map(tuple, plain))


def _wordings(plain: dict[str, Any]) -> Wordings:
    return Wordings(**{**plain, "beginning": Phrase(**plain["beginning"]), "end": Phrase(**plain["end"])})


def _failure(plain: dict[str, Any]) -> FailureFacts:
    return FailureFacts(PageKind(plain["kind"]), FailureKind(plain["failure"]), plain["number"], plain["sample"])
