"""Numbers that were left out: where holes say something, which addresses they make, and what proves nothing."""

from __future__ import annotations

from thrawl.archive.facts import NO_NUMBERS, Numbers
from thrawl.crawl.numbers import by_example, guesses, has_no_holes, leaves_out, left_out, nearest

F = "http://f.test"


def holes(known: list[str], numbers: Numbers, posts: frozenset[int] = frozenset()) -> list[str]:
    return [url for hole in left_out(known, numbers, posts) for url in hole]


def threads(*numbers: int) -> list[str]:
    return [f"{F}/t/{number}.html" for number in numbers]


def test_holes_in_the_numbers_of_posts_make_addresses_of_threads() -> None:
    assert holes(threads(12, 14, 17), Numbers(80, 100)) == threads(9, 10, 11, 13, 15, 16)


def test_posts_without_holes_leave_no_thread_out() -> None:
    assert holes(threads(12, 14, 17), Numbers(100, 100)) == []


def test_a_counter_that_others_share_says_nothing() -> None:
    assert not leaves_out(Numbers(100, 90_000))
    assert holes(threads(12, 1400, 90_000), Numbers(100, 90_000)) == []


def test_without_numbers_of_posts_a_dense_counter_of_threads_tells() -> None:
    assert holes(threads(1, 2, 3, 5, 6, 7), NO_NUMBERS) == threads(4)
    assert holes(threads(1, 9, 30, 44), NO_NUMBERS) == []


def test_a_thread_that_is_known_by_its_messages_answers_to_all_of_them() -> None:
    assert holes(threads(21, 24, 26), Numbers(80, 100), frozenset({21, 22, 24, 25, 26})) == threads(18, 19, 20, 23)


def test_addresses_that_differ_in_words_are_not_made_up() -> None:
    assert holes([f"{F}/lathe-{n}" if n % 2 else f"{F}/saw-{n}/x" for n in (4, 7)], Numbers(80, 100)) == []


def test_numbers_without_holes_vouch() -> None:
    assert has_no_holes(Numbers(200, 200))
    assert not has_no_holes(Numbers(190, 200))
    assert not has_no_holes(NO_NUMBERS)


def test_a_page_is_addressed_as_two_others_are() -> None:
    pages = {1: f"{F}/b", 2: f"{F}/b?p=2", 4: f"{F}/b?p=4"}
    assert by_example(pages, 3) == f"{F}/b?p=3"
    assert by_example({1: f"{F}/b", 2: f"{F}/b?p=2"}, 3) is None
    assert by_example({2: f"{F}/b?from=20", 3: f"{F}/b?from=40"}, 4) is None


def test_large_holes_are_asked_for_as_often_as_small_ones_and_followed_last() -> None:
    found = [["a", "b", "c", "d", "e"], ["f"], ["g", "h"]]
    assert guesses(found, 5) == ["c", "f", "h"]
    assert guesses(found, 2) == ["c", "f"]
    assert nearest(found) == ["f", "g", "h", "a", "b", "c", "d", "e"]
