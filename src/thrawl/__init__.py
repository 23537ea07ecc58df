"""Thrawl archives web forums: any URL in, every thread and post out, kept fresh.

The folders of this package stand in the order in which data flows through them, and each imports
only from those before it: net, page, profile, learn, archive, crawl, refresh, lab, cli.

`learn` and `crawl` are calls here and folders below. Both folders are imported before the calls take their names:
Python puts a folder into its package's namespace only once, so it never takes the name back.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from thrawl._version import __version__
from thrawl.errors import ThrawlError

for _folder in ("crawl", "learn"):
    import_module(f"thrawl.{_folder}")

from thrawl import aio  # noqa: E402 - after the folders
from thrawl.api import crawl, extract, learn  # noqa: E402 - after the folders

if TYPE_CHECKING:
    from thrawl.archive.store import Archive
    from thrawl.profile.profile import Profile

__all__ = ["Archive", "Profile", "ThrawlError", "__version__", "aio", "crawl", "extract", "learn"]

_LAZY = {"Archive": "thrawl.archive.store", "Profile": "thrawl.profile.profile"}


def __getattr__(name: str) -> object:
    """`Archive` and `Profile` bring whole libraries along, and come when they are asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module 'thrawl' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
