"""A post's own markup: what it shows, without the attributes that only its site's styles and scripts use.

A picture keeps the address that a script of the site would give it later, where its own is missing or a stand-in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Final

from thrawl.limits import MAX_DATA_URL_CHARS
from thrawl.page.links import Resolver
from thrawl.page.srcset import candidates
from thrawl.page.tree import TEXT, Tree

_VOID: Final = frozenset("br hr img input wbr area source track col embed meta link".split())
_KEPT: Final = frozenset(
    "href src alt title datetime cite colspan rowspan start lang dir width height download".split()
)
# Pictures in the page itself that a browser shows and that cannot hold a script, as SVG can.
_DATA_PICTURE: Final = re.compile(r"data:image/(?:png|gif|jpe?g|webp|avif);base64,[A-Za-z0-9+/=\s]+", re.IGNORECASE)
_PICTURE_NAME: Final = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|bmp)(?:[?#]|$)", re.IGNORECASE)
_ADDRESSES: Final = frozenset({"href", "src", "cite"})

Span = tuple[int, int]


def write_html(tree: Tree, spans: Sequence[Span], left_out: Sequence[Span], links: Resolver) -> str:
    """The markup of these ranges of nodes but for some, with absolute addresses."""
    ends = dict(left_out)

    def written(tag: str, attributes: Mapping[str, str]) -> str:
        return _attributes(_of_picture(attributes, links) if tag == "img" else attributes, links)

    return "".join([markup_between(tree, *span, ends, _VOID, written) for span in spans]).strip()


def markup_between_slowly(
    tree: Tree,
    start: int,
    end: int,
    left_out: dict[int, int],
    void: frozenset[str],
    written: Callable[[str, Mapping[str, str]], str],
) -> str:
    """The markup of a range of nodes without those that are left out; `written` says what stands in a tag."""
    pieces: list[str] = []
    open_tags: list[tuple[int, str]] = []
    node = start
    while node < end:
        while open_tags and open_tags[-1][0] <= node:
            pieces.append(f"</{open_tags.pop()[1]}>")
        if node in left_out:
            node = max(node + 1, left_out[node])
            continue
        tag = tree.tags[node]
        if tag == TEXT:
            pieces.append(escape(tree.texts[node], quote=False))
        else:
            attributes = tree.attributes[node]
            pieces.append(f"<{tag}{written(tag, attributes) if attributes else ''}>")
            if tag not in void:
                open_tags.append((tree.ends[node], tag))
        node += 1
    pieces.extend(f"</{tag}>" for _, tag in reversed(open_tags))
    return "".join(pieces)


try:
    from thrawl.page._walks import markup_between
except ImportError:  # not built: see `page.tree`
    markup_between = markup_between_slowly


def _of_picture(attributes: Mapping[str, str], links: Resolver) -> Mapping[str, str]:
    """The attributes of a picture with the address that is shown once the site's scripts have run."""
    source, srcset = attributes.get("src", ""), attributes.get("srcset", "")
    is_data = source[:5].lower() == "data:"
    later = _later_address(attributes) if is_data or not source else None
    changed = dict(attributes)
    if later is not None:
        changed["src"] = later
    if srcset:
        shown = [(found, one.size) for one in candidates(srcset) if (found := links.resolve(one.url)) is not None]
        changed["srcset"] = ", ".join(f"{found[0]} {size:g}x" for found, size in shown)
    return changed


def _later_address(attributes: Mapping[str, str]) -> str | None:
    """The address that stands ready for a script: named as a source, or ending as a picture's name does."""
    ready = ((name, value) for name, value in attributes.items() if name.startswith("data-") and value)
    return next((value for name, value in ready if name.endswith("src") or _PICTURE_NAME.search(value)), None)


def _attributes(attributes: Mapping[str, str], links: Resolver) -> str:
    shown = []
    for name, value in attributes.items():
        if name not in _KEPT and name != "srcset":
            continue
        if name == "src" and len(value) <= MAX_DATA_URL_CHARS and _DATA_PICTURE.fullmatch(value):
            pass
        elif name in _ADDRESSES:
            resolved = links.resolve(value)
            if resolved is None:
                continue
            value = f"{resolved[0]}#{resolved[1]}" if resolved[1] else resolved[0]
        shown.append(f' {name}="{escape(value)}"')
    return "".join(shown)
