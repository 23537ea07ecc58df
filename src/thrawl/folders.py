"""Folders that can be called: `thrawl.crawl` is the folder of that name and the call of that name, in one.

So `thrawl.crawl(url)` works, and so does `import thrawl.crawl.forum as forum`, which takes its way through the
attribute. Type checkers see the call.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


class CallableFolder(ModuleType):
    """A package that passes calls on."""

    __wrapped__: Callable[..., Any]  # where `help` and `inspect.signature` look for what is called

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.__wrapped__(*args, **named)


def make_callable(folder: str, call: Callable[..., Any]) -> None:
    """Let a package of Thrawl be called."""
    module = import_module(f"thrawl.{folder}")
    module.__class__ = CallableFolder
    module.__dict__["__wrapped__"] = call
