"""Fetching a whole forum by its profile."""

from thrawl.folders import make_callable

make_callable(__name__)
