"""What users type, and what becomes of it."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.errors import UsageError
from thrawl.net.url import BadUrl, normal_url, redirect_target, target_of, usable_url, without_numbers


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("forum.example.org", "http://forum.example.org/"),
        (" forum.example.org/board ", "http://forum.example.org/board"),
        ("localhost:8080/x", "http://localhost:8080/x"),
        ("//example.org/a", "http://example.org/a"),
        ("HTTPS://Example.ORG", "https://example.org/"),
        ("http://example.org:80/a", "http://example.org/a"),
        ("https://example.org:443/a?b=1#c", "https://example.org/a?b=1"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("http://example.org:443/", "http://example.org:443/"),
        ("http://bücher.example/ä?q=ö", "http://xn--bcher-kva.example/%C3%A4?q=%C3%B6"),
        ("http://example.org/a b|c", "http://example.org/a%20b%7Cc"),
        ("http://example.org/%e4%zz", "http://example.org/%e4%zz"),
        ("http://[0:0::1]:8080/", "http://[::1]:8080/"),
        ("http://example.org?x=1", "http://example.org/?x=1"),
        ("http://a_b.example.org/", "http://a_b.example.org/"),
    ],
)
def test_a_usable_url_gets_its_one_spelling(typed, url):
    assert usable_url(typed) == url


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("ftp://example.org/", "only http and https"),
        ("javascript:alert(1)", "only http and https"),
        ("mailto:a@example.org", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("http://", "names no host"),
        ("http:///path", "names no host"),
        ("http://user:secret@example.org/", "user name or password"),
        ("http://example.org:0/", "port"),
        ("http://example.org:99999/", "port"),
        ("http://example.org:http/", "port"),
        ("http://exa mple.org/", "host name"),
        ("http://a..b/", "host name"),
        ("http://-/", "host name"),
        ("http://evil.test\\@good.test/", "user name"),
        ("http://[::1/", "cannot be read"),
        ("http://[::1]evil.test/", "IPv6|cannot be read"),
        ("http://[fe80::1%25eth0]/", "IPv6|cannot be read"),
        ("http://[v1.x]/", "IPv6|cannot be read"),
        ("http://example.org/\x00", "control characters"),
        ("http://exam\nple.org/", "control characters"),
        ("http://example.org/" + "a" * 5000, "more than 4096 characters"),
        ("http://" + "a" * 300 + ".test/", "host name"),
    ],
)
def test_an_unusable_url_is_told_with_the_reason(typed, why):
    with pytest.raises(UsageError, match=why):
        usable_url(typed)


@given(st.text(max_size=60) | st.text("htps:/.[]@%#?a1ü\\ ", max_size=40).map("http://".__add__))
def test_any_text_is_a_plain_url_or_a_clear_error(text):
    try:
        url = usable_url(text)
    except UsageError:
        return
    assert url.isascii()
    assert normal_url(url) == url
    assert urlsplit(url).scheme in ("http", "https")
    assert not urlsplit(url).fragment


@pytest.mark.parametrize(
    "url",
    [
        "http://forum.example.org/",
        "https://example.org:8443/board//a/?q=http://other.example/x?y",
        "http://[::1]:8080/thread/1;page=2",
        "http://[2001:db8::1]/?x=1",
    ],
)
def test_the_parts_of_a_url_are_those_that_everybody_reads(url):
    target, parts = target_of(url), urlsplit(url)
    assert (target.scheme, target.host, target.path) == (parts.scheme, parts.hostname, parts.path)
    assert target.origin == f"{parts.scheme}://{parts.netloc}"
    assert target.secure == (parts.scheme == "https")


def test_a_redirect_loses_its_user_name():
    assert redirect_target("http://a.test/", "http://me:secret@b.test/x") == "http://b.test/x"


def test_a_redirect_to_nothing_usable_is_bad():
    with pytest.raises(BadUrl):
        redirect_target("http://a.test/", "data:text/html,x")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/u/7", "http://a.example/u/81"),
        ("http://a.example/out?key=3fa9c1&x=a", "http://a.example/out?key=b70ce2&x=a"),
        ("http://a.example/u/anna-99", "http://a.example/u/anna-1"),
    ],
)
def test_addresses_that_differ_in_numbers_and_keys_are_one(one: str, other: str) -> None:
    assert without_numbers(one) == without_numbers(other)
    assert without_numbers(one) != without_numbers(one.replace("a.example", "b.example"))
