"""From example URLs to patterns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thrawl.learn.refine import carried_from, learn_patterns
from thrawl.profile.patterns import Pattern

F = "http://f.test/"


def shown(patterns: tuple[Pattern, ...]) -> list[str]:
    return [str(pattern) for pattern in patterns]


def learned(positives: list[str], negatives: list[str] | None = None, *, boards: bool = False) -> list[str]:
    patterns = learn_patterns([F + url for url in positives], [F + url for url in negatives or []], boards=boards)
    return [str(pattern).removeprefix(F) for pattern in patterns]


def test_ids_in_a_query() -> None:
    assert learned(["t.php?id=3", "t.php?id=41", "t.php?id=5"]) == ["t.php?id={a:number}"]


def test_slugs_and_ids() -> None:
    assert learned(["t/12-my-lens", "t/9-hello-there"]) == ["t/{a:number}-{b:word}"]
    assert learned(["go_post12_my-lens.htm", "go_post9_hello-there.htm"]) == ["go_post{a:number}_{b:word}.htm"]
    assert learned(["my-lens-t12.html", "hello-there-t9.html"]) == ["{a:word}-t{b:number}.html"]
    assert learned(["t/my-lens.12", "t/hello-there.9"]) == ["t/{a:word}.{b:number}"]


def test_numbers_that_never_vary_stay_literal() -> None:
    assert learned(["t-3-1-1.html", "t-9-1-1.html"]) == ["t-{a:number}-1-1.html"]


def test_later_pages_of_threads_whose_first_page_is_known_too_do_not_loosen_the_pattern() -> None:
    first = [f"topic,{number}.0.html" for number in range(30, 50)]
    assert learned([*first, "topic,31.15.html", "topic,44.60.html"]) == ["topic,{a:number}.0.html"]


def test_a_low_number_that_most_urls_end_in_is_no_page_where_others_stand_alone() -> None:
    urls = [f"t/{number}/1" for number in range(30, 50)]
    assert learned([*urls, "t/77/3"]) == ["t/{a:number}/{b:number}"]


def test_about_is_told_from_user_and_post() -> None:
    about = [f"about{number}.html" for number in range(100, 120)]
    others = ["user7.html", "user9.html", "post8.html", "post12345.html"]
    (pattern,) = learn_patterns([F + url for url in about], [F + url for url in others])
    assert all(pattern.match(F + url) is not None for url in [*about, "about999.html"])
    assert not any(pattern.match(F + url) is not None for url in others)


def test_one_script_for_everything_is_told_apart_by_its_words() -> None:
    boards = [f"index.php?x=board&id={number}" for number in range(2, 9)]
    others = [f"index.php?x={word}&id={number}" for word in ("user", "thread") for number in range(2, 5)]
    assert learned(boards, others) == ["index.php?x=board&id={a:number}"]


def test_a_slot_is_held_to_its_values_only_where_others_force_it() -> None:
    boards = ["golf/", "lenses/", "chess/"]
    assert learned(boards) == ["{a:word}/"]
    assert learned(boards, ["help/", "login/"], boards=True) == ["{a:chess|golf|lenses}/"]


def test_a_board_in_a_threads_address_may_be_any_but_a_few_words() -> None:
    threads = ["golf/12/", "lenses/14/", "chess/3/"]
    assert learned(threads, ["users/7/", "users/9/"]) == ["{a:but users}/{b:number}/"]


def test_the_board_in_a_threads_address_stays_open() -> None:
    threads = ["golf/12-tee", "golf/13-bag", "lenses/14-f2"]
    assert learned(threads, ["help/contact", "users/ann"]) == ["{a:word}/{b:number}-{c:word}"]


def test_what_a_link_carries_from_the_one_board_it_was_seen_on_stays_open() -> None:
    boards = [F + "board?n=3", F + "board?n=5"]
    carried = carried_from([F + "board?n=5"], [boards])
    months = [F + "list?of=5&month=2020-01", F + "list?of=5&month=2020-02"]
    assert shown(learn_patterns(months)) == [F + "list?of=5&month={a:number}-{b:number}"]
    assert shown(learn_patterns(months, carried=carried)) == [F + "list?of={a:number}&month={b:number}-{c:number}"]
    named = carried_from([F + "b/golf.7"], [[F + "b/golf.7", F + "b/chess.9"]])
    threads = [F + "golf.7/12.html", F + "golf.7/13.html"]
    assert shown(learn_patterns(threads, carried=named)) == [F + "{a:word}.{b:number}/{c:number}.html"]


def test_a_boards_name_is_carried_behind_another_word_of_the_program() -> None:
    carried = carried_from([F + "board,golf"], [[F + "board,golf", F + "board,chess"]])
    months = [F + "list,golf/2020-01", F + "list,golf/2020-02"]
    assert shown(learn_patterns(months, carried=carried)) == [F + "list,{a:word}/{b:number}-{c:number}"]


def test_words_are_held_to_their_beginnings_and_still_fit() -> None:
    ways = [*(f"talk-{n}.html" for n in (31, 42, 53)), *(f"go-{n}.html" for n in (31, 42, 53))]
    assert learned(ways, ["user-7.html"]) == ["{a:go-|talk-}{b:number}.html"]


def test_boards_that_begin_alike_are_held_to_their_beginning_not_to_the_names_that_were_met() -> None:
    boards = ["area-garage.html", "area-out-doors.html"]
    assert learned(boards, ["people-ann.html"], boards=True) == ["area-{a:word}.html"]
    lists = [*boards, "newest", "tags-lamp.html", "tags-stove.html", "tags-lens.html"]
    assert learned(lists, ["people-ann.html", "login"], boards=True) == [
        "area-{a:word}.html",
        "tags-{a:word}.html",
        "newest",
    ]


def test_one_folder_is_no_beginning_of_several() -> None:
    boards = ["main-hall/wood", "main-hall/glass", "yard/stone", "yard/sand"]
    assert learned(boards, ["people/ann"], boards=True) == ["{a:main-hall|yard}/{b:name}"]


def test_boards_that_begin_as_other_pages_do_are_held_to_their_names() -> None:
    assert learned(["a-garage.html", "a-doors.html"], ["a-ann.html"], boards=True) == ["{a:a-doors.html|a-garage.html}"]


def test_facets_that_combine_without_end_are_held_to_those_that_were_met() -> None:
    tags = ["tag-lamp.html", "tag-lamp%2Bstove.html"]
    assert learned(tags, ["people-ann.html"], boards=True) == ["{a:tag-lamp%2Bstove.html|tag-lamp.html}"]


def test_numbers_beside_a_word_combine_with_nothing() -> None:
    months = ["list-wood.3_2012-03.html", "list-wood.3_2012-04.html", "list-stone.4_2012-04.html"]
    assert learned(months, ["people-ann.2-9.html"], boards=True) == ["list-{a:word}-{b:number}.html"]


def test_a_year_that_all_addresses_share_stays_open() -> None:
    assert learned(["2024/03/my-lens", "2024/05/hello"]) == ["{a:number}/{b:number}/{c:word}"]
    assert learned(["b/7/2024-03", "b/9/2024-05"], boards=True) == ["b/{a:number}/{b:number}-{c:number}"]
    assert learned(["2024/03/my-lens", "2024/05/hello"], ["2023/01/news"]) == ["2024/{a:number}/{b:word}"]


def test_threads_are_not_held_to_the_few_numbers_that_were_met() -> None:
    assert learned(["t/322", "t/887", "t/889"], ["t/888"]) == ["t/{a:number}"]
    assert learned(["in/2?id=5", "in/4?id=6", "in/4?id=7"], ["in/3?id=8"]) == ["in/{a:2|4}?id={b:number}"]


def test_threads_are_not_told_from_others_by_names_that_look_like_theirs() -> None:
    threads = ["e96ac9", "30698e", "b0d758", "e09ce6", "ea7cc0", "77ab01", "c0ffee"]
    assert learned(threads, ["help", "login"]) == ["{a:but help|login}"]
    assert learned(threads, ["0e7c51", "2f4f02"]) == ["{a:word}"]


def test_a_month_and_a_day_that_all_addresses_share_stay_open() -> None:
    assert learned(["2024/05/71", "2024/05/83"]) == ["{a:number}/{b:number}/{c:number}"]
    assert learned(["2024/05/07/my-lens", "2023/05/07/hello"]) == ["{a:number}/{b:number}/{c:number}/{d:word}"]
    assert learned(["b/05/my-lens", "b/05/hello"]) == ["b/05/{a:word}"]


def test_what_a_program_writes_before_titles_stays_where_a_number_follows() -> None:
    titles = "my-lens old-camera new-film blue-light grain-again winter-walk".split()
    threads = [f"talk-{title}~{number}.html" for number, title in enumerate(titles)]
    assert learned(threads) == ["talk-{a:word}~{b:number}.html"]


def test_a_number_that_all_boards_have_is_not_carried() -> None:
    boards = [F + "list-4-1.html", F + "list-5-1.html"]
    carried = carried_from([F + "list-4-1.html"], [boards])
    threads = [F + "talk-7-1.html", F + "talk-8-1.html"]
    assert shown(learn_patterns(threads, carried=carried)) == [F + "talk-{a:number}-1.html"]


def test_nothing_is_carried_where_links_stand_on_two_boards() -> None:
    boards = [F + "board?n=3", F + "board?n=5"]
    carried = carried_from(boards, [boards])
    assert shown(learn_patterns([F + "a?x=5&t=1", F + "a?x=5&t=2"], carried=carried)) == [F + "a?x=5&t={a:number}"]


def test_rare_structures_are_noise() -> None:
    urls = [f"t?id={number}" for number in range(20)]
    assert learned([*urls, "t?id=3&view=last"]) == ["t?id={a:number}"]


def test_two_common_structures_give_two_patterns() -> None:
    urls = [f"t?id={number}" for number in range(20)] + [f"s/{number}" for number in range(10)]
    assert learned(urls) == ["t?id={a:number}", "s/{a:number}"]


def test_nothing_gives_nothing() -> None:
    assert learn_patterns([]) == ()


slots = st.text("ab19-._", min_size=1, max_size=8)


FEW = 5
"""Of so few examples each is a fifth, and none counts as noise."""


@given(st.lists(st.tuples(slots, slots), min_size=1, max_size=FEW))
def test_patterns_match_all_examples_of_their_structure(pairs: list[tuple[str, str]]) -> None:
    urls = [f"{F}{one}?id={two}" for one, two in pairs]
    patterns = learn_patterns(urls)
    assert all(any(pattern.match(url) is not None for pattern in patterns) for url in urls)


@given(st.lists(slots, min_size=1, max_size=FEW), st.lists(slots, max_size=8))
def test_other_urls_never_cost_an_example(positives: list[str], negatives: list[str]) -> None:
    patterns = learn_patterns([F + one for one in positives], [F + one for one in negatives])
    assert all(any(pattern.match(F + one) is not None for pattern in patterns) for one in positives)


def test_words_of_another_kind_are_excluded_where_no_other_slot_alone_turns_them_away() -> None:
    places = ["orchard/2024-05.box", "harbour/2024-06.box"]
    letters = [f"{place}/{name}@post" for place in places for name in ("dora", "emil", "ann", "cleo")]
    orders = [f"{place}/{by}" for place in (*places, "attic/2024-05.box") for by in ("date", "author")]
    (pattern,) = learn_patterns([F + one for one in letters], [F + one for one in orders])
    assert pattern.match(F + "barn/2024-11.box/bert@post") is not None
    assert not any(pattern.match(F + one) for one in orders)
