"""What a page is instead of a forum."""

from __future__ import annotations

import pytest

from thrawl.learn.diagnose import is_challenge, is_login, is_script_made
from thrawl.learn.feeds import find_feeds
from thrawl.page.reading import Page, read_page

LOGIN = '<h1>Log in</h1><form><input name="name"><input type="password" name="word"><button>Go</button></form>'
POSTS = "".join(f"<p>Post number {n} says that the tide was out when we came.</p>" for n in range(40))


def page(html: str) -> Page:
    return read_page(f"<html><body>{html}</body></html>", "http://f.test/")


def test_a_page_that_is_mostly_a_password_field_is_a_login() -> None:
    assert is_login(page(LOGIN))


def test_a_forum_with_a_login_box_is_none() -> None:
    assert not is_login(page(LOGIN + POSTS))


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


def test_feeds_are_named_in_the_head() -> None:
    head = (
        '<link rel="alternate" type="application/rss+xml" href="/feed">'
        '<link rel="alternate" type="application/atom+xml" href="/atom"><link rel="stylesheet" href="/s.css">'
        '<link rel="alternate" hreflang="fr" href="/fr/">'
    )
    found = read_page(f"<html><head>{head}</head><body></body></html>", "http://f.test/b/")
    assert find_feeds(found) == ("http://f.test/feed", "http://f.test/atom")
