"""Fetching a whole forum by its profile."""
