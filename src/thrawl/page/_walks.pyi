from collections.abc import Callable, Mapping

from thrawl.page.tree import Tree

def long_texts(texts: list[str], least: int) -> list[int]: ...
def text_between(tags: list[str], texts: list[str], ends: list[int], start: int, end: int) -> str: ...
def last_text(tree: Tree, start: int, end: int) -> int: ...
def lines_between(
    tree: Tree, start: int, end: int, left_out: dict[int, int], printed: int, breaks: frozenset[str], space: str
) -> list[str]: ...
def markup_between(
    tree: Tree,
    start: int,
    end: int,
    left_out: dict[int, int],
    void: frozenset[str],
    written: Callable[[str, Mapping[str, str]], str],
) -> str: ...
