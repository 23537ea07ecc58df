"""Which times a page shows, and where."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thrawl.page.reading import read_page
from thrawl.page.times import TimeMention, find_times
from thrawl.page.tree import TEXT, parse

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def only(html: str) -> TimeMention:
    mentions = find_times(parse(html), NOW)
    assert len(mentions) == 1, mentions
    return mentions[0]


def test_a_time_in_a_text_node_is_found_with_its_place() -> None:
    tree = parse("<div><p>Joined: 3 May 2004</p><p>posted on 31-12-2024 at 08:08 PM by <a>Bob</a></p></div>")
    joined, posted = find_times(tree, NOW)
    assert (joined.text, joined.kind, joined.precision) == ("3 May 2004", "absolute", "day")
    assert posted.text == "31-12-2024 at 08:08 PM"
    assert tree.tags[posted.node] == TEXT
    assert tree.texts[posted.node].startswith("posted on")


@pytest.mark.parametrize(
    "html",
    [
        "<p>Posted: <b>Mon</b> 3 May 2004, 14:05</p>",
        "<p><span>3 May 2004</span><span>14:05</span></p>",
        "<p><span>3 May 2004</span> at <b>2:05 PM</b></p>",
        "<p>Mon, <i>3 May 2004</i>, <small>14:05</small></p>",
        "<p><span>3</span><span>May</span><span>2004</span> <em>14:05</em></p>",
        "<p><b>Reply #3 - </b>May 3<sup>rd</sup>, 2004 at 2:05pm</p>",
        "<p>by <a>Bob99</a> » <a>Mon May 03, 2004 2:05 pm</a></p>",
    ],
)
def test_a_time_spread_over_a_line_is_one_mention(html: str) -> None:
    assert only(html).value(NOW) == datetime(2004, 5, 3, 14, 5, tzinfo=UTC)


def test_a_count_beside_a_date_is_no_part_of_it() -> None:
    assert only("<p><b>12</b> <span>Oct 31</span></p>").text == "Oct 31"


def test_lines_that_a_block_parts_are_read_apart() -> None:
    mentions = find_times(parse("<div>3 May 2004<div>14:05</div></div><table><tr><td>5 May 2004<td>3:04</table>"), NOW)
    assert [mention.text for mention in mentions] == ["3 May 2004", "5 May 2004"]


@pytest.mark.parametrize(
    ("html", "attribute"),
    [
        ('<time datetime="2025-05-20T07:35:24+00:00">May 2025</time>', "datetime"),
        ('<time datetime="2025-05-20T09:35:24+02:00" title="May 20, 2025 9:35AM">May 20</time>', "datetime"),
        ('<time title="May 20, 2025 7:35:24 UTC" datetime="2025-05-20T09:35:24+02:00">May 20</time>', "datetime"),
        ('<abbr data-utime="1747726524" title="x">May 20</abbr>', "data-utime"),
        ('<span data-x="1747726524"><a>18 months ago</a></span>', "data-x"),
        ('<span title="2025-05-20 07:35:24 UTC">18 months ago</span>', "title"),
        ('<b title="2025-05-20 07:35:24 UTC — Tuesday the 20th of May 2025, 7:35 AM">18 months ago</b>', "title"),
    ],
)
def test_an_attribute_that_names_the_instant_wins_over_vaguer_text(html: str, attribute: str) -> None:
    mention = only(html)
    assert mention.value(NOW) == datetime(2025, 5, 20, 7, 35, 24, tzinfo=UTC)
    assert (mention.attribute, mention.precision) == (attribute, "second")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<time datetime="2025-05-20T07:35:24Z"></time>', "2025-05-20T07:35:24Z"),
        ('<meta itemprop="datePublished" content="2025-05-20T07:35:24Z">', "2025-05-20T07:35:24Z"),
        ('<span title="2025-05-20T07:35:24Z">18mo</span>', "18mo"),
        ('<li data-timestamp="1747726524000"><p>words</p></li>', "words"),
    ],
)
def test_a_time_that_only_an_attribute_names_is_found(html: str, text: str) -> None:
    mention = only(f"<body><div>{html}</div>")
    assert mention.kind == "attribute"
    assert mention.text == text
    assert mention.value(NOW) == datetime(2025, 5, 20, 7, 35, 24, tzinfo=UTC)


def test_a_zoneless_attribute_that_contradicts_the_text_is_not_believed() -> None:
    mention = only('<time datetime="2021-03-15T12:23:16">03-15-2021, 11:23 AM</time>')
    assert mention.exact is None
    assert mention.value(NOW) == datetime(2021, 3, 15, 11, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "words " * 30 + "and 3 hours ago we went there</p>",
        "<p>Show today's posts, please</p>",
        "<p>Klicken Sie <a>hier</a></p>",
        "<select><option>1 day ago</option></select>",
        "<p>Powered by Board 1.10.02, 192.168.10.12</p>",
        '<a title="Thread by Bob, started 3 May 2004 and moved by Eve to another board">words</a>',
        '<a title="3 May 2004 10:00 - 5 May 2004 12:00">words</a>',
        '<p data-id="1747726524">words</p>',
        "<p>The fair is on 3 May 2031</p>",
    ],
)
def test_prose_menus_numbers_and_the_future_are_no_times(html: str) -> None:
    assert find_times(parse(f"<body>{html}"), NOW) == ()


def test_a_page_keeps_its_dates_of_the_future_beside_its_times() -> None:
    page = read_page("<p>posted 3 May 2004</p><p>meeting on 3 May 2044</p>", "http://forum.test/", reference=NOW)
    assert [mention.text for mention in page.times] == ["3 May 2004"]
    assert [mention.text for mention in page.mentions] == ["3 May 2004", "3 May 2044"]


BUSY_SECONDS = 20  # of CPU, for what takes a tenth of a second: on a busy machine all takes longer, quadratic much more


@pytest.mark.parametrize(
    "html",
    [
        "", "plain text", "\x00\ufffd\ud800", "<p>" * 3000 + "3 May 2004", "<span>" * 3000 + "3 May 2004 ",
        "<time datetime>",
        "<b>3</b>" * 5000, "<i></i>" * 20_000 + "3 May 2004", "<i>1 May 2004</i>" * 5000,
        "<p>" + "3 May 2004 " * 20_000,
        "<span title='" + "1/" * 30 + "'>x</span>" * 3000, "12:" * 50_000, "<a>yesterday " * 2000,
    ],
)  # fmt: skip
def test_bad_pages_give_a_result_in_linear_time(html: str) -> None:
    tree = parse(html)
    start = time.process_time()
    find_times(tree, NOW)
    assert time.process_time() - start < BUSY_SECONDS


MARKUP = [
    "<b>", "</b>", "<p>", "<td>", "<br>", "3 May", " 2004", "14:05", " ", "</time>",
    "<time datetime='2004-05-03T14:05Z'>", "yesterday", "03/04/2004", "<span title='3 May 2004 14:05'>",
    "</span>", "5 min ago", "Mon, ", "am", "昨天",
]  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.sampled_from(MARKUP), max_size=30).map("".join))
def test_mentions_stand_in_page_order_and_hold_together(html: str) -> None:
    tree = parse(html)
    mentions = find_times(tree)
    assert [mention.node for mention in mentions] == sorted(mention.node for mention in mentions)
    for mention in mentions:
        assert 0 <= mention.node < mention.end <= len(tree)
        assert mention.text
        mention.value(NOW)
