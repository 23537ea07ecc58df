"""Grouped bars as inline SVG: a group a site, a bar a strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from thrawl.lab.plots import COLOURS

_LEFT: Final = 48
_TOP: Final = 46
_HEIGHT: Final = 180
_BOTTOM: Final = 78
_BAR: Final = 9
_GAP: Final = 14
_NAME: Final = 90  # what a name takes in the legend


def bar_plot(title: str, groups: Sequence[str], bars: Mapping[str, Mapping[str, float]]) -> str:
    """Shares from 0 to 1; `bars` has for each name the value of each group, and a group without one has no bar."""
    step = _BAR * len(bars) + _GAP
    width = _LEFT + max(step * len(groups) + _GAP, _NAME * len(bars))
    parts = [*_scale(width), *_legend(list(bars))]
    for at, group in enumerate(groups):
        left = _LEFT + _GAP + at * step
        for number, (name, values) in enumerate(bars.items()):
            if group in values:
                parts.append(_bar(left + number * _BAR, values[group], number, f"{group}, {name}"))
        parts.append(_turned(left + (step - _GAP) / 2, group))
    height = _TOP + _HEIGHT + _BOTTOM
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img"'
    heading = f'<text x="{_LEFT}" y="14" font-size="12" font-weight="bold">{escape(title)}</text>'
    return f'{head} aria-label="{escape(title, quote=True)}">{heading}{"".join(parts)}</svg>'


def _scale(width: int) -> list[str]:
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _TOP + _HEIGHT * (1 - share)
        parts.append(f'<line x1="{_LEFT}" x2="{width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" font-size="11" text-anchor="end">{share:.0%}</text>')
    return parts


def _legend(names: Sequence[str]) -> list[str]:
    parts = []
    for number, name in enumerate(names):
        x = _LEFT + number * _NAME
        parts.append(f'<rect x="{x}" y="22" width="10" height="10" fill="{COLOURS[number % len(COLOURS)]}"/>')
        parts.append(f'<text x="{x + 14}" y="31" font-size="11">{escape(name)}</text>')
    return parts


def _bar(x: float, value: float, number: int, label: str) -> str:
    height = max(0.0, min(1.0, value)) * _HEIGHT
    return (
        f'<rect x="{x:.1f}" y="{_TOP + _HEIGHT - height:.1f}" width="{_BAR - 1}" height="{height:.1f}" '
        f'fill="{COLOURS[number % len(COLOURS)]}"><title>{escape(label)}: {value:.1%}</title></rect>'
    )


def _turned(x: float, text: str) -> str:
    y = _TOP + _HEIGHT + 12
    return (
        f'<text x="{x:.1f}" y="{y}" font-size="11" text-anchor="end" transform="rotate(-40 {x:.1f} {y})">'
        f"{escape(text)}</text>"
    )
