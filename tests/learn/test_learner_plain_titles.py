"""Learning a forum whose pages all have one `<title>`, with titles in plain paragraphs and views that are counted."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from tests.learn.test_learner_people import PEOPLE, by, words
from tests.learn.test_learner_sites import learned_from, routed, site

from thrawl.page.tree import parse
from thrawl.profile.cutting import PostWrapper
from thrawl.profile.urltypes import UrlTypes

BOARDS = range(1, 7)
THREADS = range(60)  # ten in each board
PER_PAGE = 5
KINDS = ("question", "answer", "remark")  # on an answer


def framed(name: str, main: str) -> str:
    menu = '<nav><a href="/">Home</a> <a href="login">Log in</a> <a href="join">Join</a></nav>'
    return f"<html><head><title>{name}</title></head><body>{menu}{main}</body></html>"


def title(thread: int) -> str:
    return f"{words(thread, 5)} {thread}".capitalize()


def kinds_of(thread: int) -> tuple[str, ...]:
    answers = (("answer", "remark"), ("answer",), ("answer", "answer", "remark", "answer"), ())[thread % 4]
    return ("question", *answers)


def box(thread: int, number: int, kind: str) -> str:
    name = PEOPLE[by(thread, number)]
    form = f'<div id="r{thread * 10 + number}"><b>Answer here:</b><form><textarea></textarea></form></div>'
    return (
        f'<div class="{kind}-part"><div class="{kind}-row"><div class="who"><a class="name">{name}</a>'
        f'<small>{number + 3} posts</small></div><div class="{kind}-said"><p>{words(thread * 7 + number, 18)} '
        f"{thread}/{number}.</p></div>{form if kind == 'answer' else ''}</div></div>"
    )


def thread_page(thread: int) -> str:
    opening, *answers = (box(thread, number, kind) for number, kind in enumerate(kinds_of(thread)))
    head = f'<div class="top"><div class="line"><p class="big">{title(thread)}</p></div>{opening}</div>'
    return framed("Detail", f"{head}<h5>Comments</h5>{''.join(answers)}")


class Forum:
    """Its lists count how often their threads were asked for, and no number of their pagers is without a link."""

    def __init__(self) -> None:
        self._views: Counter[int] = Counter()
        self.page = routed(
            entry=lambda _: framed("Start", "".join(map(self._board, BOARDS))),
            board=lambda asked: self._list(asked["b"], asked.get("page", 1)),
            talk=lambda asked: self._thread(asked["id"]),
        )

    def _board(self, board: int) -> str:
        name = words(board * 31, 1)
        return f'<div class="entry"><a href="board?b={board}">{name}</a><p>About it</p><p>10 talks</p></div>'

    def _list(self, board: int, page: int) -> str:
        mine = [one for one in THREADS if one % len(BOARDS) + 1 == board]
        shown = mine[(page - 1) * PER_PAGE : page * PER_PAGE] or mine[-PER_PAGE:]
        rows = "".join(
            f'<div class="row"><a href="talk?id={one}">{title(one)}</a><p>{words(one * 7, 9)}...</p>'
            f"<p>{self._views[one]} views | {len(kinds_of(one)) - 1} comments</p></div>"
            for one in shown
        )
        pager = " ".join(f'<a href="board?b={board}&page={one}">{one}</a>' for one in (1, 2))
        return framed("Posts", f'<p class="big">{words(board * 31, 1)}</p>{rows}<div>Pages: {pager}</div>')

    def _thread(self, thread: int) -> str:
        self._views[thread] += 1
        return thread_page(thread)


async def test_a_page_is_named_by_what_it_says_first_and_counts_of_views_make_no_other_list() -> None:
    async with site(Forum().page) as forum:
        profile = (await learned_from(forum.url)).profile
        types = UrlTypes(profile)
        kinds = [found and found.kind for one in ("board?b=4", "talk?id=44") if (found := types.type(forum.url + one))]
        assert kinds == ["index", "thread"]
        assert [(one.first, one.step) for one in profile.index[0].flips] == [(1, 1)]


async def test_posts_of_several_looks_are_cut_by_the_box_of_the_author_that_they_share() -> None:
    async with site(Forum().page) as forum:
        learned = (await learned_from(forum.url)).profile.post_wrapper
        assert learned is not None
        wrapper = PostWrapper.from_json(learned)
        for thread in range(8):
            url = f"{forum.url}talk?id={thread}"
            cut = wrapper.cut(parse(thread_page(thread)), url, datetime(2026, 1, 1, tzinfo=UTC)) or ()
            assert [post.author for post in cut] == [
                PEOPLE[by(thread, number)] for number in range(len(kinds_of(thread)))
            ]
            assert [post.text.split()[-1] for post in cut] == [
                f"{thread}/{number}." for number in range(len(kinds_of(thread)))
            ]
