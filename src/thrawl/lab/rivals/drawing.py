"""The sitemap of a site as a picture (`thrawl learn --sitemap`): Fig. 1 (a) of Wang et al. for any forum.

Vertices stand in columns by their distance from the entry page, with a typical page each; skeleton links are green and
carry their most common words, page-flipping links are red loops; everything else is a thin grey line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from thrawl.errors import InputError
from thrawl.lab.report import STYLE
from thrawl.lab.rivals.look import Looks
from thrawl.lab.rivals.sampling import draw_sample
from thrawl.lab.rivals.sitemap import SiteLink, Sitemap, Vertex
from thrawl.lab.rivals.skeleton import Traversal, explore
from thrawl.lab.rivals.way import Say
from thrawl.net.message import Fetcher

PAGES: Final = 300
"""Pages sampled for a picture: half of what a strategy takes, since somebody waits for it at a polite pace."""
_BOX: Final = (230, 62)
_STEP: Final = (360, 104)
_MARGIN: Final = 70
_SKELETON, _FLIP, _OTHER = "#2e7d32", "#c62828", "#cfcfcf"
_LETTERS: Final = 34


async def draw_sitemap(start: str, fetcher: Fetcher, file: Path, say: Say) -> None:
    """Sample a site and write its sitemap, as a picture or as a page with tables. Raises InputError, LearnError."""
    sample = await draw_sample(start, fetcher, Looks(), size=PAGES, say=say)
    sitemap = Sitemap(sample)
    traversal = explore(sitemap)
    picture = svg(sitemap, traversal)
    text = picture if file.suffix.lower() == ".svg" else _page(start, picture, sitemap, traversal)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"the sitemap cannot be written to {file}: {error.strerror or error}.") from error
    say(f"sitemap of {len(sitemap.vertices)} kinds of pages written to {file}")


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where the box of a vertex stands: its left upper corner."""

    x: float
    y: float

    @property
    def right(self) -> tuple[float, float]:
        return self.x + _BOX[0], self.y + _BOX[1] / 2

    @property
    def left(self) -> tuple[float, float]:
        return self.x, self.y + _BOX[1] / 2


def svg(sitemap: Sitemap, traversal: Traversal) -> str:
    spots = _spots(sitemap.vertices, sitemap.entry)
    width = max(spot.x for spot in spots.values()) + _BOX[0] + _MARGIN
    height = max(spot.y for spot in spots.values()) + _BOX[1] + _MARGIN
    skeleton, flips = set(traversal.skeleton), set(traversal.flips)
    plain = [link for link in sitemap.links if link not in skeleton]
    parts = [
        *_lines(plain, spots, _OTHER, words=False),
        *_lines([link for link in traversal.skeleton if link not in flips], spots, _SKELETON, words=True),
        *_lines(traversal.flips, spots, _FLIP, words=True),
        *(_box(vertex, spots[vertex.number], entry=vertex.number == sitemap.entry) for vertex in sitemap.vertices),
    ]
    legend = (
        f'<text x="{_MARGIN}" y="24" font-size="13"><tspan fill="{_SKELETON}">skeleton links</tspan>  '
        f'<tspan fill="{_FLIP}">page-flipping links</tspan>  <tspan fill="#888">other links</tspan></text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'font-family="system-ui, sans-serif" role="img" aria-label="Sitemap">'
        f'<rect width="100%" height="100%" fill="white"/>{legend}{"".join(parts)}</svg>\n'
    )


def _spots(vertices: Sequence[Vertex], entry: int) -> dict[int, _Spot]:
    """Columns by clicks from the entry page, whose own kind has the first column to itself."""
    columns: dict[int, list[Vertex]] = defaultdict(list)
    for vertex in sorted(vertices, key=lambda one: (one.depth, -len(one.pages), one.number)):
        columns[-1 if vertex.number == entry else round(vertex.depth)].append(vertex)
    found = {}
    for at, (_, column) in enumerate(sorted(columns.items())):
        for row, vertex in enumerate(column):
            found[vertex.number] = _Spot(_MARGIN + at * _STEP[0], _MARGIN + row * _STEP[1] + (at % 2) * _STEP[1] / 2)
    return found


def _lines(links: Iterable[SiteLink], spots: dict[int, _Spot], colour: str, *, words: bool) -> Iterable[str]:
    """One line for each pair of vertices, with the words of the link that brings most."""
    pairs: dict[tuple[int, int], list[SiteLink]] = defaultdict(list)
    for link in links:
        pairs[link.source, link.target].append(link)
    for (source, target), together in pairs.items():
        best = max(together, key=lambda link: len(link.targets))
        said = next((anchor for anchor in best.anchors), "") if words else ""
        more = f" and {len(together) - 1} more" if words and len(together) > 1 else ""
        label = f"{_cut(said)}{more}"
        yield (
            _loop(spots[source], colour, label)
            if source == target
            else _line(spots[source], spots[target], colour, label)
        )


def _line(source: _Spot, target: _Spot, colour: str, label: str) -> str:
    if target.x == source.x:  # around the boxes of the column
        (x1, y1), (x2, y2), out, back = source.right, target.right, 70.0, -70.0
    else:
        ahead = target.x > source.x
        (x1, y1), (x2, y2) = (source.right, target.left) if ahead else (source.left, target.right)
        out = back = (x2 - x1) / 2
    width = 2 if label else 1
    path = f"M{x1:.0f},{y1:.0f} C{x1 + out:.0f},{y1:.0f} {x2 - back:.0f},{y2:.0f} {x2:.0f},{y2:.0f}"
    text = _label((x1 + x2) / 2, (y1 + y2) / 2 - 4, colour, label)
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>{text}'


def _loop(spot: _Spot, colour: str, label: str) -> str:
    x, y = spot.x + _BOX[0] / 2, spot.y
    path = f"M{x - 30:.0f},{y:.0f} C{x - 40:.0f},{y - 34:.0f} {x + 40:.0f},{y - 34:.0f} {x + 30:.0f},{y:.0f}"
    width = 2 if label else 1
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>{_label(x, y - 26, colour, label)}'


def _label(x: float, y: float, colour: str, words: str) -> str:
    if not words:
        return ""
    style = 'font-size="10" text-anchor="middle" paint-order="stroke" stroke="white" stroke-width="3"'
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}" {style}>{escape(words)}</text>'


def _box(vertex: Vertex, spot: _Spot, *, entry: bool) -> str:
    name = "entry page" if entry else f"kind {vertex.number}"
    counted = f"{len(vertex.pages)} pages, {len(vertex.unique)} unique, info {vertex.informativeness:.2f}"
    fill = "#e8f0fe" if entry else "#f7f7f7"
    x, y = spot.x, spot.y
    texts = "".join(
        f'<text x="{x + 8:.0f}" y="{y + 17 + at * 17:.0f}" font-size="11" font-weight="{weight}">{escape(line)}</text>'
        for at, (line, weight) in enumerate(
            ((name, "bold"), (counted, "normal"), (_cut(_local(vertex.typical)), "normal"))
        )
    )
    box = f'<rect x="{x:.0f}" y="{y:.0f}" width="{_BOX[0]}" height="{_BOX[1]}" rx="6" fill="{fill}" stroke="#666"/>'
    return f'<a href="{escape(vertex.typical, quote=True)}"><title>{escape(vertex.typical)}</title>{box}{texts}</a>'


def _local(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _cut(text: str) -> str:
    return text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…"


def _page(start: str, picture: str, sitemap: Sitemap, traversal: Traversal) -> str:
    title = f"Sitemap of {escape(start)}"
    skeleton, flips = set(traversal.skeleton), set(traversal.flips)
    kinds = "".join(
        f"<tr><td>{vertex.number}</td><td>{len(vertex.pages)}</td><td>{len(vertex.unique)}</td>"
        f"<td>{vertex.informativeness:.2f}</td><td>{vertex.depth:.1f}</td>"
        f'<td><a href="{escape(vertex.typical, quote=True)}">{escape(vertex.typical)}</a></td></tr>'
        for vertex in sitemap.vertices
    )
    links = "".join(
        f"<tr><td>{link.source}</td><td>{link.target}</td><td>{len(link.targets)}</td>"
        f"<td>{'flip' if link in flips else 'skeleton' if link in skeleton else ''}</td>"
        f"<td>{escape(link.form)}</td><td>{escape(', '.join(link.anchors))}</td></tr>"
        for link in sorted(sitemap.links, key=lambda one: (one not in skeleton, one.source, one.target, one.form))
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
        f"</head>\n<body><h1>{title}</h1>{picture}<h2>Kinds of pages</h2><table><tr><th>kind</th><th>pages</th>"
        f"<th>unique</th><th>informativeness</th><th>clicks</th><th>typical page</th></tr>{kinds}</table>"
        f"<h2>Kinds of links</h2><table><tr><th>from</th><th>to</th><th>URLs</th><th>use</th><th>pattern</th>"
        f"<th>anchors</th></tr>{links}</table></body></html>\n"
    )
