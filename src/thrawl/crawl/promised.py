"""The names of places where pages promise something; alone here, so that the ledger needs nothing that reads pages."""

from __future__ import annotations

from typing import Final

BOARD: Final = "board"
"""The place of what stands in a board's row by itself: that there is such a board, and no number."""

ROW_MARK: Final = "@"
"""What stands in the place of a number that a row says of its board, and in none that a list says of itself."""
