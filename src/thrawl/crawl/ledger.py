"""The ledger: what pages promise, what was got, and so whether a crawl is complete.

A forum checks us by itself: rows count replies, boards count threads and posts, the entry page says totals, pagers show
last pages. No word is known and no count is believed by itself: which column of a board's row counts what is told by
the boards where it agrees with what was got (`counts`), and what replies count (with the opening post or without) by
the threads that agree. Counts that are off by a few are outweighed; one is only called missing where it weighs more
than `NOTICED` of the whole. What was tried and refused (robots.txt, a login) is promised, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Protocol

from thrawl.archive.facts import Facts, ListFacts
from thrawl.archive.values import FailureKind, StoredForum, Stray
from thrawl.crawl.counts import Counts, threads_got
from thrawl.crawl.listsigns import (
    SHORTEST_PAGE,
    guessed,
    is_below,
    left_out,
    page_taken_for_a_list,
    pages_without_own,
    without_own,
)
from thrawl.crawl.missing import FEW, NOTICED, Missing, failed
from thrawl.crawl.postsigns import read_wrong
from thrawl.crawl.promised import BOARD, ROW_MARK
from thrawl.crawl.suspects import KnownPages, Pages, explains, unexplained
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

_AGREED_THREADS: Final = 0.2  # of the threads: those of one post agree however many posts a wrapper loses
_OVERFULL_THREADS: Final = 0.1  # of the threads that may have more posts than promised; a column of views has more
_PILE: Final = 3  # lists that end with exactly one full page; by chance one in a page size does
_FULL_PAGE: Final = 8  # rows; shorter lists have the same length too often
_PILE_OF_THREADS: Final = 3.0  # times as many threads of exactly one full page as of one post less or two
_WEIGHTY: Final = 0.1  # of all promised posts, which one or two threads do not lose by deletions
_ROUND: Final = 5  # page sizes are multiples of it, and one length of a short list in five
_NEARLY: Final = 0.9  # of a list's full pages: pinned threads stand on each of them
_SHOWN_PLACES: Final = 5  # places named for one finding


class Audited(Pages, Protocol):
    """An archive, as far as the ledger asks it."""

    def forums(self) -> list[StoredForum]: ...

    def facts(self, forum_id: int) -> Facts: ...


def missing_of(archive: Audited, forum_id: int) -> tuple[Missing, ...]:
    """What a forum promises and the archive lacks."""
    profile = profile_of(next(forum for forum in archive.forums() if forum.id == forum_id))
    return audit(archive.facts(forum_id), profile, KnownPages(archive))


def profile_of(forum: StoredForum) -> Profile | None:
    return None if forum.profile is None else Profile.from_json(forum.profile, "the profile in the archive")


def audit(facts: Facts, profile: Profile | None, known: KnownPages) -> tuple[Missing, ...]:
    """All that is missing; nothing where the archive holds what the site promises."""
    entry = "the site" if profile is None else profile.entry
    types = None if profile is None else UrlTypes(profile)
    # lists in reserve vouch for nothing: months that agree are no word for boards of which nothing is known
    kept = [one for one in facts.promises if not (one.subject and _is_in_reserve(types, one.subject))]
    all_facts, facts = facts, replace(facts, promises=tuple(kept))
    counts = Counts(facts)
    found: list[Missing] = []
    if not counts.vouch_for_lists:
        found.extend(without_own(all_facts, entry))
        # lists in reserve show what others show; where there are no others, they are the boards
        sure = tuple(one for one in facts.lists if not _is_in_reserve(types, one.url))
        found.extend(pages_without_own(replace(facts, lists=sure or facts.lists)))
    if not counts.vouch_for_posts:  # what rows call replies may be views in lists of another order
        found.extend(_threads_short(facts, entry, profile))
    found.extend(read_wrong(facts, entry))
    told = any(one.subject and ROW_MARK in one.place for one in facts.promises)
    found.extend((counts if told else Counts(_of_boards(all_facts))).short(entry))
    if profile is None or not profile.threaded:  # there each post is a page, and rows name posts
        found.extend(_empty_threads(facts, entry))
        found.extend(() if counts.has_no_holes else _threads_cut(facts, entry, profile))
    return (*found, *_suspected(facts, profile, types, counts, known))


def _of_boards(facts: Facts) -> Facts:
    """Where there are none but lists in reserve, those that threads name as their boards must hold what is said of
    them; others are those of people, whose posts are counted."""
    boards = {board.url for board in facts.boards if board.threads}
    return replace(facts, promises=tuple(one for one in facts.promises if one.subject in boards))


def _suspected(
    facts: Facts, profile: Profile | None, types: UrlTypes | None, counts: Counts, known: KnownPages
) -> Iterator[Missing]:
    """What the looks of lists make one fear; no fear stands against the site's own counts."""
    entry = "the site" if profile is None else profile.entry
    # nobody says that lists in reserve hold anything
    spare = [one for one in facts.failures if one.failure is FailureKind.NO_ROWS and _is_in_reserve(types, one.sample)]
    missed = replace(facts, failures=tuple(one for one in facts.failures if one not in spare))
    yield from failed(missed, with_lists=not counts.vouch_for_lists)
    yield from _lost_start(facts, types)
    yield from _further(facts, types)
    if not counts.vouch_for_lists:
        yield from _lists_cut(facts, entry, types)
        yield from _people_for_boards(facts, types)
        yield from guessed(facts, entry, few=profile is not None and profile.threaded)
    if counts.leaves_out:
        yield from left_out(facts, entry)
    if not counts.boards_agree:
        yield from _only_list(facts, profile, numbered=counts.has_no_holes)
        yield from _strays(facts, types, known)
    if not counts.vouch_for_all:
        if not counts.has_no_holes:
            yield from _unlisted(facts, known)
        yield from _unknown_boards(facts, types, known, counted=counts.vouch_for_lists)
        if profile is not None:
            yield from _one_address(profile, facts)
            if not counts.has_no_holes:
                yield from _home_elsewhere(profile, known)


# --- threads


def _threads_short(facts: Facts, entry: str, profile: Profile | None) -> Iterator[Missing]:
    """Posts that rows promise, counted as this site counts them."""
    learned = _reply_offset(facts, profile)
    if learned is None:
        return
    promised = sum(replies + learned * number for _, number, replies in facts.replies)
    lacking = sum((learned - difference) * number for difference, number, _ in facts.replies if difference < learned)
    short = sum(number for difference, number, _ in facts.replies if difference < learned)
    if (short > FEW and lacking > NOTICED * promised) or lacking > _WEIGHTY * promised:
        why = f"the rows of {short} threads count more posts than their pages showed"
        yield Missing(entry, "posts", promised, promised - lacking, why)


def _reply_offset(facts: Facts, profile: Profile | None) -> int | None:
    """How many posts a thread of no replies has, by the threads that agree; None where rows count something else.

    It has one where there are such threads, or where learning saw that the numbers are one more than the replies.
    """
    threads = sum(number for _, number, _ in facts.replies)
    field = (profile.row_wrapper or {}).get("replies") if profile is not None else None
    sure = facts.unanswered > FEW or bool(field and field.get("extra"))
    likely = [(number, difference) for difference, number, _ in facts.replies if 0 <= difference <= 1]
    if not likely:
        return None
    agreed, offset = max(likely)
    if sure:
        offset = 1
    over = sum(number for difference, number, _ in facts.replies if difference > offset)
    if agreed < _AGREED_THREADS * threads or over > _OVERFULL_THREADS * threads:
        return None
    return offset


def _one_address(profile: Profile, facts: Facts) -> Iterator[Missing]:
    """Threads that are known by one address each: no pattern was found that others fit."""
    if facts.threads and not any(one.pattern.holes for one in profile.thread):
        why = "what was learned of threads fits one address and no other"
        yield Missing(profile.entry, "threads", None, facts.threads_with_posts, why)


def _empty_threads(facts: Facts, entry: str) -> Iterator[Missing]:
    """Threads that rows name and of which no post is archived; a few may be gone, unless their pages are there."""
    lacking = facts.threads - facts.threads_with_posts
    if len(facts.lost) > NOTICED * facts.threads:
        why = "their pages were taken for pages of a list"
        yield Missing(facts.lost[0], "threads", facts.threads, facts.threads_with_posts, why)
    elif lacking > max(FEW, NOTICED * facts.threads):
        why = "rows of index pages name more threads than have posts in the archive"
        yield Missing(entry, "threads", facts.threads, facts.threads_with_posts, why)


def _threads_cut(facts: Facts, entry: str, profile: Profile | None) -> Iterator[Missing]:
    """Threads that end where their page is full, or before their pager does."""
    if facts.pages_cut > NOTICED * facts.thread_pages:
        promised = facts.thread_pages + facts.pages_cut
        why = f"the pagers of {facts.cut_short} threads show pages that were not got"
        yield Missing(entry, "thread pages", promised, facts.thread_pages, why)
    if facts.unfollowed_threads:
        why = "a pager on the fullest of them leads to pages that no pattern explains"
        yield Missing(entry, "further pages of long threads", None, None, why)
    elif not facts.long_threads and (pile := _pile_of_threads(facts.lengths)):
        length, number = pile
        why = f"{number} threads end at exactly {length} posts, and none has a second page"
        yield Missing(entry, "further pages of long threads", None, None, why)
    elif not facts.long_threads and (number := _cut_at_a_page(facts, profile)):
        why = f"the rows of {number} threads count more posts than the longest page shows, and none has a second page"
        yield Missing(entry, "further pages of long threads", None, None, why)


def _cut_at_a_page(facts: Facts, profile: Profile | None) -> int:
    """How many threads fall short of their rows where all that do have the posts of the fullest page.

    Posts that were deleted are missed in threads of any length.
    """
    learned = _reply_offset(facts, profile)
    if learned is None:
        return 0
    short = sum(number for difference, number, _ in facts.replies if difference < learned)
    fullest = sum(number for difference, number in facts.fullest if difference < learned)
    return fullest if fullest == short >= FEW else 0


def _pile_of_threads(lengths: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The greatest length, and how many threads have it, where far more do than are a little shorter."""
    counted = dict(lengths)
    longest = max(counted, default=0)
    if longest < SHORTEST_PAGE:
        return None
    # threads without an answer are many on all forums, and say nothing of those with some
    usual = max(counted.get(length, 0) for length in (longest - 1, longest - 2, longest - 3) if length > 1)
    # a few are enough at a length that page sizes have and that no other thread comes near
    is_round = not usual and longest >= 2 * _ROUND and longest % _ROUND == 0
    fewest = _PILE if is_round else max(_PILE, _PILE_OF_THREADS * usual) + 1
    return (longest, counted[longest]) if counted[longest] >= fewest else None


# --- lists


def _lists_cut(facts: Facts, entry: str, types: UrlTypes | None) -> Iterator[Missing]:
    """Lists that end at a full page, or whose pager is not followed."""
    threads = {**threads_got(facts), entry: facts.threads_with_posts}
    own = {board.url: board.threads for board in facts.boards}
    # a list whose threads were reached by other lists is whole, however it ends; those of the boards below it, which
    # have lists of their own, say nothing of the threads that are its own
    reached = {one.url for one in facts.lists if (own.get(one.url, 0) or threads.get(one.url, 0)) > one.threads}
    beyond = [one for one in facts.lists if one.unfollowed > one.pages and not _is_reached(one, threads)]
    for one in beyond[:_SHOWN_PLACES]:
        yield Missing(one.url, "pages", one.unfollowed, one.pages, "its pager shows pages that no pattern explains")
    # one list in another order, as those in reserve often are, ends where it does, and so does one that has several
    # addresses: that is no second witness
    first = {one.shows or one.url: one for one in reversed(facts.lists)}
    witnesses = [one for one in first.values() if not _is_in_reserve(types, one.url)]
    # threads that name the list as their board tell how many it has
    if part := page_taken_for_a_list([one for one in facts.lists if one.url != entry and not own.get(one.url)]):
        why = f"it shows as many rows as {part[1].url}, whose address it has with more behind it, and other threads"
        yield Missing(part[0].url, "further pages of lists", None, None, why)
        return
    pile = _pile_of_lists([one for one in witnesses if one.url not in reached])
    if not pile:
        yield from _boards_cut(facts, entry)
        return
    size, number = pile
    why = f"{number} of {len(witnesses)} lists end at exactly {size} rows without a further page"
    full = [one.url for one in witnesses if one.last_records == size]
    beyond_robots = [url for url in facts.forbidden if any(is_below(url, one) for one in full)]
    if beyond_robots:
        why += f"; robots.txt forbids what links on them lead to, as {beyond_robots[0]}"
    yield Missing(entry, "further pages of lists", None, None, why, refused=bool(beyond_robots))


def _boards_cut(facts: Facts, entry: str) -> Iterator[Missing]:
    """Boards that hold as many threads each as the longest of several lists of them shows, and none holds more."""
    lists = {one.url: one for one in facts.lists}
    pages = [(lists[one.url], one.threads) for one in facts.boards if one.url in lists and one.threads]
    if pile := _pile_of_lists([replace(one, last_records=got, most_records=got) for one, got in pages]):
        why = f"{pile[1]} of {len(pages)} boards have exactly {pile[0]} threads, and no list has a further page"
        yield Missing(entry, "further pages of lists", None, None, why)


def _people_for_boards(facts: Facts, types: UrlTypes | None) -> Iterator[Missing]:
    """Lists of what people wrote, most of those that are no reserve: they say nothing of what others began long ago."""
    own = [one.url for one in facts.lists if one.threads and not _is_in_reserve(types, one.url)]
    people = sorted(set(facts.listed_people).intersection(own))
    if len(people) > max(FEW, len(own) / 2):
        why = f"{len(people)} of the {len(own)} lists of threads are pages of people, as {people[0]}"
        yield Missing(people[0], "the boards", None, None, why)


def _is_in_reserve(types: UrlTypes | None, url: str) -> bool:
    typed = None if types is None else types.type(url)
    return typed is not None and typed.reserve


def _only_list(facts: Facts, profile: Profile | None, *, numbered: bool) -> Iterator[Missing]:
    """Lists that no pattern explains; or a page that alone lists all threads that were found, where it looks full.

    Other lists may repeat some of them, as a box of the newest threads does that stands on every page; or be as full.
    `numbered`: no number of a post is left out, so that a full page may be the only one.
    """
    filled = [one for one in facts.lists if one.threads]
    if not filled:
        return
    longest = max(filled, key=lambda one: one.threads)
    if profile is not None and not profile.index and not (numbered and longest.threads >= facts.threads):
        why = "no pattern of lists was found: what others there are, and how they go on, is not known"
        yield Missing(filled[0].url, "further pages or boards", None, None, why)
        return
    rows = longest.last_records
    if numbered or rows < 2 * _ROUND or rows % _ROUND or any(max(one.pages, one.pages_shown) > 1 for one in filled):
        return
    if facts.threads <= longest.threads + 1:
        why = f"all threads that were found stand on this page of {rows} rows"
        yield Missing(longest.url, "further pages or boards", None, None, why)
    elif 1 < len(filled) < _PILE and _are_parted(filled, facts.threads):
        why = f"all {len(filled)} lists that were found are pages of exactly {rows} rows"
        yield Missing(longest.url, "further pages of lists", None, None, why)


def _are_parted(lists: Sequence[ListFacts], threads: int) -> bool:
    """Whether lists have as many rows each, and all threads stand on one of them."""
    differ = len({one.shows for one in lists}) == len(lists)
    return len({one.threads for one in lists}) == 1 and differ and threads <= sum(one.threads for one in lists) + 1


def _is_reached(one: ListFacts, threads: dict[str, int]) -> bool:
    """Whether as many threads of a list were got, by other lists, as its pager's pages before the last can hold.

    Those that it shows itself, which are pages that were got, are no word for the others.
    """
    return threads.get(one.url, 0) > max(one.threads, _NEARLY * (one.unfollowed - 1) * one.most_records)


def _pile_of_lists(lists: Sequence[ListFacts]) -> tuple[int, int] | None:
    """The size of a full page, and how many lists end with one: more than chance gives, and none is longer."""
    ends = Counter(one.last_records for one in lists if one.pages == 1 and one.pages_shown == 1)
    known = min((one.most_records for one in lists if one.pages_shown > 1), default=0)
    for size, number in sorted(ends.items(), reverse=True):
        longer = sum(others for length, others in ends.items() if length > size)
        by_chance = len(lists) / max(size, 1)
        if size >= max(_FULL_PAGE, known) and number >= max(_PILE, _PILE * by_chance) and not longer:
            return size, number
    return None


def _strays(facts: Facts, types: UrlTypes | None, known: KnownPages) -> Iterator[Missing]:
    """Links that stand where threads stand and are not followed."""
    met = [one for one in _unknown(facts, types) if one[1].title and not _is_in_reserve(types, one[0])]
    untried = unexplained((stray.url for _, stray in facts.strays), known)
    left = [(where, stray) for where, stray in met if stray.url in untried]
    if len(left) > max(FEW, NOTICED * facts.threads):
        where, stray = left[0]
        why = f"links stand where threads stand and fit no pattern, as {stray.url}"
        yield Missing(where, "threads", facts.threads_with_posts + len(left), facts.threads_with_posts, why)


def _lost_start(facts: Facts, types: UrlTypes | None) -> Iterator[Missing]:
    """A start page that is no page of the forum that was found: another one was meant."""
    for where in (where for where, stray in _unknown(facts, types) if where == stray.url):
        why = "this page, from which the crawl was started, leads to no board or thread that was found"
        yield Missing(where, "the forum", None, None, why)


def _further(facts: Facts, types: UrlTypes | None) -> Iterator[Missing]:
    """Lists and threads that go on with a page which was tried, and to which no pattern leads."""
    found = [one for one in _unknown(facts, types) if not one[1].title and one[0] != one[1].url]
    for where, stray in found[:_SHOWN_PLACES]:
        why = f"it goes on at {stray.url}, as a look there showed, and no pattern leads to such pages"
        yield Missing(where, "further pages", None, None, why)


def _unknown(facts: Facts, types: UrlTypes | None) -> list[tuple[str, Stray]]:
    """The strays that still fit no pattern, with the list where each was met."""
    return [(where, stray) for where, stray in facts.strays if types is None or types.type(stray.url) is None]


def _unknown_boards(facts: Facts, types: UrlTypes | None, known: KnownPages, *, counted: bool) -> Iterator[Missing]:
    """Links that stand in rows among those of boards and fit no pattern; of those that say how many threads they have,
    where all boards of the site do: `counted`."""
    named = [promise for promise in facts.promises if promise.place == BOARD]
    unknown = [one for one in named if types is not None and not explains(types, one.subject)]
    if counted:
        told = {promise.subject for promise in facts.promises if promise.place != BOARD}
        unknown = [one for one in unknown if one.subject in told]
    untried = unexplained((one.subject for one in unknown), known)
    unknown = [one for one in unknown if one.subject in untried]
    if unknown:
        why = f"it stands among the boards ({unknown[0].words}) and fits no pattern"
        yield Missing(unknown[0].subject, "boards", len(named), len(named) - len(unknown), why)


def _home_elsewhere(profile: Profile, known: KnownPages) -> Iterator[Missing]:
    """The page that all breadcrumbs begin with, where the crawl never saw it: it began below the entry page."""
    origin = "/".join(profile.entry.split("/")[:3])
    homes = [str(home) for home in (profile.page_wrapper or {}).get("home", ()) if str(home).startswith(origin)]
    if homes and not any(known.at_all(home) or folder_of(home) == folder_of(profile.entry) for home in homes):
        why = "the breadcrumbs of threads begin there, and it was never looked at"
        yield Missing(homes[0], "the boards", None, None, why)


def folder_of(url: str) -> str:
    """The folder that a URL without a query names, itself or by its index file; else the URL."""
    last = url.rpartition("/")[2]
    return url if "?" in url or (last and "." not in last) else url.removesuffix(last)


def _unlisted(facts: Facts, known: KnownPages) -> Iterator[Missing]:
    """Boards that breadcrumbs name and whose lists were never fetched."""
    with_threads = [board.url for board in facts.boards if board.url and board.threads]
    listed = {board.url for board in facts.boards if board.is_listed}
    unlisted = [url for url in with_threads if url not in listed]
    untried = unexplained(with_threads, known).intersection(unlisted)
    if len(untried) > NOTICED * len(with_threads):
        for url in [url for url in unlisted if url in untried][:_SHOWN_PLACES]:
            yield Missing(url, "the list", None, None, "breadcrumbs name this board, and no list of it was fetched")
