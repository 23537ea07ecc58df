"""Thrawl archives web forums: any URL in, every thread and post out, kept fresh.

The folders of this package stand in the order in which data flows through them, and each imports
only from those before it: net, page, profile, learn, archive, crawl, refresh, lab, cli.

`learn` and `crawl` are calls and folders at once; see `thrawl.folders`.
"""

from importlib import import_module

from thrawl._version import __version__

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all that this file needs
if TYPE_CHECKING:
    from thrawl import aio
    from thrawl.api import crawl, extract, learn, read, watch
    from thrawl.archive.store import Archive
    from thrawl.errors import ThrawlError
    from thrawl.profile.profile import Profile

__all__ = ["Archive", "Profile", "ThrawlError", "__version__", "aio", "crawl", "extract", "learn", "read", "watch"]

_FOLDERS = ("aio", "api", "crawl", "learn")
_LAZY = {
    **dict.fromkeys(("extract", "read", "watch"), "thrawl.api"),
    "Archive": "thrawl.archive.store",
    "Profile": "thrawl.profile.profile",
    "ThrawlError": "thrawl.errors",
}


def __getattr__(name: str) -> object:
    """All names come when they are asked for: they bring libraries along, and until the command has begun to load
    Ctrl-C shows what was being loaded."""
    if name in _FOLDERS:
        return import_module(f"thrawl.{name}")
    if name not in _LAZY:
        raise AttributeError(f"module 'thrawl' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
