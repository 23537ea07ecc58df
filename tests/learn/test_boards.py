"""The map of boards that `thrawl learn` shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from thrawl.learn.tell.boards import Board, board_map
from thrawl.learn.tell.explain import explain
from thrawl.net.message import Response
from thrawl.profile.heading import PageWrapper
from thrawl.profile.patterns import Pattern
from thrawl.profile.places import Step
from thrawl.profile.profile import ListPattern, Profile

F = "http://f.test/"
FOLDERS = ListPattern(Pattern.parse(f"{F}b/{{a:word}}"))
DEEP_FOLDERS = ListPattern(Pattern.parse(f"{F}b/{{a:word}}/{{b:word}}"))
THREADS = ListPattern(Pattern.parse(f"{F}t/{{a:number}}"))
PROFILE = Profile(F, (FOLDERS, DEEP_FOLDERS), (THREADS,))
TECHNICAL, LENSES, LOUNGE = f"{F}b/technical", f"{F}b/lenses", f"{F}b/lounge"


def page(url: str, html: str) -> Response:
    headers = (("Content-Type", "text/html"),)
    return Response(url, url, 200, headers, html.encode(), "utf-8", datetime(2026, 11, 15, tzinfo=UTC))


def link(url: str, words: str) -> str:
    return f"<p><a href='{url}'>{words}</a></p>"


def test_boards_of_the_entry_page_have_the_words_that_lead_to_them() -> None:
    entry = page(F, link(TECHNICAL, "Technical") + link(LOUNGE, "The  Lounge") + link(f"{F}t/7", "A thread"))
    assert board_map(PROFILE, [entry]) == (Board("Technical", TECHNICAL, 0), Board("The Lounge", LOUNGE, 0))


def test_a_board_that_only_another_board_shows_stands_below_it() -> None:
    entry = page(F, link(TECHNICAL, "Technical") + link(LOUNGE, "Lounge"))
    board = page(TECHNICAL, link(LENSES, "Lenses") + link(LOUNGE, "Lounge"))
    shown = [(one.name, one.depth) for one in board_map(PROFILE, [entry, board])]
    assert shown == [("Technical", 0), ("Lenses", 1), ("Lounge", 0)]


def test_a_board_stands_below_the_folder_of_its_address() -> None:
    entry = page(F, link(f"{TECHNICAL}/lenses", "Lenses") + link(TECHNICAL, "Technical"))
    assert [(one.name, one.depth) for one in board_map(PROFILE, [entry])] == [("Technical", 0), ("Lenses", 1)]


def test_breadcrumbs_tell_what_stands_above_what() -> None:
    crumbs = PageWrapper(crumbs=(tuple(map(Step.parse, ("body", "nav"))),))
    profile = replace(PROFILE, page_wrapper=crumbs.to_json())
    entry = page(F, link(LENSES, "Lenses") + link(TECHNICAL, "Technical"))
    trail = f"<nav><a href='{TECHNICAL}'>Technical</a> <a href='{LENSES}'>Lenses</a></nav>"
    thread = page(f"{F}t/7", f"{trail}<h1>Which one?</h1>")
    assert [(one.name, one.depth) for one in board_map(profile, [entry, thread])] == [("Technical", 0), ("Lenses", 1)]


def test_counts_descriptions_and_tree_signs_are_no_part_of_a_name() -> None:
    entry = page(F, link(LENSES, "Lenses Glass of all kinds, old and new") + link(LOUNGE, "12 Lounge"))
    menu = f"<select><option value='{LENSES}'>» Lenses</option></select>"
    board = page(TECHNICAL, menu + link(LOUNGE, "Lounge"))
    assert [one.name for one in board_map(PROFILE, [entry, board])] == ["Lenses", "Lounge"]


def test_boards_that_name_each_other_as_parents_are_shown_once() -> None:
    one = page(TECHNICAL, link(LENSES, "Lenses"))
    two = page(LENSES, link(TECHNICAL, "Technical"))
    assert sorted(board.name for board in board_map(PROFILE, [one, two])) == ["Lenses", "Technical"]


def test_names_cannot_write_to_the_terminal_and_unreadable_pages_are_left_out() -> None:
    entry = page(F, link(LOUNGE, "\x1b[2JLounge") + link(TECHNICAL, "<img src='/i.png'>"))
    endless = page(LOUNGE, "<i>" * 60_000)
    lines = list(explain(PROFILE, board_map(PROFILE, [entry, endless])))
    assert f"Map           [2JLounge  {LOUNGE}" in lines
    assert f"              (no name)  {TECHNICAL}" in lines


def test_a_long_map_is_cut() -> None:
    boards = [Board(f"Board {number}", f"{F}b/{number}", 0) for number in range(100)]
    lines = [line for line in explain(PROFILE, boards) if "oard" in line and line.startswith(("Map", " "))]
    assert len(lines) < 45
    assert lines[-1].strip() == "… and 60 more boards"
