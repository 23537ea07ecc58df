"""Cookies stay with the host that set them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.limits import MAX_COOKIES_PER_HOST
from thrawl.net.cookies import Cookies, load_cookies, parse_set_cookie


@pytest.fixture
def jar():
    return Cookies(clock=lambda: 1000.0)


def sent(jar, host="a.test", path="/", secure=False):
    return jar.header(host, path, secure)


@pytest.mark.parametrize(
    ("line", "header"),
    [
        ("sid=1", "sid=1"),
        ("sid=1; Max-Age=10", "sid=1"),
        ("sid=1; Max-Age=0", None),
        ("sid=1; expires=Thu, 01 Jan 1970 00:00:01 GMT", None),
        ("sid=1; expires=Fri, 01-May-2099 00:00:00 GMT", "sid=1"),
        ("sid=1; expires=whenever", "sid=1"),
        ("sid=1; path=/board", None),
        ("sid=1; Secure", None),
        ('sid="a b"', 'sid="a b"'),
        ("sid=", "sid="),
        ("no equals sign", None),
        ("=1", None),
        ("sid=" + "x" * 5000, None),
        ("sid=a\x01b", None),
    ],
)
def test_what_a_host_sets_comes_back_while_it_holds(jar, line, header):
    jar.keep("a.test", "/", False, [line])
    assert sent(jar) == header


def test_paths_bound_a_cookie_at_whole_segments(jar):
    jar.keep("a.test", "/board/index", False, ["sid=1"])
    assert sent(jar, path="/board/x") == "sid=1"
    assert sent(jar, path="/board") == "sid=1"
    assert sent(jar, path="/boards") is None


def test_a_cookie_is_replaced_and_deleted_by_its_host(jar):
    jar.keep("a.test", "/", False, ["sid=1", "sid=2"])
    assert sent(jar) == "sid=2"
    jar.keep("a.test", "/", False, ["sid=; Max-Age=0"])
    assert sent(jar) is None


def test_a_domain_attribute_reaches_no_other_host(jar):
    jar.keep("a.test", "/", True, ["sid=1; Domain=test", "x=1; Domain=b.test"])
    assert sent(jar, host="b.test") is None
    assert sent(jar, host="sub.a.test") is None


def test_a_plain_connection_cannot_set_a_secure_cookie(jar):
    jar.keep("a.test", "/", False, ["sid=1; Secure"])
    assert sent(jar, secure=True) is None


def test_a_flood_of_cookies_is_bounded(jar):
    jar.keep("a.test", "/", False, [f"c{n}=1" for n in range(10_000)])
    assert len(sent(jar).split("; ")) == MAX_COOKIES_PER_HOST


def test_a_cookies_file_can_name_a_domain(tmp_path):
    file = tmp_path / "cookies.txt"
    lines = [
        "# Netscape HTTP Cookie File",
        ".example.org\tTRUE\t/\tFALSE\t0\tall\t1",
        "forum.example.org\tFALSE\t/\tTRUE\t4102444800\tonly\t2",
        "#HttpOnly_forum.example.org\tFALSE\t/\tFALSE\t4102444800\thttp\t3",
        "old.example.org\tFALSE\t/\tFALSE\t1\told\t4",
    ]
    file.write_text("\n".join(lines) + "\n")
    jar = Cookies(load_cookies(file))
    assert sorted(sent(jar, host="forum.example.org", secure=True).split("; ")) == ["all=1", "http=3", "only=2"]
    assert sent(jar, host="old.example.org") == "all=1"
    assert sent(jar, host="badexample.org") is None


@given(st.text(max_size=200))
def test_any_set_cookie_line_is_a_sendable_cookie_or_none(line):
    cookie = parse_set_cookie(line, "/", 0.0)
    assert cookie is None or (cookie.name and cookie.path.startswith("/") and "\n" not in cookie.name + cookie.value)
