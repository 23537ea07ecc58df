"""The profile: all that Thrawl learned of one site, as one JSON file that a person can read and edit.

Loading it is all that a crawl needs: nothing is learned again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from thrawl.errors import InputError
from thrawl.profile.decisions import Decision
from thrawl.profile.patterns import PAGE, Pattern
from thrawl.profile.schema import check
from thrawl.profile.written import Written, values_of, written

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Flip(Written):
    """How a list flips: the pattern of its flip URLs (its holes named as in the list's pattern, plus `page`).

    The value of page n is `first + step * (n - 1)`; both are None for a cursor, which has to be walked. `opens_last`:
    the list's own address shows its last page, so that its first page is a flip like all others. `signs` are the words
    of the link that leads on where pages have to be walked, as far as they say nothing known.
    """

    pattern: Pattern
    first: int | None = None
    step: int | None = None
    opens_last: bool = False
    signs: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        data = written(self)
        return {key: value for key, value in data.items() if value or key not in ("opens_last", "signs")}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Flip:
        flip = cls(**values_of(cls, data))
        if not any(hole.name == PAGE for hole in flip.pattern.holes):
            raise InputError(f"the flip pattern '{flip.pattern}' has no {{page:…}} hole.")
        counted = flip.first is not None and flip.step is not None and flip.step > 0
        if not counted and not flip.first is flip.step is None:
            raise InputError(
                f"the flip '{flip.pattern}' needs whole numbers, first and a step above 0, or null for both."
            )
        return flip

    def page_of(self, value: str) -> int | None:
        """Which page a value stands for; None where the arithmetic does not reach it."""
        if self.first is None or self.step is None or not value.isdecimal():
            return None
        steps, rest = divmod(int(value) - self.first, self.step)
        return steps + 1 if not rest and steps >= 0 else None

    def value_of(self, page: int) -> str | None:
        if self.first is None or self.step is None:
            return None
        return str(self.first + self.step * (page - 1))

    def shifted(self) -> Flip:
        """The flip with the page that is numbered 1 as the second one, after the list's own address."""
        if self.first is None or self.step is None:
            return replace(self, opens_last=False)
        return replace(self, first=self.first - self.step, opens_last=False)


@dataclass(frozen=True, slots=True)
class ListPattern(Written):
    """URLs of lists of one kind (boards or threads): their first pages, how they flip, and what identifies one.

    `key` names the holes that tell one list from another; empty means that the whole URL does. `reserve`: lists
    that may bring nothing that others do not; a crawl tries a few at its end, and goes on only if they bring something.
    `leads_to`: where such URLs are redirected to, by the same holes; these addresses are asked for instead.
    """

    pattern: Pattern
    flips: tuple[Flip, ...] = ()
    key: tuple[str, ...] = ()
    confidence: float = 1.0
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    reserve: bool = False
    leads_to: Pattern | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ListPattern:
        one = cls(**values_of(cls, data))
        if one.leads_to is not None and not {hole.name for hole in one.leads_to.holes} <= {
            hole.name for hole in one.pattern.holes
        }:
            raise InputError(f"'{one.leads_to}' has holes that '{one.pattern}', which leads to it, has not.")
        return one


def flips_of(lists: Iterable[ListPattern]) -> list[Flip]:
    return [flip for one in lists for flip in one.flips]


def fit(kinds: Iterable[ListPattern | Flip], urls: Iterable[str]) -> bool:
    """Whether any of some URLs has the form of any of some lists or flips."""
    patterns = [one.pattern for one in kinds]
    return any(pattern.match(url) is not None for url in urls for pattern in patterns)


def is_made_of(one: ListPattern, kinds: Iterable[ListPattern]) -> bool:
    """Whether all examples of some lists have the form of others."""
    others = list(kinds)
    return bool(one.examples) and all(fit(others, [url]) for url in one.examples)


@dataclass(frozen=True, slots=True)
class Profile:
    """What was learned of one site. The wrappers are kept as their own JSON.

    `seeds` are boards that the entry page does not link to: a crawl starts from them, too. `threaded`: each page of a
    thread shows one post, and links to the others; `letters`: and these are told from other links by the thread's
    subject in them. `decisions` say why: a crawl does not need them.
    """

    entry: str
    index: tuple[ListPattern, ...]
    thread: tuple[ListPattern, ...]
    session_parameters: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    threaded: bool = False
    letters: bool = False
    feeds: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    post_wrapper: Mapping[str, Any] | None = None
    row_wrapper: Mapping[str, Any] | None = None
    page_wrapper: Mapping[str, Any] | None = None
    pages_fetched: int = 0
    confidence: float = 0.0
    version: int = VERSION

    def is_answer(self, url: str) -> bool:
        """Whether a post's address may be an answer's: where the first post of a tree has another form, theirs says
        more than its own."""
        most = max((len(one.pattern.holes) for one in self.thread), default=0)
        longest = [one.pattern for one in self.thread if len(one.pattern.holes) == most]
        return len(longest) == len(self.thread) or any(one.match(url) is not None for one in longest)

    def to_json(self) -> str:
        """The file of it: what a person looks for first stands first."""
        data = written(self)
        first = {key: data[key] for key in ("version", "entry", "confidence", "pages_fetched")}
        return json.dumps({**first, **data}, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, source: str = "the profile") -> Profile:
        """Raises InputError, naming what is wrong, for text that is no profile of this version."""
        try:
            data = json.loads(text)
            if not isinstance(data, dict):
                raise InputError(f"{source} is not a profile; learn one with 'thrawl learn URL -o profile.json'.")
            version = int(data["version"])
            if version > VERSION:
                raise InputError(f"{source} was written by a newer Thrawl (version {version}); update Thrawl.")
            check(data, source, cls)
            return cls(**values_of(cls, data))
        except (ArithmeticError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{source} cannot be read as a profile ({type(error).__name__}: {error}).") from error

    @classmethod
    def load(cls, path: Path | str) -> Profile:
        try:
            return cls.from_json(Path(path).read_text(encoding="utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"the profile {path} cannot be read: {error}.") from error
