"""What leaves Thrawl is text and nothing else: no terminal takes an order from a stranger's words.

Pages, and with them titles, names, addresses and error messages, may hold control characters: escape sequences,
carriage returns that overwrite a line, marks that turn the direction of writing around.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

# C1 controls, direction marks and line separators: JSON may hold them as they are, terminals obey some of them.
_OBEYED: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_JSON: Final = json.JSONEncoder(ensure_ascii=False)  # kept, as making one takes as long as writing a short line
# What a spreadsheet takes for the beginning of a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def one_line(text: str) -> str:
    """The text as a terminal may show it: one line, without the control characters that a page could smuggle in."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def shown(text: str) -> str:
    """Like `one_line`, with the spaces by which words stand in columns."""
    return "".join(char if char.isprintable() else " " for char in text)


def json_line(value: Any) -> str:
    """One line of JSON that is harmless on a terminal, too: what is dangerous is written as an escape."""
    line = _JSON.encode(value)
    if line.isascii() and "\x7f" not in line:
        return line
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def cell(text: str) -> str:
    """A cell of a CSV file: one that a spreadsheet would take for a formula has an apostrophe before it."""
    return f"'{text}" if text.startswith(_FORMULA) else text
