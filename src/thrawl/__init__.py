"""Thrawl archives web forums: any URL in, every thread and post out, kept fresh.

The folders of this package stand in the order in which data flows through them, and each imports
only from those before it: net, page, profile, learn, archive, crawl, refresh, lab, cli.

`learn` and `crawl` are calls and folders at once; see `thrawl.folders`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from thrawl import aio, api
from thrawl._version import __version__
from thrawl.api import extract, read, watch
from thrawl.errors import ThrawlError
from thrawl.folders import make_callable

if TYPE_CHECKING:
    from thrawl.api import crawl, learn
    from thrawl.archive.store import Archive
    from thrawl.profile.profile import Profile
else:
    make_callable("crawl", api.crawl)
    make_callable("learn", api.learn)

__all__ = ["Archive", "Profile", "ThrawlError", "__version__", "aio", "crawl", "extract", "learn", "read", "watch"]

_LAZY = {"Archive": "thrawl.archive.store", "Profile": "thrawl.profile.profile"}


def __getattr__(name: str) -> object:
    """`Archive` and `Profile` bring whole libraries along, and come when they are asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module 'thrawl' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
