"""The tables of an experiment on standard output."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table as RichTable

from thrawl.lab.report import Table, cell

# Columns where standard output is no terminal: enough for the widest table.
FILE_WIDTH = 200


def print_table(table: Table) -> None:
    shown = RichTable(title=table.caption, title_justify="left", box=None, pad_edge=False)
    for number, name in enumerate(table.header):
        shown.add_column(name, justify="left" if number < 2 else "right", no_wrap=True)
    for row in table.rows:
        shown.add_row(*(cell(value) for value in row))
    Console(width=None if sys.stdout.isatty() else FILE_WIDTH).print(shown)
