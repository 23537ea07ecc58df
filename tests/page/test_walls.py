"""What a page shows instead of content."""

from __future__ import annotations

import pytest

from thrawl.page.tree import Tree, parse
from thrawl.page.walls import is_challenge, is_login, is_script_made

LOGIN = '<h1>Log in</h1><form><input name="name"><input type="password" name="word"><button>Go</button></form>'
POSTS = "".join(f"<p>Post number {n} says that the tide was out when we came.</p>" for n in range(40))


def page(html: str) -> Tree:
    return parse(f"<html><body>{html}</body></html>")


def test_a_page_that_is_mostly_a_password_field_is_a_login() -> None:
    assert is_login(page(LOGIN))


def test_a_forum_with_a_login_box_is_none() -> None:
    assert not is_login(page(LOGIN + POSTS))


def test_a_small_page_with_a_login_box_above_its_heading_is_none() -> None:
    box = '<a href="/">Forum</a>' + LOGIN.removeprefix("<h1>Log in</h1>")
    assert not is_login(page(f'{box}<h2>フォーラム</h2><a href="/b/1">森</a><p>2025</p>'))
    assert is_login(page(f"{box}<h2>ログイン</h2>{LOGIN}<p>2025</p>"))
    assert is_login(page(f"{box}<p>Powered by something</p>"))


def test_a_wall_may_have_menus_and_a_few_sentences() -> None:
    menu = "".join(f'<a href="/{n}">A board called number {n}</a>' for n in range(40))
    assert is_login(page(menu + "<p>Only members may read this board. Please log in or register.</p>" + LOGIN))


def test_a_long_form_says_nothing_of_the_page() -> None:
    rules = "<p>" + "You agree to be kind to everybody here. " * 40 + "</p>"
    assert is_login(page(LOGIN.replace("<button>", rules + "<button>")))


def test_a_search_form_is_no_login() -> None:
    assert not is_login(page('<form><input type="text" name="q"></form>'))


@pytest.mark.parametrize(
    "words", ["Checking your browser", "Verify you are human", "Just a moment...", "Please solve the captcha"]
)
def test_a_page_that_tests_its_visitor_is_a_challenge(words: str) -> None:
    assert is_challenge(page(f"<p>{words}</p>"), "")


def test_people_who_talk_of_captchas_are_none() -> None:
    assert not is_challenge(page(POSTS + "<p>How do I solve the captcha?</p>"), "")


def test_an_empty_shell_with_scripts_is_script_made() -> None:
    html = '<div id="app"></div><script src="/app.js"></script>'
    assert is_script_made(page(html), html)


def test_a_page_with_words_is_not() -> None:
    html = POSTS + '<script src="/app.js"></script>'
    assert not is_script_made(page(html), html)
