"""What the rivals are made of, each by the paper's own example where it prints one."""

from __future__ import annotations

import re

import pytest

from thrawl.errors import UsageError
from thrawl.lab.rivals.fingerprint import Uniques, simhash
from thrawl.lab.rivals.focus.classifier import TABLE_1, FocusClassifier, vector_of
from thrawl.lab.rivals.focus.regexes import learn_regexes
from thrawl.lab.rivals.layout import Weights, single_linkage
from thrawl.lab.rivals.look import Looks, look_at
from thrawl.lab.rivals.measures import connectivity, coverage, informativeness
from thrawl.lab.rivals.strategies import RIVALS, STRATEGIES, strategy_named
from thrawl.lab.rivals.treelikeness import SIMILAR, Outlines
from thrawl.lab.rivals.urlforms import UrlForms
from thrawl.lab.rivals.urlregex import generalised
from thrawl.net.message import Response
from thrawl.page.features import Features
from thrawl.page.tree import parse

GARDEN = [f"http://www.garden.test/about{number}.html" for number in (20152, 18382, 19741, 20142)]
STRAYS = ["http://www.garden.test/user34.html", "http://www.garden.test/post180803.html"]
WORDS = (
    "the quick brown fox jumps over a lazy dog and then some more of it follows in the second half of the page".split()
)


def response(html: str, url: str = "http://f.test/") -> Response:
    from datetime import UTC, datetime

    headers = (("Content-Type", "text/html"),)
    return Response(url, url, 200, headers, html.encode(), "utf-8", datetime(2026, 1, 1, tzinfo=UTC))


# --- criteria


def test_pages_that_are_all_alike_inform_of_nothing_and_different_ones_of_everything() -> None:
    assert informativeness([5]) == 0
    assert informativeness([1, 1, 1, 1]) == pytest.approx(1)
    assert 0 < informativeness([3, 1]) < 1
    assert informativeness([1]) == 1
    assert informativeness([]) == 0


def test_coverage_is_the_share_of_the_unique_pages() -> None:
    assert coverage(3, 4) == 0.75
    assert coverage(0, 0) == 0


def test_page_numbers_lead_back_and_next_thread_does_not() -> None:
    pager = [(f"t1-{one}", f"t1-{two}") for one in range(3) for two in range(3)]
    neighbours = [("t1-2", "t2-0"), ("t2-0", "t3-0"), ("t3-0", "t4-0")]
    assert connectivity(pager) == 1
    assert connectivity(neighbours) == 0
    assert connectivity([]) is None


# --- near-duplicates


def test_a_changed_word_is_a_duplicate_and_another_text_is_not() -> None:
    uniques = Uniques()
    text = " ".join(f"{word}{number}" for number in range(30) for word in WORDS)
    assert uniques.add(simhash(text)) == uniques.add(simhash(text + " today"))
    assert uniques.add(simhash(" ".join(reversed(text.split())))) == 1
    assert len(uniques) == 2


def test_a_page_without_words_has_a_fingerprint() -> None:
    assert simhash(" <> !") == 0


# --- looks and layouts

ROW = '<li class="row odd"><a href="/t{0}">title {0}</a> <a href="/u{0}" rel="nofollow">user {0}</a></li>'


def page(rows: int, more: str = "", head: str = "") -> str:
    listed = "".join(ROW.format(number) for number in range(rows))
    return f"<html><head>{head}</head><body class='page-{rows}'><ul class='list'>{listed}</ul>{more}</body></html>"


def test_links_of_one_column_stand_at_one_location_on_whatever_page() -> None:
    one, two = look_at(page(3), "http://f.test/a"), look_at(page(5), "http://f.test/b")
    assert one is not None
    assert two is not None
    titles = {link.location for look in (one, two) for link in look.links if "/t" in link.url}
    users = {link.location for look in (one, two) for link in look.links if "/u" in link.url}
    assert len(titles) == 1
    assert titles == users  # both stand right in the row: only their URLs tell them apart
    assert one.regions == two.regions


def test_nofollow_is_seen_on_links_and_for_a_whole_page() -> None:
    look = look_at(page(2), "http://f.test/")
    assert look is not None
    assert {link.nofollow for link in look.links if "/u" in link.url} == {True}
    closed = look_at(page(2, head='<meta name="robots" content="noindex, nofollow">'), "http://f.test/")
    assert closed is not None
    assert all(link.nofollow for link in closed.links)


def test_a_session_id_that_all_links_of_the_first_page_share_is_taken_off() -> None:
    links = "".join(f'<a href="/t?n={number}&amp;s=4f3a9c0d1e7b2a68">x</a>' for number in range(4))
    look = Looks().look(response(f"<html><body>{links}</body></html>"))
    assert look is not None
    assert [link.url for link in look.links] == [f"http://f.test/t?n={number}" for number in range(4)]


def test_what_is_no_page_is_not_looked_at() -> None:
    assert Looks().look(response("<rss></rss>")) is None


def test_clusters_grow_along_a_chain_of_like_layouts() -> None:
    layouts = [frozenset({1, 2, 3, 4}), frozenset({2, 3, 4, 5}), frozenset({3, 4, 5, 6}), frozenset({9})]
    weights = Weights.of(layouts)
    assert weights.likeness(layouts[0], layouts[2]) < 0.35 <= weights.likeness(layouts[0], layouts[1])
    assert single_linkage(layouts, weights, 0.35) == [0, 0, 0, 1]


def test_a_thread_with_ten_posts_has_the_tree_of_one_with_two() -> None:
    outlines = Outlines()
    post = "<div class=post><div>author</div><table><tr><td>words</td></tr></table></div>"
    short, long = (outlines.outline(parse(f"<body><h1>t</h1>{post * number}</body>")) for number in (2, 10))
    other = outlines.outline(parse("<body><form><div><ul><li>1</li></ul></div></form><dl><dt>x</dt></dl></body>"))
    assert outlines.likeness(short, long) == 1
    assert outlines.likeness(short, other) < SIMILAR


# --- URL patterns


def test_titles_are_open_in_the_form_of_a_link_and_modes_are_not() -> None:
    urls = [f"http://f.test/talk/{number}/the-{word}-{number}" for number, word in enumerate(WORDS)]
    urls += ["http://f.test/show?mode=reply&n=4", "http://f.test/show?mode=quote&n=5"]
    forms = UrlForms(urls)
    assert len({forms.form(url) for url in urls}) == 3
    assert forms.form("http://f.test/talk/999/never-seen") == forms.form(urls[0])


def test_a_stray_example_opens_the_pattern_of_vidal() -> None:
    regexes = generalised([*GARDEN, *STRAYS])
    assert {regex.expression for regex in regexes.values()} == {r"http://www\.garden\.test/[A-Za-z]+\d+\.html"}
    assert generalised(GARDEN)[GARDEN[0]].matches("http://www.garden.test/about7.html")
    assert not generalised(GARDEN)[GARDEN[0]].matches(STRAYS[0])


def test_stray_examples_do_not_open_the_pattern_of_koppula() -> None:
    assert learn_regexes([*GARDEN, *STRAYS]) == (r"http://www\.garden\.test/about\d+\.html",)


def test_a_regex_stays_open_for_boards_and_titles_that_the_training_set_lacks() -> None:
    urls = [f"http://f.test/{board}/{number}-about-{word}" for board in (1, 2) for number, word in enumerate(WORDS)]
    (regex,) = learn_regexes(urls)
    assert re.fullmatch(regex, "http://f.test/3/77-never-seen-before")
    assert not re.fullmatch(regex, "http://f.test/3/members")
    assert learn_regexes([]) == ()


# --- FoCUS' classifier and the names


def test_the_classifier_of_focus_sees_table_1_and_nothing_else() -> None:
    features = Features(*range(14))
    assert len(TABLE_1) == 8
    assert vector_of(features) == tuple(map(float, range(8)))
    classifier = FocusClassifier.load()
    assert {classifier.classify(features)} <= {"index", "thread", "other"}


def test_every_strategy_has_its_name() -> None:
    assert STRATEGIES == ("thrawl", "focus", "skeleton", "irobot", "structure", "generic")
    assert [strategy_named(name).name for name in RIVALS] == list(RIVALS)
    with pytest.raises(UsageError, match="there is no strategy 'best'"):
        strategy_named("best")
