"""The policies, one small class each behind `thrawl.refresh.policy.Policy`."""
