"""A post's own markup: what it shows, without the attributes that only its site's styles and scripts use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from thrawl.page.links import Resolver
from thrawl.page.tree import TEXT, Tree

_VOID: Final = frozenset("br hr img input wbr area source track col embed meta link".split())
_KEPT: Final = frozenset("href src alt title datetime cite colspan rowspan start lang dir".split())
_ADDRESSES: Final = frozenset({"href", "src", "cite"})

Span = tuple[int, int]


def write_html(tree: Tree, spans: Sequence[Span], left_out: Sequence[Span], links: Resolver) -> str:
    """The markup of these ranges of nodes but for some, with absolute addresses."""
    ends = dict(left_out)
    pieces: list[str] = []
    for start, end in spans:
        open_tags: list[tuple[int, str]] = []
        node = start
        while node < end:
            while open_tags and open_tags[-1][0] <= node:
                pieces.append(f"</{open_tags.pop()[1]}>")
            if node in ends:
                node = max(node + 1, ends[node])
                continue
            _write(tree, node, pieces, open_tags, links)
            node += 1
        pieces.extend(f"</{tag}>" for _, tag in reversed(open_tags))
    return "".join(pieces).strip()


def _write(tree: Tree, node: int, pieces: list[str], open_tags: list[tuple[int, str]], links: Resolver) -> None:
    tag = tree.tags[node]
    if tag == TEXT:
        pieces.append(escape(tree.texts[node], quote=False))
        return
    pieces.append(f"<{tag}{_attributes(tree.attributes[node], links)}>")
    if tag not in _VOID:
        open_tags.append((tree.ends[node], tag))


def _attributes(attributes: Mapping[str, str], links: Resolver) -> str:
    shown = []
    for name, value in attributes.items():
        if name not in _KEPT:
            continue
        if name in _ADDRESSES:
            resolved = links.resolve(value)
            if resolved is None:
                continue
            value = f"{resolved[0]}#{resolved[1]}" if resolved[1] else resolved[0]
        shown.append(f' {name}="{escape(value)}"')
    return "".join(shown)
