"""Telling a person, or another crawler, what was learned."""
