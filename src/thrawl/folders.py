"""Folders that can be called: `thrawl.crawl` is the folder of that name and the call of that name, in one.

So `thrawl.crawl(url)` works, and so does `import thrawl.crawl.forum as forum`, which takes its way through the
attribute. Type checkers see the call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


class CallableFolder(ModuleType):
    """A package that passes calls on to the public call of its name."""

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """What is called; here `help` and `inspect.signature` look for it."""
        call: Callable[..., Any] = getattr(import_module("thrawl.api"), self.__name__.rpartition(".")[2])
        return call

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.__wrapped__(*args, **named)


def make_callable(folder: str) -> None:
    """Let a package of Thrawl be called."""
    sys.modules[folder].__class__ = CallableFolder
