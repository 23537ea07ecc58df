"""What was promised and what was got: the facts that a crawl's ledger is drawn from. `reckoning` asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thrawl.archive.values import FailureKind, Promise, Stray
from thrawl.page.pagekind import PageKind


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """A board as breadcrumbs name it, with what was got of it; `is_listed`: its own list was fetched."""

    id: int
    url: str | None
    title: str
    parent_id: int | None
    threads: int
    posts: int
    is_listed: bool


@dataclass(frozen=True, slots=True)
class ListFacts:
    """A list of an index as it was fetched: its pages, the rows on the last and on the fullest one.

    `unfollowed` is the last page of a pager on it that no pattern explains; `shows` stands for the lists and threads
    that its first page shows besides itself, `echoes` counts the pages that show just what another of them shows.
    """

    url: str
    pages: int
    last_records: int
    most_records: int
    unfollowed: int
    pages_shown: int
    threads: int
    shows: str | None = None
    echoes: int = 0


@dataclass(frozen=True, slots=True)
class FailureFacts:
    kind: PageKind
    failure: FailureKind
    number: int
    sample: str


@dataclass(frozen=True, slots=True)
class Voices:
    """People of the forum that rows, or quotations, name in a thread; and those of them who wrote none of its posts."""

    named: int
    unheard: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words with which posts begin, or end; and how many do."""

    words: str
    posts: int


@dataclass(frozen=True, slots=True)
class Wordings:
    """What posts have in common: `twice` counts those whose words the same author has in another thread, too; of the
    posts `looked_at`, the most common beginning and end."""

    twice: int
    looked_at: int
    beginning: Phrase
    end: Phrase


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of posts: how many are `known`, and how many there are from the lowest to the highest of them."""

    known: int
    span: int


NO_NUMBERS: Final = Numbers(0, 0)
NO_WORDINGS: Final = Wordings(0, 0, Phrase("", 0), Phrase("", 0))
NO_VOICES: Final = Voices(0, 0)


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the ledger knows of one forum.

    `replies` holds, for each difference between the posts of a thread and the replies that its row promises, the
    number of such threads and their promised replies; the rows of `unanswered` threads promise none. `lengths` counts
    threads of one page by their posts; `unfollowed_threads` are some with a pager
    that no pattern explains, `cut_short` those whose pager shows pages that were not got, `pages_cut`
    these pages; `alike` is the largest number of threads with a page of the very same words; of `repeating` threads
    several pages that their pagers show have the very same words. `forbidden` are pages of no known kind that
    robots.txt kept from learning. The voices are people that rows and quotations name. `fullest` has the threads of one
    page that have the most posts: the number of those with each difference of `replies`. `lost` are threads that rows
    name, whose page was fetched for something else; `people` are threads, `listed_people` lists, whose address is that
    of somebody who wrote;
    `guessed` threads were found by a number that no page named. Of the thread pages that were compared, `read` letters
    stand in posts, `unread` ones in none and on one page only.
    """

    threads: int
    threads_with_posts: int
    posts: int
    authors: int
    by_one_author: int
    replies: tuple[tuple[int, int, int], ...]
    unanswered: int
    lengths: tuple[tuple[int, int], ...]
    long_threads: int
    unfollowed_threads: tuple[str, ...]
    cut_short: int
    pages_cut: int
    alike: int
    thread_pages: int
    boards: tuple[BoardFacts, ...]
    lists: tuple[ListFacts, ...]
    failures: tuple[FailureFacts, ...]
    promises: tuple[Promise, ...]
    strays: tuple[tuple[str, Stray], ...]
    waiting: int
    forbidden: tuple[str, ...] = ()
    repeating: int = 0
    row_voices: Voices = NO_VOICES
    quote_voices: Voices = NO_VOICES
    fullest: tuple[tuple[int, int], ...] = ()
    lost: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    wordings: Wordings = NO_WORDINGS
    read: int = 0
    unread: int = 0
    numbers: Numbers = NO_NUMBERS
    guessed: int = 0
    listed_people: tuple[str, ...] = ()
