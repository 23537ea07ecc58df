"""The compiled loops of policies give what the same files give in Python, to the last bit."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thrawl.refresh import decay, heads

fast = pytest.importorskip("thrawl.refresh._decay", reason="the compiled part of Thrawl was not built here")
fast_heads = pytest.importorskip("thrawl.refresh._heads", reason="the compiled part of Thrawl was not built here")

DAY = 86_400.0
WEIGHTS = (1e-4, 5e-5, 1e-5, 1e-6, 1e-7, 1e-8)
moments = st.floats(0.0, 400 * DAY)
posts = st.lists(st.tuples(moments, st.integers(1, 5)), max_size=8)


def a_week(module: object) -> decay.Week:
    draw = Random(1)
    factors = [draw.uniform(0.2, 2.0) for _ in range(168)]
    cumulated = [0.0]
    for factor in factors:
        cumulated.append(cumulated[-1] + 3600 * factor)
    made: decay.Week = module.Week(factors, cumulated)  # type: ignore[attr-defined]
    return made


def a_pulse(module: object, base: float, told: list[tuple[float, int]]) -> decay.Pulse:
    pulse: decay.Pulse = module.Pulse(0.0, base)  # type: ignore[attr-defined]
    for moment, count in told:
        pulse.post(moment, WEIGHTS, count)
    return pulse


@settings(max_examples=200)
@given(posts, st.floats(0.0, 1e-3), moments, moments)
def test_lists_are_valued_alike(told: list[tuple[float, int]], base: float, since: float, later: float) -> None:
    now = since + later
    figures = []
    for module in (decay, fast):
        pulse, week = a_pulse(module, base, told), a_week(module)
        whole = module.sum_of([pulse, a_pulse(module, base, told[:2])], base, now)
        figures.append(
            [
                *(list(pulse.amplitudes), pulse.moment, pulse.rate(now), pulse.expected(since, now)),
                *(pulse.outlook(since, now), week.at(now), week.mean(since, now), whole.amplitudes, whole.base),
                module.worth(pulse, week, since, now),
                module.span_until(5000.0, pulse, week, since, 0.0),
                module.span_until(5000.0, pulse, week, since, later),
            ]
        )
        pulse.move(now)
        figures[-1].append(pulse.amplitudes)
    assert figures[0] == figures[1]


@given(st.lists(st.lists(st.tuples(st.floats(0, 1e6), st.floats(1, 1e6), st.booleans()), max_size=5), max_size=9))
def test_heads_are_compared_alike(classes: list[list[tuple[float, float, bool]]]) -> None:
    found = []
    for module in (heads, fast_heads):
        heaps = []
        for heap in classes:
            entries = [module.Entry((due, wait), wait, due) for due, wait, _ in heap]
            for entry, (_, _, is_over) in zip(entries, heap, strict=True):
                entry.is_over = is_over
            heaps.append(sorted((entry.due, number, entry) for number, entry in enumerate(entries)))
        late = module.latest_heads(heaps, 5e5, 4)
        found.append([(entry.key, entry.lateness) for entry in late])
        assert len(late) <= 4
    assert found[0] == found[1]
    assert [lateness for _, lateness in found[0]] == sorted((lateness for _, lateness in found[0]), reverse=True)


def test_policies_run_without_the_compiled_part_too() -> None:
    script = """
import sys
sys.modules["thrawl.refresh._decay"] = sys.modules["thrawl.refresh._heads"] = None
from thrawl.refresh import agenda, decay, heads, pulse
assert (pulse.Pulse, agenda.Entry) == (decay.Pulse, heads.Entry)
print(pulse.Pulse(0.0, 2.0).rate(5.0))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "2.0\n"
