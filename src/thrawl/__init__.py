"""Thrawl archives web forums: any URL in, every thread and post out, kept fresh.

The folders of this package stand in the order in which data flows through them, and each imports
only from those before it: net, page, learn, archive, crawl, refresh, lab, cli.
"""

from thrawl._version import __version__

__all__ = ["__version__"]
