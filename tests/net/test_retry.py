"""When to try again, and how long to wait."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.errors import FetchError
from thrawl.limits import MAX_BACKOFF_SECONDS
from thrawl.net.options import FetchLimits
from thrawl.net.retry import Transient, backoff, retry_after_seconds, status_retries

LIMITS = FetchLimits()
FIRST_OF_MAY = 1_777_636_800.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7),
        (" 7 ", 7),
        ("0", 0),
        ("99999999999999999999", 120),
        ("Fri, 01 May 2026 12:00:30 GMT", 30),
        ("Fri, 01 May 2026 11:00:00 GMT", 0),
        ("Fri, 01 May 2099 12:00:00 GMT", 120),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_a_number_or_a_date(value, seconds):
    assert retry_after_seconds(value, LIMITS, now=FIRST_OF_MAY) == seconds


@given(st.text(max_size=40))
def test_any_retry_after_is_a_bounded_wait_or_nothing(value):
    seconds = retry_after_seconds(value, LIMITS)
    assert seconds is None or 0 <= seconds <= LIMITS.retry_after_seconds


def test_waits_double_with_jitter_up_to_a_cap():
    for tried, longest in ((1, 0.5), (2, 1.0), (3, 2.0), (9, MAX_BACKOFF_SECONDS), (99, MAX_BACKOFF_SECONDS)):
        waits = [backoff(tried, LIMITS) for _ in range(50)]
        assert longest / 2 <= min(waits) < max(waits) <= longest


def test_what_the_server_asks_for_is_never_cut_short():
    assert all(5 <= backoff(1, LIMITS, 5.0) <= 5.5 for _ in range(50))


@pytest.mark.parametrize(("status", "retries"), [(200, 0), (404, 0), (429, 7), (503, 7), (500, 2), (502, 2), (501, 0)])
def test_a_busy_server_deserves_more_tries_than_a_broken_one(status, retries):
    assert status_retries(status, LIMITS) == retries


def test_errors_cross_process_borders():
    again = pickle.loads(pickle.dumps(Transient("http://a.test/", "broke off", few=True)))
    assert type(again) is FetchError
    assert str(again) == "http://a.test/: broke off"
