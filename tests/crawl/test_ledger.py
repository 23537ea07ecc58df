"""The ledger: what pages promise is compared with what was got, and a crawl that lacks some of it says so."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiohttp import web
from tests.crawl.tinyforum import Crawl, TinyForum, archived

from thrawl.archive import Archive
from thrawl.archive.facts import BoardFacts, Facts, FailureFacts, ListFacts, Numbers, Voices
from thrawl.archive.values import FailureKind, PageState, PendingPage, Promise, Stray
from thrawl.crawl.forum import missing_of
from thrawl.crawl.ledger import audit, profile_of
from thrawl.crawl.outcomes import failed_outcome
from thrawl.crawl.promised import BOARD
from thrawl.crawl.reader import SiteReader
from thrawl.crawl.values import PageJob, Reading, Role
from thrawl.learn.learner import Learned
from thrawl.page.pagekind import PageKind
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

SITE = "http://forum.test"
PROFILE = Profile(
    f"{SITE}/",
    (ListPattern(Pattern.parse(f"{SITE}/board/{{a:number}}")),),
    (ListPattern(Pattern.parse(f"{SITE}/thread/{{a:number}}")),),
)
NOTHING = Facts(
    threads=40,
    threads_with_posts=40,
    posts=200,
    authors=20,
    by_one_author=30,
    replies=(),
    unanswered=0,
    lengths=((1, 15), (2, 10), (5, 10), (12, 5)),
    long_threads=5,
    unfollowed_threads=(),
    cut_short=0,
    pages_cut=0,
    alike=0,
    thread_pages=45,
    boards=(),
    lists=(),
    failures=(),
    promises=(),
    strays=(),
    waiting=0,
)


class AllFetched:
    """An archive that holds every page, and tried none in vain."""

    def at_all(self, url: str) -> bool:
        return bool(url)

    def followed(self, url: str) -> bool:
        return not url

    def in_vain(self, url: str) -> bool:
        return not url

    def has_no_list(self, url: str) -> bool:
        return not url


def missing(facts: Facts, profile: Profile = PROFILE) -> list[str]:
    return [one.sentence() for one in audit(facts, profile, AllFetched())]


def board(number: int, threads: int, posts: int) -> BoardFacts:
    return BoardFacts(number, f"{SITE}/board/{number}", f"Board {number}", None, threads, posts, True)


def rows(*counts: tuple[int, int]) -> tuple[Promise, ...]:
    return tuple(
        Promise(f"{SITE}/board/{number}", place, words, count)
        for number, pair in enumerate(counts, start=1)
        for place, words, count in zip(("td1", "td2"), ("sujets", "messages"), pair, strict=True)
    )


def test_a_forum_that_promises_nothing_more_is_whole() -> None:
    assert missing(NOTHING) == []


def test_replies_that_count_the_opening_post_are_learned_from_the_threads_that_agree() -> None:
    assert missing(replace(NOTHING, replies=((0, 39, 180), (-1, 1, 6)))) == []
    assert missing(replace(NOTHING, replies=((1, 39, 180), (0, 1, 6)))) == []


def test_posts_that_rows_promise_and_pages_lack_are_missing() -> None:
    (told,) = missing(replace(NOTHING, replies=((1, 20, 15), (-8, 10, 150), (-20, 10, 300))))
    assert "the rows of 20 threads count more posts" in told


def test_threads_that_fall_short_at_the_length_of_the_fullest_page_are_cut_and_those_of_any_length_are_not() -> None:
    lengths = ((1, 20), (2, 10), (5, 8), (10, 2))
    cut = replace(
        NOTHING, replies=((-2, 1, 12), (0, 1, 10), (1, 38, 80)), unanswered=9, lengths=lengths, long_threads=0
    )
    why = "the rows of 2 threads count more posts than the longest page shows, and none has a second page"
    assert missing(replace(cut, fullest=((-2, 1), (0, 1)))) == [f"further pages of long threads of {SITE}/ ({why})"]
    assert missing(replace(cut, fullest=((0, 1),))) == []  # the other lost its posts at another length
    assert missing(replace(cut, fullest=((-2, 1), (0, 1)), long_threads=3)) == []


def test_a_column_of_views_is_no_promise_of_posts() -> None:
    assert missing(replace(NOTHING, replies=((-500, 10, 5000), (-90, 15, 1500), (1, 3, 3), (-33, 12, 400)))) == []


def test_a_board_that_falls_short_of_a_column_that_agrees_elsewhere_is_named() -> None:
    got = (board(1, 12, 60), board(2, 9, 41), board(3, 14, 66), board(4, 5, 33))
    told = missing(replace(NOTHING, boards=got, promises=rows((12, 60), (9, 41), (14, 66), (25, 90))))
    assert told[0].startswith(f"threads of {SITE}/board/4: 5 of 25")
    assert missing(replace(NOTHING, boards=got, promises=rows((12, 60), (9, 41), (14, 66), (5, 33)))) == []


def test_numbers_that_agree_with_nothing_are_not_believed() -> None:
    got = (board(1, 12, 60), board(2, 9, 41), board(3, 14, 66), board(4, 5, 33))
    assert missing(replace(NOTHING, boards=got, promises=rows((7310, 2), (4522, 8), (901, 7), (5521, 6)))) == []


def test_lists_that_pile_up_at_a_full_page_are_cut() -> None:
    ends = [26, 26, 26, 26, 26, 26, 12, 4, 9, 7, 17, 3]
    lists = tuple(ListFacts(f"{SITE}/board/{n}", 1, end, end, 1, 1, end) for n, end in enumerate(ends))
    assert any("6 of 12 lists end at exactly 26 rows" in one for one in missing(replace(NOTHING, lists=lists)))
    flipping = tuple(replace(one, last_records=one.last_records // 2, pages=2, pages_shown=2) for one in lists)
    assert missing(replace(NOTHING, lists=flipping)) == []


def test_a_list_that_has_several_addresses_is_one_witness() -> None:
    short = tuple(full(f"{SITE}/board/{n}", n, str(n)) for n in range(1, 9))
    same = tuple(full(f"{SITE}/newest?by={n}", 10, "newest") for n in range(6))
    assert missing(replace(NOTHING, lists=(*short, *same))) == []


def test_boards_that_all_have_as_many_threads_are_cut_where_two_lists_of_each_show_them() -> None:
    boards = tuple(board(number, 12, 40) for number in range(6))
    ten = tuple(ListFacts(f"{SITE}/board/{n}", 1, 10, 10, 1, 1, 10) for n in range(6))
    facts = replace(NOTHING, threads=72, threads_with_posts=72, boards=boards, lists=ten)
    (told,) = missing(facts)
    assert "6 of 6 boards have exactly 12 threads" in told
    uneven = tuple(board(number, 12 + number, 40) for number in range(6))
    assert missing(replace(facts, threads=87, threads_with_posts=87, boards=uneven)) == []


def test_a_pager_that_nobody_follows_is_told_unless_its_threads_came_otherwise() -> None:
    entry = ListFacts(f"{SITE}/", 1, 30, 30, 9, 1, 30)
    assert "1 of 9" in missing(replace(NOTHING, lists=(entry,)))[0]
    assert missing(replace(NOTHING, lists=(entry,), threads=260, threads_with_posts=260)) == []


def test_posts_that_are_all_by_one_author_are_hardly_those_of_a_forum() -> None:
    assert any("one and the same author" in one for one in missing(replace(NOTHING, by_one_author=200)))


def test_people_that_rows_or_quotations_name_and_who_wrote_nothing_there_tell_of_lost_posts() -> None:
    assert not missing(replace(NOTHING, row_voices=Voices(80, 6), quote_voices=Voices(40, 3)))
    (lost,) = missing(replace(NOTHING, row_voices=Voices(80, 34)))
    assert "of 80 people that rows of threads name, 34 wrote no post" in lost
    (lost,) = missing(replace(NOTHING, quote_voices=Voices(70, 21)))
    assert "posts of a thread quote" in lost


def test_a_board_among_boards_that_fits_no_pattern_is_missing() -> None:
    named = (Promise(f"{SITE}/board/1", BOARD, "One", 0), Promise(f"{SITE}/room/2", BOARD, "Two", 0))
    assert any(f"boards of {SITE}/room/2: 1 of 2" in one for one in missing(replace(NOTHING, promises=named)))


def test_a_thread_that_goes_on_with_a_page_which_no_pattern_explains_is_cut_there() -> None:
    seen = replace(NOTHING, strays=((f"{SITE}/thread/7", Stray(f"{SITE}/thread/7?older=4f1", "")),))
    assert missing(seen) == [
        f"further pages of {SITE}/thread/7 (it goes on at {SITE}/thread/7?older=4f1, as a look there showed, "
        "and no pattern leads to such pages)"
    ]
    older = Flip(Pattern.parse(f"{SITE}/thread/{{a:number}}?older={{page:word}}"))
    assert missing(seen, replace(PROFILE, thread=(replace(PROFILE.thread[0], flips=(older,)),))) == []


# --- what a page shows


def read(body: str, role: Role = Role.ENTRY, path: str = "/") -> Reading:
    url = SITE + path
    job = PageJob(url, role, url, f"<body>{body}".encode(), "utf-8", datetime(2026, 5, 1, tzinfo=UTC))
    return SiteReader(PROFILE).read(job)


def test_numbers_in_the_rows_of_boards_are_told_with_their_columns() -> None:
    head = "<table><tr><th>Forum<th>Sujets<th>Messages</tr>"
    lines = "".join(
        f"<tr><td><a href=/board/{n}>Board {n}</a><td>{threads}<td>{posts}</tr>"
        for n, threads, posts in ((1, 12, "1,341"), (2, 9, "41"))
    )
    told = [(one.subject, one.words, one.number) for one in read(head + lines + "</table>").sighting.told]
    assert (f"{SITE}/board/1", "sujets", 12) in told
    assert (f"{SITE}/board/1", "messages", 1341) in told
    assert (f"{SITE}/board/2", "messages", 41) in told


def test_numbers_of_a_row_are_those_of_its_first_board_and_not_of_boards_named_below_it() -> None:
    rows = "".join(
        f"<tr><td><a class=a href=/board/{n}>Board</a><p>Below: <a class=b href=/board/{n}0>Other</a><td>{n}7 topics"
        for n in (1, 2, 3)
    )
    told = [(one.subject, one.number) for one in read(f"<table>{rows}</table>").sighting.told if one.number]
    assert sorted(told) == [(f"{SITE}/board/{n}", n * 10 + 7) for n in (1, 2, 3)]


def test_a_link_among_several_boards_is_told_of_like_them_and_one_among_few_is_not() -> None:
    def boards(*paths: str) -> set[str]:
        links = "".join(f"<li><a href={path}>{path[-6:]}</a>" for path in paths)
        return {one.subject.removeprefix(SITE) for one in read(f"<ul>{links}</ul>").sighting.told if one.place == BOARD}

    assert boards("/board/1", "/board/2", "/board/3", "/section/4") == {"/section/4"}
    assert boards("/board/1", "/help", "/search", "/section/4") == set()


def test_a_total_of_the_site_is_told_with_its_words() -> None:
    told = read("<dl><dt>Sujets<dd>300</dl><p>Messages : 2 315</p>").sighting.told
    assert [(one.subject, one.words, one.number) for one in told] == [("", "sujets", 300), ("", "messages", 2315)]


def test_links_that_stand_where_threads_stand_and_fit_no_pattern_are_strays() -> None:
    links = "".join(f"<li><a href=/thread/{n}>A thread of some words {n}</a></li>" for n in range(5))
    others = "".join(f"<li><a href=/thread/{n}-slug>Another one {n}</a></li>" for n in range(3))
    tags = "".join(f"<li><a href=/tag/{n}>tag {n}</a></li>" for n in range(9))
    seen = read(f"<ul>{links}{others}</ul><ul>{tags}</ul>").sighting
    assert [one.url for one in seen.strays] == [f"{SITE}/thread/{n}-slug" for n in range(3)]
    assert seen.threads == 5


def test_parts_of_a_board_that_shows_nothing_else_are_strays_and_its_menu_is_none() -> None:
    menu = "".join(
        f"<li><a href=/{word}>{word}</a>" for word in ("help", "search", "members", "rules", "calendar", "login")
    )
    months = "".join(f"<li><a href=/archive/7/2015-0{n}>2015-0{n} mails</a>" for n in (4, 5, 6))
    seen = read(f"<a href=/>Home</a><ul>{menu}</ul><p>Archive<ol>{months}</ol>", Role.INDEX, "/board/7").sighting
    assert [one.url for one in seen.strays] == [f"{SITE}/archive/7/2015-0{n}" for n in (4, 5, 6)]
    orders = "".join(f"<li><a href=/board/7?by={word}>{word}</a>" for word in ("time", "name", "size"))
    assert read(f"<a href=/>Home</a><ul>{menu}</ul><ol>{orders}</ol>", Role.INDEX, "/board/7").sighting.strays == ()


def test_authors_beside_titles_are_no_strays() -> None:
    lines = "".join(f"<li><a href=/thread/{n}>Some words {n}</a> <a href=/user/{n}>Mia {n}</a>" for n in range(6))
    flat = "".join(f"<a href=/thread/{n}>Some words {n}</a><hr><a href=/user/{n}>Mia {n}</a><hr>" for n in range(6))
    assert read(f"<ul>{lines}</ul>").sighting.strays == ()
    assert read(f"<div>{flat}</div>").sighting.strays == ()


# --- whole crawls


async def test_a_crawl_by_half_a_pattern_says_what_is_missing_and_the_archive_does_too(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=3, threads=12)
    profile = forum.profile()
    some = tuple(f"{forum.origin}/thread/{number}" for number in forum.threads if number % 2)
    finished = await crawl(forum, replace(profile, excluded=some), mends=0)
    assert finished.fetched_all
    assert not finished.complete
    assert any("stand where threads stand" in one.why for one in finished.missing)
    with Archive.open(location, readonly=True) as archive:
        assert missing_of(archive, 1) == finished.missing


def test_boards_that_count_the_boards_below_them_are_whole_though_no_breadcrumb_says_so() -> None:
    held = (board(1, 20, 70), board(2, 8, 30), board(3, 6, 40), board(4, 6, 60))
    counted = rows((26, 130), (8, 30), (6, 40))  # the first one with the fourth, which has no row of its own
    assert missing(replace(NOTHING, boards=held, promises=counted)) == []


def test_boards_that_all_agree_vouch_for_lists_that_look_cut() -> None:
    held = (board(1, 10, 50), board(2, 10, 80), board(3, 10, 40), board(4, 10, 30))
    cut = tuple(ListFacts(f"{SITE}/board/{one}", 1, 10, 10, 1, 1, 10) for one in range(1, 5))
    assert any("end at exactly 10 rows" in one for one in missing(replace(NOTHING, boards=held, lists=cut)))
    counts = ((11, 50), (9, 80), (12, 40), (8, 30))
    told = tuple(replace(one, threads=count, posts=posts) for one, (count, posts) in zip(held, counts, strict=True))
    assert missing(replace(NOTHING, boards=told, lists=cut, promises=rows(*counts))) == []


def test_boards_that_all_agree_outweigh_rows_that_call_views_replies_and_links_without_a_number() -> None:
    counts = ((10, 40), (12, 71), (8, 35), (10, 54))
    boards = tuple(board(number, *pair) for number, pair in enumerate(counts, start=1))
    link = Promise(f"{SITE}/submit", BOARD, "Contribute", 0)
    agreed = replace(NOTHING, boards=boards, promises=(*rows(*counts), link))
    views = ((1, 30, 90), (-900, 10, 9300))
    assert missing(replace(agreed, replies=views)) == []
    fewer = tuple(replace(one, posts=one.posts - 20) for one in boards)
    assert any("count more posts" in told for told in missing(replace(agreed, replies=views, boards=fewer)))
    counted = Promise(f"{SITE}/submit", "td9", "sujets", 7)
    assert any("Contribute" in told for told in missing(replace(agreed, promises=(*agreed.promises, counted))))


def test_totals_of_the_site_that_are_met_exactly_vouch_for_all_of_it() -> None:
    strays = tuple((f"{SITE}/board/1", Stray(f"{SITE}/post/{number}", f"Title {number}")) for number in range(9))
    assert missing(replace(NOTHING, strays=strays)) != []
    assert missing(replace(NOTHING, strays=strays, promises=(Promise("", "foot", "messages", 200),))) == []
    assert missing(replace(NOTHING, strays=strays, promises=(Promise("", "foot", "messages", 230),))) != []


def test_lists_of_boards_with_boards_below_are_cut_where_their_own_threads_fill_a_page() -> None:
    parents = tuple(board(number, 36, 70) for number in (1, 2, 3))
    below = tuple(replace(board(number + 10, 20, 30), parent_id=number) for number in (1, 2, 3))
    cut = tuple(ListFacts(f"{SITE}/board/{one}", 1, 50, 50, 1, 1, 50) for one in (1, 2, 3))
    facts = replace(NOTHING, threads=168, threads_with_posts=168, boards=(*parents, *below), lists=cut)
    (told,) = missing(facts)
    assert "3 of 3 lists end at exactly 50 rows" in told
    (told,) = missing(replace(facts, forbidden=(f"{SITE}/board/2?limit=250", f"{SITE}/members/")))
    assert told.endswith(f"robots.txt forbids what links on them lead to, as {SITE}/board/2?limit=250)")


def test_where_threads_have_no_replies_the_rows_do_not_count_opening_posts() -> None:
    lost = replace(NOTHING, replies=((0, 25, 60), (1, 15, 0)))
    assert missing(lost) == []  # rows that count all posts, and some threads that grew since
    (told,) = missing(replace(lost, unanswered=15))
    assert "the rows of 25 threads count more posts" in told


def test_threads_that_lists_name_and_that_are_gone_are_missing_where_they_are_many() -> None:
    gone = FailureFacts(PageKind.THREAD, FailureKind.GONE, 2, f"{SITE}/thread/7")
    assert missing(replace(NOTHING, failures=(gone,))) == []
    (told,) = missing(replace(NOTHING, failures=(replace(gone, number=16),)))
    assert "lists name them, and they are not there" in told
    assert missing(replace(NOTHING, failures=(replace(gone, number=16, kind=PageKind.THREAD_FLIP),))) == []


def test_a_pattern_that_fits_one_thread_only_is_no_pattern() -> None:
    single = replace(PROFILE, thread=(ListPattern(Pattern.parse(f"{SITE}/thread/7")),))
    assert any("fits one address and no other" in one for one in missing(NOTHING, single))


async def test_a_profile_is_mended_in_the_middle_of_a_crawl_and_nothing_good_is_fetched_again(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=3, threads=12)
    profile = forum.profile()
    forum.headings = False  # which would tell that links lead to threads
    some = tuple(f"{forum.origin}/thread/{number}" for number in forum.threads if number % 2)
    asked: list[tuple[int, tuple[str, ...]]] = []

    async def learn(start: str, allowance, known=(), also=()) -> Learned:
        asked.append((len(known), tuple(also)))
        return Learned(profile, ())

    finished = await crawl(forum, replace(profile, excluded=some), learn=learn)
    assert finished.complete
    assert finished.tally.mends == 1
    ((known, also),) = asked
    assert known > 0
    assert set(also) & set(some)
    again = [path for path, times in forum.asked.items() if path.startswith("/thread/") and times > 1]
    assert len(again) <= 8  # the few that were tried before the new profile was believed
    with Archive.open(location, readonly=True) as archive:
        assert len({post.thread_url for post in archive.posts()}) == 36


async def test_posts_that_a_mended_profile_cuts_as_they_were_cut_are_not_fetched_again(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=3, threads=12)
    forum.tells_replies = forum.headings = False
    profile = forum.profile()
    some = tuple(f"{forum.origin}/thread/{number}" for number in forum.threads if number % 2)

    async def learn(start: str, allowance, known=(), also=()) -> Learned:
        return Learned(replace(profile, post_wrapper={**(profile.post_wrapper or {}), "confidence": 0.9}), ())

    finished = await crawl(forum, replace(profile, excluded=some), learn=learn)
    assert finished.tally.mends == 1
    again = [path for path, times in forum.asked.items() if path.startswith("/thread/") and times > 1]
    assert len(again) <= 8
    with Archive.open(location, readonly=True) as archive:
        assert len({post.thread_url for post in archive.posts()}) == 36


async def test_links_that_stand_where_threads_stand_are_tried_and_followed(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=3, threads=12)
    some = tuple(f"{forum.origin}/thread/{number}" for number in forum.threads if number % 2)
    finished = await crawl(forum, replace(forum.profile(), excluded=some))
    assert finished.complete
    assert finished.tally.mends == 0
    assert all(times == 1 for path, times in forum.asked.items() if path.startswith("/thread/"))
    with Archive.open(location, readonly=True) as archive:
        assert len({post.thread_url for post in archive.posts()}) == 36


async def test_threads_that_were_followed_before_a_pattern_explained_them_speak_for_it(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=3, threads=12)
    profile = forum.profile()
    threads = profile.thread[0]
    of_one_board = Pattern.parse(str(threads.pattern).replace("{a:number}", "1{a:number}"))
    flips = tuple(
        replace(flip, pattern=Pattern.parse(f"{of_one_board}?part={{page:number}}")) for flip in threads.flips
    )

    async def learn(start: str, allowance, known=(), also=()) -> Learned:
        return Learned(profile, ())

    finished = await crawl(forum, replace(profile, thread=(ListPattern(of_one_board, flips),)), learn=learn)
    assert finished.complete, finished.missing
    assert archived(location) == forum.written()


async def test_a_list_that_seemed_needless_is_read_where_its_board_counts_more_threads_than_were_got(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    for board in range(2, 9):
        forum.boards[board] = [100 * board + place for place in range(board)]
        for thread in forum.boards[board]:
            forum.write(thread)
            forum.write(thread)
    forum.all_threads_list = forum.counts_threads = forum.crumbs = True
    forum.only_on_boards = (802,)  # the boards before it bring nothing that the list of all threads does not
    boards, every = forum.profile().index
    finished = await crawl(forum, replace(forum.profile(), index=(replace(boards, reserve=True), every)))
    assert finished.complete
    assert archived(location) == forum.written()


async def test_threads_that_open_with_a_short_last_page_are_gone_back_in(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=2, threads=6)
    profile = forum.profile()
    threads = profile.thread[0]
    forum.opens_last = True
    elsewhere = Flip(Pattern.parse(f"{threads.pattern}?part={{page:number}}"), 1, 1)  # as if boards flipped so

    async def learn(start: str, allowance, known=(), also=()) -> Learned:
        flips = (replace(threads.flips[0], opens_last=True),)
        return Learned(replace(profile, thread=(replace(threads, flips=flips),)), ())

    finished = await crawl(forum, replace(profile, thread=(replace(threads, flips=(elsewhere,)),)), learn=learn)
    assert finished.complete, finished.missing
    with Archive.open(location, readonly=True) as archive:
        got = {thread.url: {post.text for post in archive.posts(thread_id=thread.id)} for thread in archive.threads()}
    assert got == {url: set(texts) for url, texts in forum.written().items()}


async def test_a_profile_that_explains_no_more_is_not_taken(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=3, threads=12)
    some = tuple(f"{forum.origin}/thread/{number}" for number in forum.threads if number % 2)
    profile = replace(forum.profile(), excluded=some)
    forum.headings = False

    async def learn(start: str, allowance, known=(), also=()) -> Learned:
        return Learned(replace(profile, thread=()), ())

    finished = await crawl(forum, profile, learn=learn)
    assert finished.tally.mends == 1
    with Archive.open(location, readonly=True) as archive:
        kept = profile_of(archive.forums()[0])
    assert kept is not None
    assert kept.thread == profile.thread


async def test_a_pattern_that_brings_nothing_is_stopped(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=2, threads=40, longest=3)
    profile = forum.profile()
    forum.wall = lambda path: "<p>We are moving house." if path.startswith("/thread/") else None
    finished = await crawl(forum, profile, relearn=0, mends=0)
    assert finished.fetched_all
    assert not finished.complete
    assert sum(path.startswith("/thread/") for path in forum.asked) < 30
    with Archive.open(location, readonly=True) as archive:
        assert all(page.state is not PageState.PENDING for page in archive.pages())


async def test_what_only_posts_link_to_and_that_asks_for_a_login_is_stopped_and_not_missed(
    forum: TinyForum, crawl: Crawl
) -> None:
    forum.fill(boards=2, threads=20, longest=3)
    forum.picture = "".join(f'<a href="/reply/{number}"></a>' for number in range(30))
    forum.wall = lambda path: '<h1>Log in</h1><form><input type="password"></form>' if "/reply/" in path else None
    profile = forum.profile()
    replies = ListPattern(Pattern.parse(f"{forum.origin}/reply/{{a:number}}"))
    finished = await crawl(forum, replace(profile, thread=(*profile.thread, replies)), mends=0)
    assert finished.complete
    assert sum(path.startswith("/reply/") for path in forum.asked) < 15


@pytest.mark.parametrize("status", [403, 500])
async def test_a_thread_that_could_be_had_is_missed(forum: TinyForum, crawl: Crawl, status: int) -> None:
    forum.fill()
    forum.answers["/thread/101"] = lambda _: web.Response(status=status, text="no")
    finished = await crawl(forum, retry_seconds=0.001)
    assert [one.where for one in finished.missing] == [f"{forum.origin}/thread/101"]


def test_threads_that_end_at_three_posts_and_never_at_two_are_cut() -> None:
    cut = replace(NOTHING, lengths=((1, 43), (2, 3), (3, 14)), long_threads=0)
    (told,) = missing(cut)
    assert "14 threads end at exactly 3 posts" in told
    assert missing(replace(cut, lengths=((1, 43), (2, 9), (3, 4)))) == []


def test_threads_of_the_first_page_are_no_word_for_the_pages_that_nobody_followed() -> None:
    got = (board(1, 10, 40),)
    (told,) = missing(replace(NOTHING, boards=got, lists=(ListFacts(f"{SITE}/board/1", 1, 10, 10, 2, 1, 10),)))
    assert "its pager shows pages that no pattern explains" in told
    reached = (board(1, 19, 40),)
    assert missing(replace(NOTHING, boards=reached, lists=(ListFacts(f"{SITE}/board/1", 1, 10, 10, 2, 1, 10),))) == []


def test_a_thread_that_was_taken_for_a_page_of_a_list_is_missing_were_it_one() -> None:
    (told,) = missing(replace(NOTHING, threads_with_posts=39, lost=(f"{SITE}/thread/6",)))
    assert told == f"threads of {SITE}/thread/6: 39 of 40 (their pages were taken for pages of a list)"
    assert missing(replace(NOTHING, threads_with_posts=39)) == []  # it may be gone


def full(url: str, rows: int, shows: str, pages: int = 1) -> ListFacts:
    return ListFacts(url, 1, rows, rows, 1, pages, rows, shows)


def test_a_page_that_was_taken_for_a_list_is_told_by_the_list_whose_address_it_has() -> None:
    one, other = full(f"{SITE}/board/1", 20, "a"), full(f"{SITE}/board/1?z=4f1", 20, "b")
    (told,) = missing(replace(NOTHING, lists=(one, other, full(f"{SITE}/board/2", 7, "c"))))
    assert told.startswith(f"further pages of lists of {SITE}/board/1?z=4f1")
    assert missing(replace(NOTHING, lists=(one, replace(other, shows="a")))) == []  # the same in another order
    assert missing(replace(NOTHING, lists=(replace(one, pages_shown=3), replace(other, pages_shown=3)))) == []


def test_a_list_that_holds_all_threads_of_its_board_has_no_page_that_was_taken_for_a_list() -> None:
    first, other = full(f"{SITE}/board/1", 20, "newest"), full(f"{SITE}/board/1?sort=old", 20, "oldest")
    lists = (first, other, full(f"{SITE}/board/2", 7, "c"))
    assert missing(replace(NOTHING, lists=lists)) != []
    assert missing(replace(NOTHING, lists=lists, boards=(board(1, 20, 50),))) == []


def test_a_full_page_that_alone_lists_all_threads_is_told_however_many_pages_repeat_some_of_them() -> None:
    newest = full(f"{SITE}/new", 15, "a")
    boxes = tuple(full(f"{SITE}/word/{n}", 6, f"box {n}") for n in range(4))
    found = replace(NOTHING, threads=16, threads_with_posts=16, lists=(newest, *boxes))
    (told,) = missing(found)
    assert "all threads that were found stand on this page of 15 rows" in told
    assert missing(replace(found, threads=25, threads_with_posts=25)) == []


def test_lists_that_are_all_one_full_page_are_told() -> None:
    lists = (full(f"{SITE}/", 15, "a"), full(f"{SITE}/?z=2", 15, "b"))
    (told,) = missing(replace(NOTHING, threads=30, lists=lists))
    assert "all 2 lists that were found are pages of exactly 15 rows" in told
    assert missing(replace(NOTHING, threads=26, lists=(lists[0], full(f"{SITE}/?z=2", 11, "b")))) == []


def test_boards_whose_lists_show_what_all_pages_show_are_told() -> None:
    told_of = tuple(Promise(f"{SITE}/board/{n}", "div1<div@0", "topics", 9 * n) for n in (1, 2, 3))
    lists = tuple(full(f"{SITE}/board/{n}", 0, "menu") for n in (1, 2, 3))
    (told,) = missing(replace(NOTHING, promises=told_of, lists=lists))
    assert "the lists of 3 of 3 boards show no thread of their own" in told
    own = tuple(replace(one, shows=one.url) for one in lists)
    assert missing(replace(NOTHING, promises=told_of, lists=own)) == []


def test_a_list_whose_pages_show_the_same_is_told_unless_one_stands_behind_the_last() -> None:
    one = replace(full(f"{SITE}/board/1", 8, "a"), pages=11, pages_shown=11, threads=60)
    (told,) = missing(replace(NOTHING, lists=(replace(one, echoes=4),)))
    assert "4 of its 11 pages show no thread or board that another one does not show" in told
    assert missing(replace(NOTHING, lists=(replace(one, echoes=1),))) == []
    spare = replace(PROFILE, index=(replace(PROFILE.index[0], reserve=True),))
    assert missing(replace(NOTHING, lists=(full(f"{SITE}/", 8, "a"), replace(one, echoes=4))), spare) == []
    assert missing(replace(NOTHING, lists=(replace(one, echoes=4),)), spare) != []


def test_threads_that_numbers_alone_led_to_are_told_unless_no_number_is_left_out() -> None:
    found = replace(NOTHING, guessed=9, numbers=Numbers(150, 200))
    (told,) = missing(found)
    assert "9 threads were found by their numbers, and by no list" in told
    assert missing(replace(found, numbers=Numbers(200, 200))) == []


def test_pages_of_people_are_no_boards() -> None:
    lists = tuple(full(f"{SITE}/board/{number}", 4 + number, str(number)) for number in range(1, 6))
    people = tuple(one.url for one in lists[:3])
    (told,) = missing(replace(NOTHING, lists=lists, listed_people=people))
    assert "3 of the 5 lists of threads are pages of people" in told
    assert missing(replace(NOTHING, lists=lists, listed_people=people[:2])) == []
    spare = replace(PROFILE, index=(replace(PROFILE.index[0], reserve=True),))
    assert missing(replace(NOTHING, lists=lists, listed_people=people), spare) == []


def test_lists_in_reserve_that_show_no_rows_are_not_missed() -> None:
    empty = replace(NOTHING, failures=(FailureFacts(PageKind.INDEX, FailureKind.NO_ROWS, 4, f"{SITE}/board/1"),))
    (told,) = missing(empty)
    assert "no rows were found on them" in told
    assert missing(empty, replace(PROFILE, index=(replace(PROFILE.index[0], reserve=True),))) == []


def test_numbers_of_posts_that_are_mostly_nobodys_are_told_unless_boards_agree() -> None:
    found = replace(NOTHING, numbers=Numbers(40, 100))
    (told,) = missing(found)
    assert "100, only 40 were met" in told
    assert missing(replace(found, numbers=Numbers(60, 100))) == []  # posts are deleted, boards are hidden
    assert missing(replace(found, numbers=Numbers(4, 100))) == []  # others count with the same counter
    whole = replace(found, boards=(board(1, 20, 100), board(2, 15, 70), board(3, 5, 30)))
    assert missing(replace(whole, promises=rows((20, 100), (15, 70), (5, 30)))) == []


def test_numbers_without_holes_say_nothing_of_the_end_of_the_only_list() -> None:
    found = replace(NOTHING, threads=16, threads_with_posts=16, numbers=Numbers(200, 200))
    trouble = (FailureFacts(PageKind.INDEX_FLIP, FailureKind.TROUBLE, 1, f"{SITE}/?page=2"),)
    only, boards = (full(f"{SITE}/", 16, "a"),), (full(f"{SITE}/board/1", 9, "a"), full(f"{SITE}/board/2", 7, "b"))
    assert missing(replace(found, failures=trouble, lists=boards)) == []
    assert len(missing(replace(found, failures=trouble, lists=only))) == 1
    without_lists = replace(PROFILE, index=())
    (told,) = missing(replace(found, lists=boards), without_lists)
    assert "no pattern of lists was found" in told
    assert missing(replace(found, lists=only), without_lists) == []


def test_beside_threads_that_are_all_there_the_column_that_agrees_once_counts_posts() -> None:
    got = (board(1, 3, 3), board(2, 11, 25), board(3, 6, 11), board(4, 9, 10))
    whole = replace(NOTHING, boards=got, threads=29, threads_with_posts=29, posts=49)
    told = missing(replace(whole, promises=rows((3, 3), (11, 56), (6, 24), (9, 13))))
    assert told[0].startswith(f"posts of {SITE}/board/2: 25 of 56")
    views = rows((3, 90), (11, 5600), (6, 240), (9, 1300))
    assert missing(replace(whole, promises=views)) == []


async def test_boards_that_threads_name_and_that_show_no_rows_are_missed(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=4, threads=8)
    await crawl(forum)
    with sqlite3.connect(location) as rows:  # the numbers in the names of boards look like counts
        rows.execute("DELETE FROM promises")
    with Archive.open(location) as archive:
        for url in [page.url for page in archive.pages() if page.kind is PageKind.INDEX]:
            board = PendingPage(url, 1, PageKind.INDEX, url, 1, 0, 0, None, None, None, None)
            archive.save(failed_outcome(board, datetime.now(UTC), "the page links to no thread", FailureKind.NO_ROWS))
        kinds = {(one.kind, one.failure, one.number) for one in archive.facts(1).failures}
    assert kinds == {(PageKind.INDEX, FailureKind.NO_ROWS, 4)}
