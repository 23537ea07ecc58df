"""What a list's posts make likely, and what a look is worth: compiled where that was built, else in Python."""

from __future__ import annotations

try:
    from thrawl.refresh._decay import SCALES, SLOWEST_RATE, Pulse, Week, span_until, sum_of, worth
except ImportError:
    from thrawl.refresh.decay import SCALES, SLOWEST_RATE, Pulse, Week, span_until, sum_of, worth

__all__ = ["SCALES", "SLOWEST_RATE", "Pulse", "Week", "span_until", "sum_of", "worth"]
