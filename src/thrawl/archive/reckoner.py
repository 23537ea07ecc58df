"""Reckons the figures of an archive, and keeps them until something is written (see `reckoned`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from sqlalchemy import Connection, delete, insert, select

from thrawl.archive.connect import Transaction
from thrawl.archive.facts import Facts
from thrawl.archive.reckoned import SUMMARY, as_text, facts_from, facts_name, summary_from
from thrawl.archive.reckoning import facts_of
from thrawl.archive.storable import storable
from thrawl.archive.summary import summary
from thrawl.archive.tables import reckoned
from thrawl.archive.values import Summary

_MOST_CHARS: Final = 4_000_000  # of one figure; the facts of very many lists are not worth a second copy of them

_Figures = TypeVar("_Figures", Summary, Facts)


class Reckoner:
    """The figures of one archive. `writing` is a transaction that changes nothing else; None for who only reads."""

    def __init__(self, reading: Transaction, writing: Transaction | None) -> None:
        self._reading = reading
        self._writing = writing

    def summary(self) -> Summary:
        return self._reckoned(SUMMARY, summary_from, summary)

    def facts(self, forum_id: int) -> Facts:
        return self._reckoned(facts_name(forum_id), facts_from, partial(facts_of, forum_id=forum_id))

    def _reckoned(
        self, name: str, read: Callable[[str], _Figures], reckon: Callable[[Connection], _Figures]
    ) -> _Figures:
        with self._reading() as connection:
            kept = connection.execute(select(reckoned.c.value).where(reckoned.c.name == name)).scalar_one_or_none()
            if kept is not None:
                return read(kept)
            figures = reckon(connection)
        if self._writing is not None:
            self._keep(self._writing, name, as_text(figures))
        return figures

    def _keep(self, writing: Transaction, name: str, text: str) -> None:
        if len(text) <= _MOST_CHARS:
            with writing() as connection:
                connection.execute(delete(reckoned).where(reckoned.c.name == name))
                connection.execute(insert(reckoned).values(name=name, value=storable(text)))
