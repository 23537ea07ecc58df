"""Page wrappers: the title of a thread page, and the boards above it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.learn.wrapperpages import Forum, forum_in, some

from thrawl.learn.wrappers.learnheading import learn_page_wrapper
from thrawl.page.reading import Page, read_page
from thrawl.page.tree import parse
from thrawl.profile.heading import PageWrapper, TitleField, head_of


@pytest.fixture(scope="module", params=["rows", "cards", "tables", "leaves"])
def forum(request: pytest.FixtureRequest) -> Forum:
    return forum_in(request.param, threads=80)


def title_of(forum: Forum, url: str) -> str:
    thread = forum.view.thread(forum.thread_of(url))
    assert thread is not None
    return thread.title


@pytest.mark.parametrize("with_rows", [True, False])
def test_titles_are_the_words_that_led_there(forum: Forum, with_rows: bool) -> None:
    urls = some(forum.urls("thread"), 14)
    anchors = {url: title_of(forum, url) for url in urls if forum.is_thread(url)} if with_rows else {}
    index = [forum.page(url) for url in some(forum.urls("index"), 6)]
    wrapper = learn_page_wrapper([forum.page(url) for url in urls], index, anchors)
    wrapper = PageWrapper.from_json(json.loads(json.dumps(wrapper.to_json())))
    for url in forum.urls("thread")[:40]:
        assert wrapper.title(forum.tree(url), url) == title_of(forum, url)


def test_the_board_path_ends_with_the_threads_board(forum: Forum) -> None:
    urls = some(forum.urls("thread"), 14)
    index = [forum.page(url) for url in some(forum.urls("index"), 8)]
    wrapper = learn_page_wrapper([forum.page(url) for url in urls], index)
    right = 0
    for url in forum.urls("thread")[:40]:
        thread = forum.view.thread(forum.thread_of(url))
        assert thread is not None
        board = forum.view.board(thread.board)
        path = wrapper.board_path(forum.tree(url), url)
        right += bool(path) and board is not None and path[-1][0] == board.title
    assert right >= 38


def test_the_sites_name_on_all_pages_is_the_title_of_none() -> None:
    pages = [
        read_page(f"<title>Old Engines</title><div>{words}</div>", f"http://f.test/t/{number}")
        for number, words in enumerate(("Coal is dear", "Brass shines", "The pump leaks", "Steam is hot"))
    ]
    wrapper = learn_page_wrapper(pages, [])
    assert [wrapper.title(page.tree, page.url) for page in pages] == [None] * 4


def test_where_all_pages_have_one_title_a_heading_is_known_by_the_link_around_a_whole_row() -> None:
    titles = ("Coal is dear", "Brass shines", "The pump leaks", "Steam is hot")
    pages = [
        read_page(f"<title>Old Engines</title><div><h5>{words}</h5></div><p>Oda wrote</p>", f"http://f.test/t/{number}")
        for number, words in enumerate(titles)
    ]
    rows = {page.url: f"{title} number of posts: 3 started by: Oda" for page, title in zip(pages, titles, strict=True)}
    wrapper = learn_page_wrapper(pages, [], rows)
    assert [wrapper.title(page.tree, page.url) for page in pages] == list(titles)


def test_a_button_that_leads_to_all_threads_is_the_title_of_none() -> None:
    pages = [
        read_page(
            f"<title>Huts</title><p>[<a href='/t/{number}'>Reply</a>]</p><p>{number}</p>", f"http://f.test/t/{number}"
        )
        for number in range(4)
    ]
    wrapper = learn_page_wrapper(pages, [], {page.url: "Reply" for page in pages})
    assert [wrapper.title(page.tree, page.url) for page in pages] == [None] * 4


def test_of_several_buttons_that_each_lead_to_many_threads_none_is_a_title() -> None:
    """A board that shows the first posts of threads has one link to short threads, and two to longer ones."""
    pages = [
        read_page(
            f"<title>Huts</title><p>Thread Mode: Reply to No.{number}</p><b class=s>The hut {number} of old</b>",
            f"http://f.test/t/{number}",
        )
        for number in range(9)
    ]
    said = {page.url: ("Reply", "Click here", "Reply")[number % 3] for number, page in enumerate(pages)}
    more = {f"http://f.test/t/{number}": ("Quote", "Click here", "Open")[number % 3] for number in range(20, 29)}
    wrapper = learn_page_wrapper(pages, [], {**said, **more})
    assert wrapper.title(pages[4].tree, pages[4].url) != "Reply"


def test_a_mark_before_the_last_crumb_is_no_part_of_the_title() -> None:
    titles = ["Brass or steel?", "The old pump", "Where to buy coal", "A leaking boiler"]

    def thread(number: int) -> Page:
        crumbs = f"<p><a href='/'>Home</a> › <a href='/b/{number % 2}'>Engines</a> › {titles[number]}</p>"
        return read_page(f"<title>Old Engines</title>{crumbs}<div>words {number}</div>", f"http://f.test/t/{number}")

    pages = [thread(number) for number in range(4)]
    wrapper = learn_page_wrapper(pages, [], {page.url: title for page, title in zip(pages, titles, strict=True)})
    assert [wrapper.title(page.tree, page.url) for page in pages] == titles


def test_a_title_at_the_end_of_a_trail_is_read_whatever_boards_the_trail_names() -> None:
    def page(number: int, boards: str, title: str) -> Page:
        trail = " » ".join(("Engines", *boards.split("/"), title))
        return read_page(f"<title>{trail}</title><p>{trail}</p><p>Words.</p>", f"http://f.test/t/{number}")

    met = [("Coal", "Coal is dear"), ("Coal", "The dust again"), ("Brass", "It shines"), ("Pumps", "Mine leaks now")]
    pages = [page(number, board, title) for number, (board, title) in enumerate(met)]
    anchors = {one.url: title for one, (_, title) in zip(pages, met, strict=True)}
    wrapper = learn_page_wrapper(pages, [], anchors)
    wrapper = PageWrapper.from_json(json.loads(json.dumps(wrapper.to_json())))
    others = [page(8, "Coal/Dust and ash", "Where to put it"), page(9, "Steam", "How hot?")]
    assert [wrapper.title(one.tree, one.url) for one in others] == ["Where to put it", "How hot?"]


def test_titles_of_answers_on_further_pages_are_not_those_of_threads() -> None:
    titles = ("Coal is dear", "Brass or steel?", "The pump leaks", "Steam is too hot")

    def page(number: int, mark: str = "") -> Page:
        crumbs = f"<ol><li><a href='/'>Home</a></li><li class=here>{titles[number]}</li></ol>"
        marks = (mark, "Re: ")
        posts = "".join(f"<div class=post><b>{before}{titles[number]}</b><p>words</p></div>" for before in marks)
        url = f"http://f.test/t/{number}" if not mark else f"http://f.test/newest/{number}"
        return read_page(f"<title>{mark}{titles[number]} - Huts</title>{crumbs}{posts}", url)

    firsts, lasts = [page(number) for number in range(4)], [page(0, "Re: "), page(1, "Re: ")]
    rows = {one.url: titles[number] for number, one in enumerate(firsts)}
    rows |= {one.url: f"Re: {titles[number]}" for number, one in enumerate(lasts)}
    wrapper = learn_page_wrapper([*firsts, *lasts], [], rows)
    assert [wrapper.title(one.tree, one.url) for one in (page(2, "Re: "), page(3))] == [titles[2], titles[3]]


def test_a_framed_title_is_read_without_the_sites_words() -> None:
    field = TitleField(None, (("", " - Page 0 - Old Engines"), ("", " - Old Engines")))
    first = parse("<title>Brass or steel? - Old Engines</title><p>x")
    third = parse("<title>Brass or steel? - Page 3 - Old Engines</title><p>x")
    assert field.read(first) == field.read(third) == "Brass or steel?"


@pytest.mark.parametrize(
    ("icon", "expected"),
    [
        pytest.param("<i class='ico'>label</i> ", ["Wood", "Metal", "Label"], id="an icon in letters"),
        pytest.param("Our ", ["Our Wood", "Our Metal", "Our Label"], id="a word of the names"),
    ],
)
def test_an_icon_before_boards_is_no_part_of_their_names(icon: str, expected: list[str]) -> None:
    def page(number: int) -> Page:
        board = ("Wood", "Metal", "Label")[number % 3]
        crumbs = f"<a href='/'>Home</a> <a href='/b/{board}'>{icon}<span>{board}</span></a>"
        said = (
            f"<p>Number {number} was said here, and {number + 7} more after it.</p><i>2026-05-{number + 1:02} 10:00</i>"
        )
        html = (
            f"<html><body><div class='way'>{crumbs}</div><h1>Thread about matter {number}</h1><div>{said}</div></body>"
        )
        return read_page(html, f"http://f.test/t/{number}")

    wrapper = learn_page_wrapper([page(n) for n in range(9)], [], is_index_url=lambda url: "/b/" in url)
    wrapper = PageWrapper.from_json(json.loads(json.dumps(wrapper.to_json())))
    paths = [wrapper.board_path(page(n).tree, page(n).url) for n in range(3)]
    assert [path[-1][0] for path in paths] == expected


def test_no_pages_teach_nothing() -> None:
    wrapper = learn_page_wrapper([], [])
    page = read_page("<p>x", "http://f.test/")
    assert wrapper.title(page.tree, page.url) is None
    assert wrapper.board_path(page.tree, page.url) == ()


def test_what_stands_beside_the_title_of_a_closed_thread_is_no_part_of_it() -> None:
    def a_page(number: int, mark: str = "") -> Page:
        title = f"Question {'abcdefghij'[number] * 3} about pumps"
        html = f"<title>{title} - Pumps</title><h1 class='top'>{mark}<a href='/t/{number}'>{title}</a></h1><p>Words"
        return read_page(html, f"http://f.test/t/{number}")

    pages = [a_page(number) for number in range(6)]
    wrapper = learn_page_wrapper(pages, [], {page.url: page.tree.title.removesuffix(" - Pumps") for page in pages})
    closed = a_page(7, "[ Closed ] ")
    assert wrapper.title(closed.tree, closed.url) == "Question hhh about pumps"


def test_a_thread_that_is_closed_has_title_and_board_though_no_sampled_thread_was_closed() -> None:
    def page(number: int, state: str = "open") -> Page:
        title, board = f"Question {'abcdefghij'[number] * 3} about pumps", ("Wood", "Metal", "Glass")[number % 3]
        crumbs = f"<div class='way'><a href='/'>Home</a> <a href='/b/{board}'>{board}</a></div>"
        html = (
            f"<title>{title} - Page 3 - Pumps</title><body><article class='item thread is-{state}'>"
            f"<h1 class='top'>{title}</h1>{crumbs}<p>Number {number} was said.</p></article></body>"
        )
        return read_page(html, f"http://f.test/t/{number}")

    pages = [page(number) for number in range(9)]
    anchors = {one.url: one.tree.title.removesuffix(" - Page 3 - Pumps") for one in pages}
    wrapper = learn_page_wrapper(pages, [], anchors, is_index_url=lambda url: "/b/" in url)
    closed = page(9, "closed")
    wrapper = replace(wrapper, titles=wrapper.titles[:1])
    assert wrapper.title(closed.tree, closed.url) == "Question jjj about pumps"
    assert wrapper.board_path(closed.tree, closed.url) == (("Wood", "http://f.test/b/Wood"),)


def test_a_thread_one_board_deeper_is_not_called_by_its_board() -> None:
    def page(number: int, *deeper: str) -> Page:
        title = f"Question {'abcdefghij'[number] * 3} about pumps"
        boards = ("Trades", ("Wood", "Metal", "Glass")[number % 3], *deeper)
        crumbs = "".join(f"<li><a href='/b/{board}'>{board}</a></li>" for board in boards)
        html = (
            f"<title>{title}</title><body><ul><li><a href='/'>Home</a></li>{crumbs}"
            f"<li><a href='/t/{number}'>{title}</a></li></ul><h3>Topic: {title} (read {number} times)</h3></body>"
        )
        return read_page(html, f"http://f.test/t/{number}")

    pages = [page(number) for number in range(9)]
    anchors = {one.url: one.tree.title for one in pages}
    wrapper = learn_page_wrapper(pages, [], anchors, is_index_url=lambda url: "/b/" in url)
    deeper = page(9, "Turning")
    assert wrapper.title(deeper.tree, deeper.url) == "Question jjj about pumps"
    assert [name for name, _ in wrapper.board_path(deeper.tree, deeper.url)][-2:] == ["Wood", "Turning"]


@pytest.mark.parametrize(
    "address", ["go.pl?/area/{n}-{slug}/", "go.pl?areas/{slug}.{n}/", "a{n}-{slug}", "{slug}-a{n}.html"]
)
def test_a_board_that_no_sampled_thread_was_in_is_one_though_names_stand_in_addresses(address: str) -> None:
    def page(number: int, board: str) -> Page:
        title, n = f"Question {'abcdefghij'[number] * 3} about pumps", 40 + len(board)
        way = f"<a href='/'>Home</a> <a href='/{address.format(n=n, slug='all-of-' + board.lower())}'>{board}</a>"
        html = f"<title>{title}</title><body><div class='way'>{way}</div><h1>{title}</h1><p>Words {number}.</p></body>"
        return read_page(html, f"http://f.test/t/{number}")

    pages = [page(number, ("Wood", "Metal", "Glass")[number % 3]) for number in range(9)]
    wrapper = learn_page_wrapper(pages, [], is_index_url=lambda url: "all-of" in url)
    other = page(9, "Porcelain")
    assert [name for name, _ in wrapper.board_path(other.tree, other.url)] == ["Porcelain"]


def test_the_answer_that_a_further_page_begins_with_is_no_board() -> None:
    def page(number: int, mark: str = "") -> Page:
        title, board = f"Question {'abcdefghij'[number] * 3} about pumps", ("Wood", "Metal", "Glass")[number % 3]
        way = f"<a href='/b/{board}'>{board}</a> <a href='/m/{number}'>{mark}{title}</a>"
        html = f"<title>{title}</title><body><div class='way'>{way}</div><h1>{title}</h1><p>Words {number}.</p></body>"
        return read_page(html, f"http://f.test/t/{number}")

    wrapper = learn_page_wrapper([page(number) for number in range(9)], [], is_index_url=lambda url: "/b/" in url)
    assert replace(wrapper, heads=frozenset()).board_path((further := page(9, "Re: ")).tree, further.url) == (
        ("Wood", "http://f.test/b/Wood"),
    )


def test_the_letter_that_a_letter_answers_is_no_board_though_it_lies_in_the_folder_of_its_list() -> None:
    def letter(number: int) -> Page:
        answered = f"<ul><li>In reply to: <a href='/pumps/msg{number}.html'>letter {number} of May</a></li></ul>"
        html = f"<html><body>{answered}<h1>Matter {number + 1}</h1><pre>Words {number} and more.</pre></body></html>"
        return read_page(html, f"http://f.test/pumps/msg{number + 1}.html")

    index = read_page("<title>Pumps</title><ul><li>Letters</li></ul>", "http://f.test/pumps/threads.html")
    letters = [letter(number) for number in range(9)]
    wrapper = learn_page_wrapper(letters, [index], is_index_url=lambda url: False if "/msg" in url else None)
    assert [wrapper.board_path(one.tree, one.url) for one in letters] == [()] * 9


def test_who_wrote_below_a_board_is_no_step_on_the_way_to_it() -> None:
    def page(number: int) -> Page:
        board = ("Wood", "Metal", "Label")[number % 3]
        guests = [(number * 5 + step) % 11 for step in range(number % 3 + 1)]
        lines = "".join(
            f"<dt><a href='/in/guest/{one}'>Guest {'ABCDEFGHIJK'[one]}</a></dt><dd>{number} and {one * 7}, I say.</dd>"
            for one in guests
        )
        way = f"<p><a href='/in/room/{board}'>{board}</a></p><h1>Thread about matter {number}</h1>"
        html = f"<html><body><div>{way}<dl>{lines}</dl></div></body>"
        return read_page(html, f"http://f.test/in/talk/{number}")

    pages = [page(n) for n in range(12)]
    wrapper = learn_page_wrapper(pages, [], is_index_url=lambda url: "/room/" in url or None)
    found = [wrapper.board_path(one.tree, one.url) for one in pages[:3]]
    assert found == [((board, f"http://f.test/in/room/{board}"),) for board in ("Wood", "Metal", "Label")]


def test_boards_at_the_root_of_a_site_begin_with_the_names_of_their_query() -> None:
    assert head_of("http://f.test/?board=3") == head_of("http://f.test/?board=12") != head_of("http://f.test/?user=3")


@pytest.mark.parametrize("crumb", ["{board}", "{board} <b>›</b>"])
def test_a_thread_whose_title_begins_with_the_name_of_its_board_is_in_that_board(crumb: str) -> None:
    def page(number: int, title: str, shown: str = "") -> Page:
        board = ("Golf", "Lenses", "工房")[number % 3]
        way = (
            f"<a href='/b-{number % 3 + 70}'>{crumb.format(board=board)}</a> <a href='/m-{number}'>{shown or title}</a>"
        )
        html = f"<title>{title}</title><body><div class='way'>{way}</div><h1>{title}</h1><p>Words {number}.</p></body>"
        return read_page(html, f"http://f.test/t/{number}")

    def boards(one: Page) -> list[str]:
        return [name.rstrip(" ›") for name, _ in replace(wrapper, heads=frozenset()).board_path(one.tree, one.url)]

    pages = [page(number, f"Question {'abcdefghij'[number] * 3} about pumps") for number in range(9)]
    wrapper = learn_page_wrapper(pages, [], is_index_url=lambda url: "/b-" in url)
    assert boards(page(0, "Golf clubs for sale")) == ["Golf"]
    assert boards(page(2, "工房で見つけた気圧計")) == ["工房"]
    assert boards(page(1, "Lenses of all sorts, made of brass and glass", "Lenses of all sorts, made of")) == ["Lenses"]
    assert boards(page(1, "Lenses of all sorts", "Lenses of…")) == ["Lenses"]
