"""Links are typed by their URLs alone; flips of the page's own list are read as its pager."""

from __future__ import annotations

from dataclasses import replace

from thrawl.crawl.links import ELSEWHERE, LinkReader
from thrawl.crawl.values import UNKNOWN, Flips
from thrawl.page.tree import parse
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

SITE = "http://forum.test"


def a_list(
    path: str, flip: str | None = None, *, step: int = 1, first: int = 1, key: tuple[str, ...] = ()
) -> ListPattern:
    flips = (Flip(Pattern.parse(SITE + flip), first, step),) if flip else ()
    return ListPattern(Pattern.parse(SITE + path), flips, key)


PROFILE = Profile(
    f"{SITE}/",
    (a_list("/board/{a:number}", "/board/{a:number}?page={page:number}"),),
    (a_list("/t/{a:number}-{b:word}", "/t/{a:number}-{b:word}?start={page:number}", first=0, step=10, key=("a",)),),
    session_parameters=("sid",),
)


def read(html: str, url: str = f"{SITE}/board/3", list_url: str | None = None, profile: Profile = PROFILE):
    return LinkReader(profile).read(parse(html), url, list_url or url)


def typed(html: str, **where: str) -> list[tuple[str, bool]]:
    return [(link.url, link.is_thread) for link in read(html, **where)[0]]


def test_boards_and_threads_are_told_by_their_urls() -> None:
    found = typed('<a href="/board/4">x</a><a href="/t/12-tripods">y</a><a href="/user/5">z</a>')
    assert found == [(f"{SITE}/board/4", False), (f"{SITE}/t/12-tripods", True)]


def test_sessions_fragments_and_the_other_scheme_make_no_new_urls() -> None:
    html = '<a href="/board/4?sid=77">x</a><a href="https://forum.test/board/4#top">y</a><a href="/board/4">z</a>'
    assert typed(html) == [(f"{SITE}/board/4", False)]


def test_a_flip_of_another_thread_leads_to_its_first_page() -> None:
    assert typed('<a href="/t/12-tripods?start=40">5</a>') == [(f"{SITE}/t/12-tripods", True)]


def test_menus_are_followed_too() -> None:
    assert typed('<select><option value="/board/9">Lenses</option><option value="12">no link</option></select>') == [
        (f"{SITE}/board/9", False)
    ]


def test_the_pager_gives_the_last_page_and_what_it_links() -> None:
    html = '<a href="/board/3?page=2">2</a> … <a href="/board/3?page=9">Last »</a>'
    assert read(html)[2] == Flips(((2, f"{SITE}/board/3?page=2"), (9, f"{SITE}/board/3?page=9")), 9, True)


def test_beside_numbers_an_arrow_to_a_last_page_that_may_not_be_there_is_not_believed() -> None:
    html = '<a href="/board/3?page=2">2</a><a href="/board/3?page=2">›</a><a href="/board/3?page=66">»</a>'
    assert read(html)[2] == Flips(((2, f"{SITE}/board/3?page=2"),), 2, True)
    walked = replace(PROFILE.index[0], flips=(Flip(PROFILE.index[0].flips[0].pattern),))
    assert read(html, profile=replace(PROFILE, index=(walked,)))[2] == Flips(((2, f"{SITE}/board/3?page=2"),), 2)


def test_where_numbers_only_lead_back_the_next_page_is_the_nearest_arrow() -> None:
    html = '<a href="/board/3">1</a><a href="/board/3?page=3">›</a><a href="/board/3?page=66">»</a>'
    assert read(f'{html}<a href="/board/3?page=2">2</a>', f"{SITE}/board/3?page=2", f"{SITE}/board/3")[2].last == 3


def test_a_link_in_a_post_does_not_make_a_thread_longer() -> None:
    html = '<a href="/t/1-x?start=10">2</a><a href="/t/1-x?start=999990">the page that I mean is this one</a>'
    assert read(html, f"{SITE}/t/1-x")[2].last == 2


def test_the_number_of_a_post_where_pages_have_theirs_is_no_page() -> None:
    html = '<a href="/t/1-x?start=10">2</a><a href="/t/1-x?start=7#7">Reply 7</a><a href="/t/1-x?start=8#8">8</a>'
    assert read(html, f"{SITE}/t/1-x")[2] == Flips(((2, f"{SITE}/t/1-x?start=10"),), 2, True)


def test_a_post_with_an_address_of_its_own_where_pages_have_their_numbers_is_no_page() -> None:
    html = '<a href="?msg=30.1">30.1</a> <a href="?msg=30.2">30.2</a> <a href="?msg=30.11">11-20</a>'
    threads = a_list("/t?msg={a:number}.{b:number}", "/t?msg={a:number}.{page:number}", step=10)
    _, _, flips = read(html, url=f"{SITE}/t?msg=30.1", profile=replace(PROFILE, thread=(threads,)))
    assert flips == Flips(((2, f"{SITE}/t?msg=30.11"),), 2, True)
    html = '<a href="?msg=30.1">1-10</a> <a href="?msg=30.11">11</a>'
    assert read(html, url=f"{SITE}/t?msg=30.1", profile=replace(PROFILE, thread=(threads,)))[2] == flips


def test_flips_under_another_title_of_the_same_thread_are_its_own() -> None:
    flips = read('<a href="/t/1-new-title?start=10">2</a>', f"{SITE}/t/1-old-title")[2]
    assert flips.linked == ((2, f"{SITE}/t/1-new-title?start=10"),)


def test_where_the_arithmetic_does_not_fit_the_anchors_count() -> None:
    html = '<a href="/t/1-x?start=15">2</a><a href="/t/1-x?start=30">3</a>'
    linked = ((2, f"{SITE}/t/1-x?start=15"), (3, f"{SITE}/t/1-x?start=30"))
    assert read(html, f"{SITE}/t/1-x")[2] == Flips(linked, 3, False)


def test_a_thread_that_links_its_first_page_elsewhere_shows_its_last_one() -> None:
    uncounted = (Flip(Pattern.parse(SITE + "/t/{a:number}-{b:word}?p={page:number}")),)
    profile = replace(PROFILE, thread=(ListPattern(PROFILE.thread[0].pattern, uncounted, ("a",)),))
    html = '<a href="/t/7-x?p=1">1</a> <a href="/t/7-x?p=2">2</a> <b>3</b>'
    linked = ((2, f"{SITE}/t/7-x?p=1"), (3, f"{SITE}/t/7-x?p=2"))
    assert read(html, f"{SITE}/t/7-x", profile=profile)[2] == Flips(linked, 3, False)
    html = '<a href="/t/7-x?p=1">1</a> <b>2</b> <a href="/t/7-x?p=3">3</a>'
    assert read(html, f"{SITE}/t/7-x?p=2", f"{SITE}/t/7-x", profile)[2].linked[-1] == (3, f"{SITE}/t/7-x?p=3")


def test_where_all_anchors_say_other_pages_than_the_arithmetic_they_count() -> None:
    profile = replace(PROFILE, thread=(a_list("/t/{a:number}-{b:word}", "/t/{a:number}-{b:word}?start={page:number}"),))
    html = '<b>1</b> <a href="/t/7-x?start=5">2</a> <a href="/t/7-x?start=10">3</a> <a href="/t/7-x?start=5">Next</a>'
    flips = read(html, f"{SITE}/t/7-x", profile=profile)[2]
    assert (flips.linked, flips.last) == (((2, f"{SITE}/t/7-x?start=5"), (3, f"{SITE}/t/7-x?start=10")), 3)
    assert not flips.counted


def test_a_jump_to_the_last_post_of_a_thread_is_no_next_page_of_the_board_that_lists_it() -> None:
    profile = replace(PROFILE, index=(a_list("/board/{a:number}"),))
    rows = "".join(f"<p><a href=/t/{n}-x>Words {n}</a> <a href=/t/{n}-x?last=1>&raquo;</a>" for n in range(4))
    assert read(rows, profile=profile)[2].next_url is None
    more = f"{rows}<p><a href='/board/3?z=4f1c0a77d2b93e58'>Next</a>"
    assert read(more, profile=profile)[2].next_url == f"{SITE}/board/3?z=4f1c0a77d2b93e58"


def test_titles_may_lead_to_a_place_that_tells_nothing_of_the_address() -> None:
    rows = "<p><a href=/t/7-x#Item_0>Words 7</a> <a href=/t/8-x#p8>Words 8</a> <a href=/t/9-x#new-1>Words 9</a>"
    assert [link.url for link in read(rows)[0]] == [f"{SITE}/t/7-x", f"{SITE}/t/9-x"]
    numbered = "http://10.0.1.7"
    profile = replace(PROFILE, entry=f"{numbered}/", thread=(ListPattern(Pattern.parse(f"{numbered}/t/{{a:number}}")),))
    assert len(read("<a href=/t/3#p7>Words 3</a>", f"{numbered}/", profile=profile)[0]) == 1


def test_the_pager_of_a_row_is_no_pager_of_its_list() -> None:
    profile = replace(PROFILE, index=(a_list("/board/{a:number}"),), thread=(a_list("/board/{a:number}/{b:number}"),))
    row = "<p><a href=/board/3/4>A thread of two pages</a> (<a href=/board/3/4>2</a> <a href=/board/3/4?at=1>1</a>)"
    assert read(row, profile=profile)[2] == Flips()


def test_a_cursor_is_walked() -> None:
    flip = Flip(Pattern.parse(SITE + "/board/{a:number}?after={page:word}"))
    profile = Profile(f"{SITE}/", (ListPattern(Pattern.parse(SITE + "/board/{a:number}"), (flip,)),), ())
    html = '<a href="/board/3?after=aa">Previous</a><a href="/board/3?after=zz">Next</a>'
    flips = read(html, f"{SITE}/board/3?after=mm", f"{SITE}/board/3", profile)[2]
    assert flips == Flips((), 1, False, f"{SITE}/board/3?after=zz")


def test_a_next_page_that_only_the_head_names_is_walked_to() -> None:
    boards = ListPattern(
        Pattern.parse(f"{SITE}/board/{{a:number}}"),
        (Flip(Pattern.parse(f"{SITE}/board/{{a:number}}?from={{page:number}}")),),
    )
    profile = Profile(f"{SITE}/", (boards,), PROFILE.thread)
    own, other = (
        read(f"<html><head><link rel='next' href='/board/{board}?from=814'></head><p>x</p></html>", profile=profile)[2]
        for board in (3, 4)
    )
    assert own.next_url == f"{SITE}/board/3?from=814"
    assert other.next_url is None


def test_a_list_that_was_short_while_learning_still_flips() -> None:
    profile = Profile(f"{SITE}/", (a_list("/board/{a:number}"),), ())
    html = '<div><a href="/board/3?p=2">2</a> <a href="/board/3?p=3">3</a> <a href="/board/3?p=2">Next</a></div>'
    flips = read(html, profile=profile)[2]
    assert flips.linked == ((2, f"{SITE}/board/3?p=2"), (3, f"{SITE}/board/3?p=3"))


def test_how_many_rows_a_page_may_have_is_no_number_of_a_page() -> None:
    html = '<a href="/board/3?rows=10">10</a> 30 <a href="/board/3?rows=50">50</a>'
    assert read(html)[2] == Flips()
    assert read(html.replace("50", "2"))[2].last > 1


def test_each_sort_of_refused_link_is_told_once() -> None:
    reader = LinkReader(PROFILE)
    html = '<a href="/user/5">a</a><a href="/user/6">b</a><a href="http://other.test/x">c</a><a href="mailto:x@y">d</a>'
    first = reader.read(parse(html), f"{SITE}/board/3", f"{SITE}/board/3")[1]
    again = reader.read(parse(html), f"{SITE}/board/4", f"{SITE}/board/4")[1]
    assert [(one.url, one.reason) for one in first] == [(f"{SITE}/user/5", UNKNOWN), ("http://other.test/x", ELSEWHERE)]
    assert again == ()


THREADED = Profile(f"{SITE}/", (a_list("/room/{a:number}"),), (a_list("/read/{a:number}", key=("a",)),), threaded=True)


def test_on_a_threaded_forum_the_tree_on_a_page_is_its_thread() -> None:
    tree = '<ul><li>First<ul><li><a href="/read/9">Re</a></li><li><a href="/read/12">Re</a></li></ul></li></ul>'
    links, _, flips = read(tree + '<a href="/room/1">Room</a>', url=f"{SITE}/read/7", profile=THREADED)
    assert [link.url for link in links] == [f"{SITE}/room/1"]
    assert flips == Flips(((3, f"{SITE}/read/9"), (6, f"{SITE}/read/12")), 6)


def test_on_a_threaded_forum_a_board_that_shows_whole_trees_leads_to_their_roots() -> None:
    board = (
        '<ul><li><a href="/read/7">First</a><ul><li><a href="/read/9">Re</a></li></ul></li>'
        '<li><a href="/read/8">Second</a></li></ul>'
    )
    links, _, _ = read(board, url=f"{SITE}/room/1", profile=THREADED)
    assert [link.url for link in links] == [f"{SITE}/read/7", f"{SITE}/read/8"]


def test_a_title_that_comes_back_above_its_answers_is_no_answer() -> None:
    board = (
        '<ul><li><a href="/read/7">Tide</a><ul><li><a href="/read/7">Tide</a>'
        '<ul><li><a href="/read/9">Re: Tide</a></li></ul></li></ul></li></ul>'
    )
    links, _, _ = read(board, url=f"{SITE}/room/1", profile=replace(THREADED, letters=True))
    assert {link.url: link.reserve for link in links} == {f"{SITE}/read/7": False, f"{SITE}/read/9": True}


def test_a_number_that_a_pattern_names_is_not_taken_for_another() -> None:
    one = ListPattern(Pattern.parse("http://f.example/board2/t{id:number}"))
    reader = LinkReader(Profile("http://f.example/", (), (one,)))
    html = '<a href="board3/t5">not ours</a><a href="board2/t5">ours</a>'
    links, refused, _ = reader.read(parse(html), "http://f.example/", "http://f.example/")
    assert [link.url for link in links] == ["http://f.example/board2/t5"]
    assert [link.url for link in refused] == ["http://f.example/board3/t5"]


def test_links_that_differ_in_a_number_are_refused_once() -> None:
    reader = LinkReader(PROFILE)
    pages = [f'<a href="members/{number}">m</a>' for number in range(3)]
    told = [reader.read(parse(html), "http://f.example/", "http://f.example/")[1] for html in pages]
    assert [len(refused) for refused in told] == [1, 0, 0]


def test_the_same_words_in_another_folder_are_another_address() -> None:
    reader = LinkReader(replace(PROFILE, index=(a_list("/{a:word}/list"),)))
    html = f'<a href="list">a</a><a href="/cars/list">b</a><a href="{SITE}/old/list">c</a>'
    found = [[link.url for link in reader.read(parse(html), url, url)[0]] for url in (f"{SITE}/a/x", f"{SITE}/b/x")]
    others = [f"{SITE}/cars/list", f"{SITE}/old/list"]
    assert found == [[f"{SITE}/a/list", *others], [f"{SITE}/b/list", *others]]


def test_whole_addresses_that_differ_in_a_number_are_refused_once() -> None:
    reader = LinkReader(PROFILE)
    html = f'<a href="{SITE}/user/5">a</a><a href="{SITE}/user/6">b</a><a href="{SITE}/t/7-tripods">c</a>'
    links, refused, _ = reader.read(parse(html), f"{SITE}/board/3", f"{SITE}/board/3")
    assert [one.url for one in refused] == [f"{SITE}/user/5"]
    assert [one.url for one in links] == [f"{SITE}/t/7-tripods"]
