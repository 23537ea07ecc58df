"""Plots as inline SVG, without a plotting library: lines over a linear or logarithmic axis, and bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Final

WIDTH: Final = 640
HEIGHT: Final = 340
LEFT: Final = 64
RIGHT: Final = 150
TOP: Final = 30
BOTTOM: Final = 44
COLOURS: Final = ("#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2", "#d19a00", "#444444", "#00897b", "#ad1457")


@dataclass(frozen=True, slots=True)
class Line:
    """A named line; points that are not finite are left out."""

    name: str
    points: Sequence[tuple[float, float]]
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    label: str
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    start: float
    end: float
    logarithmic: bool

    def place(self, value: float) -> float:
        low, high, at = (_log(v) if self.logarithmic else v for v in (self.low, self.high, value))
        return self.start + (at - low) / ((high - low) or 1.0) * (self.end - self.start)

    def ticks(self) -> list[float]:
        if self.logarithmic:
            return [10.0**power for power in range(floor(_log(self.low)), ceil(_log(self.high)) + 1)]
        step = _round_step((self.high - self.low) / 5)
        return [step * number for number in range(ceil(self.low / step), floor(self.high / step) + 1)]


def line_plot(title: str, lines: Sequence[Line], x: Axis, y: Axis) -> str:
    """An SVG element with a legend; an empty plot says so."""
    drawn = [Line(line.name, _usable(line.points, x, y), line.dashed) for line in lines]
    points = [point for line in drawn for point in line.points]
    if not points:
        return f"<p>{escape(title)}: nothing to plot.</p>"
    across = _scale([px for px, _ in points], LEFT, WIDTH - RIGHT, x.logarithmic)
    up = _scale([py for _, py in points], HEIGHT - BOTTOM, TOP, y.logarithmic)
    parts = [*_frame(title, x.label, y.label), *_x_ticks(across), *_y_ticks(up)]
    for number, line in enumerate(drawn):
        parts.extend(_draw(line, number, across, up))
    return _svg(title, parts)


def _usable(points: Sequence[tuple[float, float]], x: Axis, y: Axis) -> list[tuple[float, float]]:
    return [
        (px, py)
        for px, py in points
        if isfinite(px) and isfinite(py) and (px > 0 or not x.logarithmic) and (py > 0 or not y.logarithmic)
    ]


def _scale(values: Sequence[float], start: float, end: float, logarithmic: bool) -> _Scale:
    low, high = min(values), max(values)
    if logarithmic:
        return _Scale(10 ** floor(_log(low)), 10 ** max(ceil(_log(high)), floor(_log(low)) + 1), start, end, True)
    low = min(low, 0.0)
    return _Scale(low, high if high > low else low + 1.0, start, end, False)


def _frame(title: str, x_label: str, y_label: str) -> list[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    middle = (TOP + bottom) / 2
    return [
        _text(LEFT, 16, title, "start", "bold"),
        f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}" fill="none" stroke="#999"/>',
        _text((LEFT + right) / 2, HEIGHT - 8, x_label),
        f'<g transform="rotate(-90 14 {middle})">{_text(14, middle, y_label)}</g>',
    ]


def _x_ticks(scale: _Scale) -> list[str]:
    return [_text(scale.place(tick), HEIGHT - BOTTOM + 16, _number(tick)) for tick in scale.ticks()]


def _y_ticks(scale: _Scale) -> list[str]:
    parts: list[str] = []
    for tick in scale.ticks():
        y = scale.place(tick)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        parts.append(_text(LEFT - 6, y + 4, _number(tick), "end"))
    return parts


def _draw(line: Line, number: int, across: _Scale, up: _Scale) -> list[str]:
    colour = COLOURS[number % len(COLOURS)]
    dash = ' stroke-dasharray="5 4"' if line.dashed else ""
    places = [(across.place(x), up.place(y)) for x, y in line.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    y = TOP + 14 + 16 * number
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>',
        *(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2" fill="{colour}"/>' for px, py in places if len(places) < 40),
        f'<line x1="{WIDTH - RIGHT + 8}" x2="{WIDTH - RIGHT + 26}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" '
        f'stroke-width="2"{dash}/>',
        _text(WIDTH - RIGHT + 30, y, line.name, "start"),
    ]


def _svg(title: str, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img"'
    return f'{head} aria-label="{escape(title, quote=True)}">{"".join(parts)}</svg>'


def _text(x: float, y: float, text: str, anchor: str = "middle", weight: str = "normal") -> str:
    style = f'font-size="12" text-anchor="{anchor}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10 or value == int(value) else f"{value:.3g}"


def _round_step(step: float) -> float:
    power = 10.0 ** floor(_log(step))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= step * 0.999)


def _log(value: float) -> float:
    return log10(max(value, 1e-12))
