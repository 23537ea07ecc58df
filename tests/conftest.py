"""What holds for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A busy machine may stop a test at any moment: how long an example takes says nothing of the rule that it tests.
settings.register_profile("thrawl", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("thrawl")
