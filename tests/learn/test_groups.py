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
