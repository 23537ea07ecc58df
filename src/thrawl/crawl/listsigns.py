"""What lists say of themselves: signs that their pages were read as something else, or that other lists are not known.

Each sign is one function on the facts; `ledger` decides against what counts they stand.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from thrawl.archive.facts import Facts, ListFacts
from thrawl.crawl.missing import FEW, NOTICED, Missing
from thrawl.crawl.promised import ROW_MARK

_EMPTY: Final = 0.5  # of the boards; some may be shut or empty, or pages of people that were looked at as lists
_MET: Final = 0.5  # of the numbers of posts: fewer are deleted or hidden than shown (0.6 and more on real sites)
_ECHOES: Final = 0.2  # of a list's pages; more than one or two behind the last are not shown by a pager that lies
_PAGE: Final = re.compile(r"[?&;].+|[/_.,-](?:[^\W\d]+[/_.,=-]?)?\d+(?:\.\w+)?/?")  # "?p=2", "/page/2", "-2.html"
SHORTEST_PAGE: Final = 3  # posts of a full page of a thread


def guessed(facts: Facts, entry: str, *, few: bool = False) -> Iterator[Missing]:
    """Threads that were found by their numbers alone: the lists that name them were not, and may name others.

    `few`: no more than one was looked for.
    """
    if facts.guessed > (0 if few else NOTICED * facts.threads):
        why = f"{facts.guessed} threads were found by their numbers, and by no list"
        yield Missing(entry, "the lists of some threads", None, None, why)


def left_out(facts: Facts, entry: str) -> Iterator[Missing]:
    """Numbers of posts that are mostly nobody's, where those that there are leave holes: lists are not known."""
    known, span = facts.numbers.known, facts.numbers.span
    if known < _MET * span:
        why = f"of the numbers from the first of these posts to the last, {span}, only {known} were met"
        yield Missing(entry, "the lists of some threads", None, None, why)


def without_own(facts: Facts, entry: str) -> Iterator[Missing]:
    """Boards whose lists show what others show, and nothing else, although their rows say that they hold something."""
    told = {one.subject for one in facts.promises if one.subject and ROW_MARK in one.place and one.number > 0}
    shows = Counter(one.shows for one in facts.lists)
    alike = [one.url for one in facts.lists if one.url in told and one.shows and shows[one.shows] > 1]
    if len(alike) >= FEW and len(alike) > _EMPTY * len(told):
        why = f"the lists of {len(alike)} of {len(told)} boards show no thread of their own, as {alike[0]}"
        yield Missing(entry, "threads", None, None, why)


def page_taken_for_a_list(lists: Sequence[ListFacts]) -> tuple[ListFacts, ListFacts] | None:
    """A list that is a further page of another one: it has its address with more behind it, and both are full pages of
    other threads. A list in another order shows the same threads, or has further pages itself."""
    alone = [one for one in lists if one.pages == 1 and one.pages_shown == 1 and one.last_records >= SHORTEST_PAGE]
    most = max((one.last_records for one in alone), default=0)
    full = sorted((one for one in alone if one.last_records == most), key=lambda one: one.url)
    for first, other in itertools.pairwise(full):  # an address stands before all that begin with it
        if is_below(other.url, first.url) and _names_a_page(other.url, first.url) and other.shows != first.shows:
            return other, first
    return None


def _names_a_page(url: str, of: str) -> bool:
    """Whether what an address has more than another one may name a page: a value in its query, or a number."""
    return _PAGE.fullmatch(url.removeprefix(of.rstrip("/"))) is not None


def pages_without_own(facts: Facts) -> Iterator[Missing]:
    """Lists of which several pages show the same: what one page has and the others have not is not known there."""
    for one in facts.lists:
        if one.echoes > max(1, _ECHOES * one.pages):  # one page behind the last may show it once more
            why = f"{one.echoes} of its {one.pages} pages show no thread or board that another one does not show"
            yield Missing(one.url, "threads", None, None, why)


def is_below(url: str, of: str) -> bool:
    """Whether an address is another one with something behind it, as flips are, at whatever sign it is cut."""
    return url != of and url.startswith(of.rstrip("/"))
