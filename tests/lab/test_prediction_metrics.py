"""Every metric of the thread-update report on a few posts and visits, worked by hand. Moments are minutes."""

from __future__ import annotations

from math import exp, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.lab.prediction.metrics import (
    mape,
    p_fa,
    p_miss,
    pairwise_score,
    published_pairwise,
    sliding_windows,
    t_score,
)

POSTS = np.array([0.0, 10.0, 40.0])
VISITS = np.array([5.0, 25.0, 50.0])


def test_mape_is_a_fraction_over_gaps_above_zero() -> None:
    """|10 - 15| / 10 = 0.5 and |30 - 15| / 30 = 0.5; the third gap is 0 and left out."""
    assert mape(np.array([10.0, 30.0, 0.0]), np.array([15.0, 15.0, 7.0])) == pytest.approx(0.5)
    assert isnan(mape(np.zeros(2), np.ones(2)))


def test_t_is_the_mean_wait_until_the_first_visit_after_a_post() -> None:
    """5 - 0, 25 - 10 and 50 - 40: (5 + 15 + 10) / 3 = 10. The last visit counts although it is after the last post."""
    assert t_score(POSTS, VISITS) == pytest.approx(10.0)


def test_a_visit_at_the_very_moment_of_a_post_does_not_see_it() -> None:
    assert t_score(np.array([10.0]), np.array([10.0, 17.0])) == pytest.approx(7.0)


def test_the_pairwise_score_by_its_formula() -> None:
    """Post 0, visit 1, visit 3: 1 - e^-1 and e^-2 over two pairs."""
    assert pairwise_score(np.array([0.0]), np.array([1.0, 3.0])) == pytest.approx((1 - exp(-1) + exp(-2)) / 2)


def test_a_visit_before_a_post_scores_nothing_but_counts_as_a_pair() -> None:
    """p v p v p v: three pairs post-visit of 5, 15 and 10 minutes, two pairs visit-post of nothing."""
    expected = ((1 - exp(-5)) + (1 - exp(-15)) + (1 - exp(-10))) / 5
    assert pairwise_score(POSTS, VISITS) == pytest.approx(expected)


def test_the_pairwise_score_as_the_reports_code_has_it() -> None:
    """e^(-0.01 D), and only pairs that score above 0 are counted: three of the five."""
    expected = ((1 - exp(-0.05)) + (1 - exp(-0.15)) + (1 - exp(-0.1))) / 3
    assert published_pairwise(POSTS, VISITS) == pytest.approx(expected)


def test_p_miss_cuts_waits_at_the_last_post() -> None:
    """Waits 5, 15 and 0 (cut at 40); the worst are 40, 30 and 0: 20 / 70."""
    assert p_miss(POSTS, VISITS) == pytest.approx(20 / 70)


def test_p_fa_is_visits_a_free_minute() -> None:
    """Two visits until minute 40, which leaves 40 - 3 minutes without a post."""
    assert p_fa(POSTS, VISITS) == pytest.approx(2 / 37)


def test_posts_at_one_moment_have_no_normalised_metrics() -> None:
    same = np.array([7.0, 7.0])
    assert isnan(p_miss(same, np.array([9.0])))
    assert isnan(p_fa(same, np.array([9.0])))


def test_pr_miss_and_pr_fa_by_sliding_windows() -> None:
    """Posts 0, 1, 6, a visit at 3; windows of 3 from minutes 0 to 4 hold (posts, visits):

    (2, 0) missed, (1, 1), (0, 1) false, (0, 1) false, (1, 0) missed: 2 of 3 with a post, and 2 of 5.
    """
    found = sliding_windows(np.array([0.0, 1.0, 6.0]), np.array([3.0, 9.0]), width=3)
    assert found.pr_miss == pytest.approx(2 / 3)
    assert found.pr_fa == pytest.approx(2 / 5)
    assert found.pr_error == pytest.approx((2 / 3 + 2 / 5) / 2)


def test_the_three_parts_of_the_error() -> None:
    """Posts 0 and 4, a visit at 2; windows of 3:

    from 0: post 0, then visit 2: as many visits as posts; from 1: visit 2, no post: a visit before; from 2: visit 2
    before post 4, then nothing: a visit before, and more posts than visits from the first post on.
    """
    found = sliding_windows(np.array([0.0, 4.0]), np.array([2.0, 7.0]), width=3)
    assert found.before == pytest.approx(2 / 3)
    assert found.more_visits == 0.0
    assert found.more_posts == pytest.approx(1 / 2)


def test_more_visits_than_posts_after_the_first_post() -> None:
    """Post 0, then visits 1 and 2, in the first of the two windows of 3 that hold a post."""
    found = sliding_windows(np.array([0.0, 9.0]), np.array([1.0, 2.0, 12.0]), width=3)
    assert found.more_visits == pytest.approx(1 / 2)
    assert found.more_posts == pytest.approx(1 / 2)


moments = st.lists(st.integers(0, 4000), min_size=1, max_size=12).map(lambda found: np.array(sorted(found)) / 20)


@given(moments, moments, st.integers(1, 25))
def test_counting_by_stretches_is_counting_every_window(posts: np.ndarray, visits: np.ndarray, width: int) -> None:
    visits = np.append(visits + posts[0], posts[-1] + 1.0)
    visits.sort()
    found = sliding_windows(posts, visits, width)
    p, v = posts - posts[0], visits - posts[0]
    starts = range(max(1, int(p[-1]) + 1 - width + 1))
    inside = [(p[(p >= i) & (p < i + width)], v[(v >= i) & (v < i + width)]) for i in starts]
    with_post = max(1, sum(len(r) > 0 for r, _ in inside))
    assert found.pr_miss == pytest.approx(sum(len(r) > len(h) for r, h in inside) / with_post)
    assert found.pr_fa == pytest.approx(sum(len(h) > len(r) for r, h in inside) / len(inside))
    before = sum(bool(len(h)) and (not len(r) or h[0] <= r[0]) for r, h in inside)
    assert found.before == pytest.approx(before / len(inside))
    late = sum(len(r) > int((h > r[0]).sum()) for r, h in inside if len(r))
    assert found.more_posts == pytest.approx(late / with_post)
