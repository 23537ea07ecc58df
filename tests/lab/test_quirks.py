"""The quirks of real forums, one by one, on the skins that have them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from selectolax.lexbor import LexborHTMLParser

from thrawl.lab.generate import generate
from thrawl.lab.skins import SKINS, Layers, skin_named
from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.skins.values import Answer, Visit
from thrawl.lab.world import View

WANTED = [
    "session ids",
    "sort links",
    "filter links",
    "print views",
    "post permalinks",
    "last-post shortcuts",
    "jump menu",
    "endless calendar",
    "profiles",
    "login wall",
    "search form",
    "quick-reply form",
    "1 2 3 … 9 next last",
    "offset pager",
    "cursor pager with only next",
    "pagers inside <noscript>",
    "redirecting form of the thread",
    "answer 200 without a thread id",
    "sticky threads repeated on every page",
    "first post repeated on every page of its thread",
    "dates only in attributes",
    "months only",
    "no dates at all",
    "ads between posts",
    "relative dates",
]


def busy(skin: Skin) -> View:
    """A forum with long lists, as of an hour after its last post."""
    world = generate(150, seed=11, language=skin.language.code)
    return world.at(world.end + timedelta(hours=1))


def shown(skin: Skin, view: View, place: SitePage) -> str:
    return skin.answer(skin.path(place, view), Visit(skin, view)).body


def longest_thread(view: View) -> int:
    return max(view.all_thread_ids(), key=view.size)


def largest_board(view: View) -> int:
    return max((board.id for board in view.boards), key=lambda number: len(view.thread_ids(number)))


def hrefs(page: str, css: str = "a[href]") -> list[str]:
    return [node.attributes["href"] or "" for node in LexborHTMLParser(page).css(css)]


@pytest.mark.parametrize("quirk", WANTED)
def test_some_skin_has_each_quirk(quirk: str) -> None:
    assert any(quirk in named for skin in SKINS.values() for named in skin.quirks)


def test_there_are_eight_families_and_three_languages_at_least() -> None:
    assert len({skin.family for skin in SKINS.values()}) >= 8
    assert len({skin.language.code for skin in SKINS.values()}) >= 3


def test_pagers_inside_noscript_are_the_only_way_to_later_pages() -> None:
    skin = skin_named("lounge")
    view = busy(skin)
    page = shown(skin, view, SitePage("board", largest_board(view)))
    second = skin.path(SitePage("board", largest_board(view), 2), view)
    assert f'href="{second}"' in page
    assert f'href="{second}"' not in re.sub(r"<noscript>.*?</noscript>", "", page)


def test_rows_link_only_to_a_form_that_redirects() -> None:
    skin = skin_named("lounge")
    view = busy(skin)
    links = hrefs(shown(skin, view, SitePage("board", largest_board(view))), "dl.talks a")
    assert links
    for link in links:
        answer = skin.answer(link, Visit(skin, view))
        assert answer.status == 301
        assert skin.truth(answer.location or "", view).kind == "thread"


def test_the_lounge_shows_no_date_on_its_lists_and_threads() -> None:
    skin = skin_named("lounge")
    view = busy(skin)
    for place in (SitePage("entry"), SitePage("board", largest_board(view)), SitePage("thread", longest_thread(view))):
        assert not re.search(r"20\d\d|\d\d:\d\d|ago|today|yesterday", shown(skin, view, place))


def test_permalinks_without_a_thread_id_show_the_thread_page_itself() -> None:
    skin = skin_named("tables")
    view = busy(skin)
    post = view.posts(longest_thread(view))[-1]
    answer = skin.answer(f"/bench/talk.cgi?msg={post.id}", Visit(skin, view))
    home = skin.truth(f"/bench/talk.cgi?msg={post.id}", view).canonical
    assert answer.status == 200
    assert home is not None
    assert answer.body == skin.answer(home, Visit(skin, view)).body


def test_pinned_threads_stand_on_every_page_of_their_board() -> None:
    skin = skin_named("rows")
    view = busy(skin)
    board = max(
        (board.id for board in view.boards if view.sticky_count(board.id)), key=lambda n: len(view.thread_ids(n))
    )
    pinned = skin.path(SitePage("thread", int(view.thread_ids(board)[0])), view)
    pages = skin.page_count(SitePage("board", board), view)
    assert pages > 1
    assert all(pinned in shown(skin, view, SitePage("board", board, page)) for page in range(1, pages + 1))


@pytest.mark.parametrize("name", ["answers", "journal"])
def test_the_first_post_is_repeated_on_every_page_of_its_thread(name: str) -> None:
    skin = skin_named(name)
    view = busy(skin)
    thread = longest_thread(view)
    first = view.posts(thread, 0, 1)[0].id
    pages = skin.page_count(SitePage("thread", thread), view)
    assert pages > 1
    assert all(skin.posts_on(SitePage("thread", thread, page), view)[0] == first for page in range(1, pages + 1))


def test_a_cursor_pager_has_only_a_next_link_without_arithmetic() -> None:
    skin = skin_named("cards")
    view = busy(skin)
    board = largest_board(view)
    page = shown(skin, view, SitePage("board", board, 2))
    flips = [link for link in hrefs(page) if "after=" in link]
    assert flips == [skin.path(SitePage("board", board, 3), view)]


def test_a_cursor_loses_no_thread_when_replies_move_threads_up() -> None:
    skin = skin_named("cards")
    world = generate(150, seed=11)
    early = world.at(world.start + (world.end - world.start) * 0.8)
    board = largest_board(early)
    first, cursor = skin.threads_on(SitePage("board", board), early), skin.path(SitePage("board", board, 2), early)
    late = world.at(early.moment + timedelta(days=3))
    place = skin.place(cursor, late)
    assert place is not None
    following = set(early.thread_ids(board).tolist()) - set(first)
    unmoved = [number for number in late.thread_ids(board).tolist() if number in following]
    later_pages = range(place.page, skin.page_count(SitePage("board", board), late) + 1)
    reached = {number for page in later_pages for number in skin.threads_on(SitePage("board", board, page), late)}
    stale = {number for number in unmoved if late.size(number) == early.size(number)}
    assert stale <= reached


def test_the_calendar_never_ends() -> None:
    skin = skin_named("tables")
    view = busy(skin)
    seen = set()
    path = "/bench/dates.cgi"
    for _ in range(40):
        answer = skin.answer(path, Visit(skin, view))
        assert answer.status == 200
        path = [link for link in hrefs(answer.body) if "m=" in link][-1]
        assert path not in seen
        seen.add(path)


def test_near_dates_are_words_and_older_ones_numbers() -> None:
    skin = skin_named("rows")
    view = busy(skin)
    page = shown(skin, view, SitePage("entry"))
    assert re.search(r"(Heute|Gestern), \d\d:\d\d", page)
    assert re.search(r"\d\d\.\d\d\.20\d\d, \d\d:\d\d", page)


def test_exact_times_stand_only_in_attributes() -> None:
    skin = skin_named("cards")
    view = busy(skin)
    tree = LexborHTMLParser(shown(skin, view, SitePage("thread", longest_thread(view))))
    post = view.posts(longest_thread(view), 0, 1)[0]
    stamp = tree.css_first("article.note time")
    assert stamp is not None
    assert stamp.attributes["datetime"] == f"{post.time:%Y-%m-%dT%H:%M:%SZ}"
    assert stamp.text() == f"{skin.language.months[post.time.month - 1]} {post.time.year}"


def test_ads_stand_between_posts() -> None:
    skin = skin_named("rows")
    view = busy(skin)
    tree = LexborHTMLParser(shown(skin, view, SitePage("thread", longest_thread(view))))
    kinds = [node.attributes.get("class") for node in tree.css("div.beitraege > div")]
    assert "anzeige" in kinds[1:]


def test_profiles_can_stand_behind_a_wall() -> None:
    skin = skin_named("rows")
    view = busy(skin)
    answer = skin.answer(skin.path(SitePage("user", 3), view), Visit(skin, view))
    assert answer.status == 403
    assert 'type="password"' in answer.body


def test_script_made_lists_are_absent_from_the_page_and_present_in_its_data() -> None:
    skin = skin_named("script")
    view = busy(skin)
    path = skin.path(SitePage("board", largest_board(view)), view)
    title = view.thread(int(view.thread_ids(largest_board(view))[0]))
    assert title is not None
    assert title.title not in skin.answer(path, Visit(skin, view)).body
    assert title.title in skin.answer(skin.data_url(path), Visit(skin, view)).body


@pytest.mark.parametrize("name", sorted(SKINS))
def test_every_layer_can_be_switched_off(name: str) -> None:
    bare = skin_named(name, Layers(feed=False, newest=False, entry_last=False, row_last=False, row_replies=False))
    view = busy(bare)
    place = SitePage("entry") if bare.entry_lists_threads else SitePage("board", largest_board(view))
    path = bare.data_url(bare.path(place, view))
    full = skin_named(name, Layers())
    assert bare.answer(path, Visit(bare, view)).body != full.answer(path, Visit(full, view)).body
    for what in ("feed", "newest"):
        link = bare.path(SitePage(what), view)
        assert f'href="{link}' in shown(full, view, SitePage("entry"))
        assert f'href="{link}' not in shown(bare, view, SitePage("entry"))
        assert full.answer(link, Visit(full, view)).status == 200
        assert bare.answer(link, Visit(bare, view)).status == 404


def test_a_feed_lists_the_latest_posts_first() -> None:
    skin = skin_named("rows")
    view = busy(skin)
    answer = skin.answer("/neu.atom", Visit(skin, view))
    assert isinstance(answer, Answer)
    assert answer.content_type == "application/atom+xml"
    stamps = re.findall(r"<entry>.*?<updated>(.*?)</updated>", answer.body)
    assert stamps == sorted(stamps, reverse=True)
    assert stamps[0] == view.latest_time.isoformat()


def test_a_sorted_board_shows_other_rows_and_flips_in_its_own_order() -> None:
    skin = skin_named("tables")
    view = busy(skin)
    board = largest_board(view)
    proper, turned = SitePage("board", board), SitePage("board", board, key="title", form="sorted")
    assert skin.threads_on(proper, view) != skin.threads_on(turned, view)
    assert f"/bench/box.cgi?no={board}&by=title&pg=2" in hrefs(shown(skin, view, turned))
    truth = skin.truth(skin.path(turned, view), view)
    assert (truth.type, truth.canonical, truth.kind) == ("index", None, None)


def test_a_thread_answers_under_any_slug_but_only_one_is_canonical() -> None:
    skin = skin_named("cards")
    view = busy(skin)
    number = longest_thread(view)
    assert skin.answer(f"/chats/any-words.{number}", Visit(skin, view)).status == 200
    truth = skin.truth(f"/chats/any-words.{number}", view)
    assert (truth.type, truth.kind) == ("thread", None)
    assert truth.canonical == skin.path(SitePage("thread", number), view)


def test_one_author_view_leaves_out_the_others() -> None:
    skin = skin_named("leaves")
    view = busy(skin)
    posts = view.posts(longest_thread(view))
    place = SitePage("thread", posts[0].thread, key=str(posts[0].author.id), form="author")
    numbers = skin.posts_at(skin.path(place, view), view)
    assert numbers
    assert all(post.author == posts[0].author for post in posts if post.id in numbers)


def test_signatures_stand_below_posts_and_belong_to_none() -> None:
    skin = skin_named("tables")
    view = busy(skin)
    post = next(post for post in view.posts(longest_thread(view)) if view.world.signature(post.author))
    signature = view.world.signature(post.author)
    answer = skin.answer(f"/bench/talk.cgi?msg={post.id}", Visit(skin, view))
    tree = LexborHTMLParser(answer.body)
    assert signature in [node.text() for node in tree.css("hr + small")]
