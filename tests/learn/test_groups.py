"""Which links of a page may lead to boards or threads."""

from __future__ import annotations

from thrawl.learn.structure.groups import candidates
from thrawl.page.reading import read_page

TITLES = ["Which rope for the mast", "A leak below the galley", "Old charts of the bay", "Paint that lasts"]


def urls_of(rows: str) -> set[str]:
    page = read_page(f"<html><title>Boats</title><body><h1>Boats</h1>{rows}</body></html>", "http://f.test/boats/")
    return {url for one in candidates(page) for url in one.urls}


def test_titles_that_all_lead_to_the_same_word_on_their_pages_are_titles() -> None:
    rows = "".join(f"<p><a href='m{n}/T/#t'>{title}</a> 2026-05-0{n + 1}</p>" for n, title in enumerate(TITLES))
    assert urls_of(rows) == {f"http://f.test/boats/m{n}/T/" for n in range(4)}


def test_links_into_threads_beside_their_titles_are_none() -> None:
    rows = "".join(
        f"<tr><td><a href='t{n}'>{title}</a></td><td><a href='go?t={n}#last'>Newest post of this</a></td></tr>"
        for n, title in enumerate(TITLES)
    )
    assert urls_of(f"<table>{rows}</table>") == {f"http://f.test/boats/t{n}" for n in range(4)}


def test_links_to_posts_by_their_numbers_are_no_titles() -> None:
    assert urls_of("".join(f"<p><a href='t{n}#p{n}7'>{title}</a></p>" for n, title in enumerate(TITLES))) == set()


def test_pictures_and_files_are_no_pages() -> None:
    rows = "".join(f"<p><a href='pictures/{title}.jpg'>{title}</a></p>" for title in TITLES)
    assert urls_of(rows + "<p><a href='charts.pdf'>Old charts of the bay</a></p>") == set()


def groups_of(rows: str) -> set[frozenset[str]]:
    page = read_page(f"<html><title>Boats</title><body><h1>Boats</h1>{rows}</body></html>", "http://f.test/go.cgi")
    return {frozenset(url.rpartition("?")[2] for url in one.urls) for one in candidates(page)}


def test_words_of_the_query_are_names_where_each_row_has_its_own() -> None:
    names = ("ropes", "leaks", "charts", "paint")
    rows = "".join(
        f"<tr><td><a href='?board={name}'>{title}</a><br>All that is to be said about it.</td><td>{n}7</td></tr>"
        for n, (name, title) in enumerate(zip(names, TITLES, strict=True))
    )
    assert groups_of(f"<table>{rows}</table>") == {frozenset(f"board={name}" for name in names)}


def test_of_two_rows_the_words_of_the_query_are_names_where_each_link_says_its_own() -> None:
    def table(first: str, second: str) -> set[frozenset[str]]:
        links = (f"<a href='?board=ropes'>{first}</a>", f"<a href='?board=leaks'>{second}</a>")
        return groups_of(
            "".join(f"<p>{link}<br>All that is to be said about it, {n}7.</p>" for n, link in enumerate(links))
        )

    assert table("Ropes", "Leaks") == {frozenset({"board=ropes", "board=leaks"})}
    assert table(*TITLES[:2]) == {frozenset({"board=ropes"}), frozenset({"board=leaks"})}


def test_words_of_the_query_in_a_menu_are_the_programs() -> None:
    words = ("help", "search", "members", "login")
    items = "".join(f"<li><a href='?do={word}'>{word}</a></li>" for word in words)
    assert groups_of(f"<ul>{items}</ul>") == {frozenset({f"do={word}"}) for word in words}


def test_words_and_numbers_in_the_place_of_a_query_are_the_programs() -> None:
    kinds = {"board-show": (1, 2, 3), "thread-show": (71, 82, 93), "people": (4, 5, 6)}
    items = "".join(f"<li><a href='?{word}-{n}'>{word} {n}</a></li>" for word, ids in kinds.items() for n in ids)
    assert groups_of(f"<ul>{items}</ul>") == {frozenset(f"{word}-{n}" for n in ids) for word, ids in kinds.items()}


def test_titles_in_the_place_of_a_query_are_of_one_kind() -> None:
    words = [title.lower().replace(" ", "-") for title in TITLES]
    rows = "".join(
        f"<tr><td><a href='?{word}-{n}'>{title}</a><br>All that is to be said about it.</td><td>{n}7</td></tr>"
        for n, (word, title) in enumerate(zip(words, TITLES, strict=True))
    )
    assert groups_of(f"<table>{rows}</table>") == {frozenset(f"{word}-{n}" for n, word in enumerate(words))}


def groups_of_titles(names: tuple[str, ...], titles: tuple[str, ...]) -> list[int]:
    rows = "".join(
        f"<tr><td><a href='/talk/{name}/{n}1'>{title}</a></td><td>{n}7 answers</td></tr>"
        for n, (name, title) in enumerate(zip(names, titles, strict=True))
    )
    page = read_page(f"<title>Boats</title><body><h1>Boats</h1><table>{rows}</table></body>", "http://f.test/")
    return sorted(len(one.urls) for one in candidates(page))


def test_a_title_of_one_word_stands_where_titles_of_several_words_stand() -> None:
    names, titles = (
        ("new-rope", "a-leak-below", "galleys", "paint-that-lasts"),
        ("New rope", "A leak", "Galleys", "Paint"),
    )
    assert groups_of_titles(names, titles) == [4]


def test_names_that_end_with_a_number_stand_where_other_names_stand() -> None:
    people = ("ada", "bo-the-great", "cleo88", "dan", "eve_x", "fay42")
    rows = "".join(
        f"<tr><td><a href='/who/{name}'>{name[0]}</a><td>{title}"
        for name, title in zip(people, TITLES * 2, strict=False)
    )
    page = read_page(f"<html><body><table>{rows}</table></body></html>", "http://f.test/")
    assert [{url.rpartition("/")[2] for url in one.urls} for one in candidates(page)] == [set(people)]


def test_a_word_in_an_address_that_the_link_does_not_say_is_the_programs() -> None:
    names, titles = ("new-rope", "a-leak-below", "last", "old-charts"), ("New rope", "A leak", "Galleys", "Charts")
    assert groups_of_titles(names, titles) == [1, 3]


def test_a_word_of_the_program_before_a_number_may_have_two_parts() -> None:
    words = [title.lower().replace(" ", "-") for title in TITLES]
    rows = "".join(
        f"<tr><td><a href='go_post{n}_{word}.htm'>{title}</a> <a href='go_who{n}_ann.htm'>Ann Miller</a></td></tr>"
        for n, (word, title) in enumerate(zip(words, TITLES, strict=True))
    )
    page = read_page(
        f"<html><title>Boats</title><body><h1>Boats</h1><table>{rows}</table></body></html>", "http://f.test/"
    )
    assert {head for one in candidates(page) for head in one.heads} == {"go_post", "go_who"}
