"""`thrawl bench --random`: what is counted is what was crawled."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from thrawl.archive.values import StoredPost
from thrawl.cli.main import main
from thrawl.errors import UsageError
from thrawl.lab.bench.blame import blamed, suspects
from thrawl.lab.bench.forums import ForumResult, Order, crawl_forum
from thrawl.lab.bench.forumtables import by_choice, failure_line, report_of
from thrawl.lab.bench.forumtruth import likeness, score_posts
from thrawl.lab.random import Site, draw, forum
from thrawl.lab.random.choices import common_option, option_named
from thrawl.lab.random.content import make_world

# --- a forum of the plainest choices: what everybody can crawl
PLAIN = {
    "structure": "boards", "landing": "none", "above": "nothing", "nested": "flat", "start": "entry", "threads": 20,
    "shape": "query", "home": "folder", "thread_place": "own", "thread_id": "number", "board_id": "number",
    "forms": "one", "session": "none", "rows": "table", "board_rows": "table", "counts": "replies",
    "last_column": "both", "row_author": "link", "row_extra": "none", "markup": "divs", "author": "link",
    "avatar": "none", "number": "none", "anchor": "id", "permalink": "none", "reply_to": "none", "time": "text",
    "time_format": "iso", "board_pager": "numbers", "thread_pager": "numbers", "pager_fault": "none",
    "from_end": "no", "language": "en", "classes": "full", "charset": "utf-8", "broken": "none", "crumbs": "full",
    "heading": "h1", "robots": "none", "tags": False, "word_menu": False, "profiles": "short", "board_page": 8,
    "wall": False, "whole": False, "index_trees": False, "inline": "none", "items": "list", "attachments": False,
}  # fmt: skip


@pytest.fixture(scope="module")
def plain() -> Site:
    choices = replace(draw(1), **PLAIN)
    return Site(choices, make_world(choices))


@pytest.fixture
async def result(plain: Site) -> ForumResult:
    return await crawl_forum(plain)


def perfect(site: Site) -> list[StoredPost]:
    """What a perfect archive holds of a forum."""
    view, moment = site.plan.view, site.plan.view.moment
    return [
        StoredPost(
            forum="f",
            board=(),
            board_url=None,
            thread_url=str(number),
            thread_title=None,
            post_id=str(post.id),
            post_url=None,
            position=post.position,
            author=post.author.name,
            author_url=None,
            published=post.time,
            published_text=None,
            edited=None,
            text=post.text,
            html="",
            quotes=(),
            reply_to=None,
            depth=None,
            first_seen=moment,
            vanished=None,
            revision=1,
            fetched=moment,
            id=post.id,
            thread_id=number,
            identity=str(post.id),
        )
        for number in view.all_thread_ids()
        for post in view.posts(number)
    ]


async def test_a_plain_forum_passes(result: ForumResult) -> None:
    assert result.passed, failure_line(result)
    assert result.fetched.post_coverage == 1.0
    assert result.fetched.overhead < 1.5


def test_a_perfect_archive_scores_one(plain: Site) -> None:
    scores = score_posts(plain, perfect(plain))
    assert (scores.coverage, scores.precision, scores.recall) == (1.0, 1.0, 1.0)
    assert (scores.author, scores.time) == (1.0, 1.0)


def test_a_thread_archived_twice_costs_precision(plain: Site) -> None:
    archived = perfect(plain)
    copies = [replace(post, thread_url="copy") for post in archived if post.thread_url == archived[0].thread_url]
    assert score_posts(plain, [*archived, *copies]).precision == len(archived) / (len(archived) + len(copies))


def test_a_lost_first_post_costs_coverage(plain: Site) -> None:
    archived = perfect(plain)
    lost = max((post for post in archived if post.position == 1), key=lambda post: len(post.text))
    scores = score_posts(plain, [post for post in archived if post is not lost])
    assert scores.coverage == 1 - 1 / plain.plan.view.thread_count


def test_wrong_authors_and_times_are_counted(plain: Site) -> None:
    archived = perfect(plain)
    wrong = [replace(post, author="Rank", published=post.published + timedelta(hours=5)) for post in archived]
    scores = score_posts(plain, wrong)
    assert (scores.author, scores.time) == (0.0, 0.0)


def test_half_a_post_is_not_that_post(plain: Site) -> None:
    archived = perfect(plain)
    halves = [replace(post, text=post.text[: len(post.text) // 2]) for post in archived if len(post.text) > 300]
    assert score_posts(plain, halves).recall == 0.0


@pytest.mark.parametrize(("one", "other", "least", "most"), [("abc", "abc", 1, 1), ("abcdef", "uvwxyz", 0, 0)])
def test_likeness_goes_from_nothing_to_one(one: str, other: str, least: float, most: float) -> None:
    assert least <= likeness(one, other) <= most


async def test_failures_are_counted_by_choice(result: ForumResult) -> None:
    failed = replace(result, choices=replace(result.choices, markup="tree"), posts=replace(result.posts, coverage=0.2))
    counts = {count.choice: count for count in by_choice([result, result, failed])}
    assert (counts["markup=tree"].forums, counts["markup=tree"].failed) == (1, 1)
    assert "markup=divs" not in counts
    assert by_choice([result, result, failed])[0].choice == "markup=tree"
    assert counts["markup=tree"].surprise > counts["rows=table"].surprise == 0.0
    assert "coverage 0.20" in failure_line(failed)


async def test_the_report_follows_the_contract(result: ForumResult) -> None:
    (row,) = report_of([result], 1).results
    contract = {"site", "strategy", "requests", "learning_pages", "thread_pages", "effectiveness", "coverage"}
    assert contract | {"informativeness", "seconds"} <= row.keys()
    assert row["coverage"] == 1.0


def test_one_seed_runs_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--random", "1", "--seed", "2", "--report", str(tmp_path)]) == 0
    assert "random forums" in capsys.readouterr().out
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["seed"] == 2
    assert [row["site"] for row in report["results"]] == ["random-2"]


def test_every_seed_has_its_own_forum() -> None:
    assert forum(5).entry_path != forum(6).entry_path or forum(5).choices != forum(6).choices


def test_a_choice_can_be_given_for_all_forums() -> None:
    assert {forum(seed, markup="tree").choices.markup for seed in range(8)} == {"tree"}
    assert option_named("sorting=true") == ("sorting", True)
    for wrong in ("colour=red", "markup=stone"):
        with pytest.raises(UsageError):
            option_named(wrong)


def test_suspects_differ_from_the_forum_in_one_common_answer() -> None:
    order = Order(17)
    drawn = draw(17)
    for suspect in suspects(order):
        ((name, value),) = suspect.given
        assert value == common_option(name) != getattr(drawn, name)
    assert "threads" not in {suspect.given[0][0] for suspect in suspects(order)}


def test_choices_are_blamed_by_how_many_failures_they_explain() -> None:
    assert blamed({1: ["a=1", "b=2"], 2: ["a=1"], 3: []}) == [("a=1", 2), ("b=2", 1)]
