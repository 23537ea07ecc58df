"""Pages as no forum writes them: those of the laboratory with tags dropped, doubled, moved, cut and drowned.

A page is taken apart into tags and texts, and a few changes are made to spans of those, so that most of it stays a
forum's page: that gets deeper into a reader than noise does. The same seed gives the same pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Final

from thrawl.lab.generate import generate
from thrawl.lab.random.site import forum
from thrawl.lab.skins import SKINS, skin_named
from thrawl.lab.skins.values import Visit

SITE: Final = "http://forum.test"
_TOKEN: Final = re.compile(r"<[^>]*>|[^<]+|<")
_MOST_CHANGES: Final = 6
_MOST_TOKENS: Final = 60_000  # of a mutated page: some megabytes
_PAGES_OF_A_SITE: Final = 40
_ODD: Final = tuple(
    "<div> </div> <table> <tr> <td> </table> <li> <ul> </ul> <a> </a> <b> <p> <select> <option> <template> <svg> <math>"
    " <frameset> <noscript> </noscript> <script> </script> <style> <title> <textarea> <plaintext> <!-- --> <![CDATA["
    " <base&#32;href='//'> &#0; &amp; \x00 \ufeff \u202e 2020-01-01&#32;10:00 5&#32;minutes&#32;ago".split()
)


@dataclass(frozen=True, slots=True)
class Original:
    """A page as the laboratory shows it."""

    site: str
    url: str
    html: str


def originals(forums: int = 12, threads: int = 30, seed: int = 1) -> list[Original]:
    """Pages of every skin and of some random forums."""
    return [*_of_skins(threads, seed), *_of_random_forums(forums, seed)]


def _of_skins(threads: int, seed: int) -> Iterator[Original]:
    for name in SKINS:
        skin = skin_named(name)
        world = generate(threads, seed, language=skin.language.code)
        view = world.at(world.end + timedelta(hours=1))
        for url, _ in list(skin.canonical_urls(view))[:_PAGES_OF_A_SITE]:
            yield Original(name, SITE + url, skin.answer(url, Visit(skin, view, "")).body)


def _of_random_forums(forums: int, seed: int) -> Iterator[Original]:
    for number in range(forums):
        site = forum(seed * 1000 + number)
        for url, _ in list(site.canonical_urls(""))[:_PAGES_OF_A_SITE]:
            yield Original(f"random {number}", SITE + url, site.answer(url, "").body)


def mutated(original: Original, draw: Random, others: Sequence[Original]) -> str:
    """A page after a few changes."""
    tokens = _TOKEN.findall(original.html)
    for _ in range(draw.randint(1, _MOST_CHANGES)):
        change = draw.choice(_CHANGES)
        tokens = change(tokens, draw, others)[:_MOST_TOKENS] or [""]
    return "".join(tokens)


Tokens = list[str]
Change = Callable[[Tokens, Random, Sequence[Original]], Tokens]


def _span(tokens: Tokens, draw: Random) -> tuple[int, int]:
    start = draw.randrange(len(tokens))
    return start, min(len(tokens), start + int(len(tokens) ** draw.random()) + 1)


def _drop(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    start, end = _span(tokens, draw)
    return tokens[:start] + tokens[end:]


def _repeat(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    start, end = _span(tokens, draw)
    times = int(10 ** draw.uniform(0, 4))
    return tokens[:end] + tokens[start:end] * min(times, _MOST_TOKENS // (end - start)) + tokens[end:]


def _move(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    start, end = _span(tokens, draw)
    rest = tokens[:start] + tokens[end:]
    at = draw.randint(0, len(rest))
    return rest[:at] + tokens[start:end] + rest[at:]


def _shuffle(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    start, end = _span(tokens, draw)
    part = tokens[start:end]
    draw.shuffle(part)
    return tokens[:start] + part + tokens[end:]


def _unclose(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    """Forget all end tags of one name, or all begins."""
    name = draw.choice(("div", "a", "li", "td", "tr", "table", "p", "span", "ul", "b"))
    begin = draw.choice((f"</{name}", f"<{name}"))
    return [token for token in tokens if not token.startswith(begin)]


def _wrap(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    start, end = _span(tokens, draw)
    deep = int(10 ** draw.uniform(0, 3.5))
    tag = draw.choice(("div", "b", "ul", "table", "blockquote"))
    return tokens[:start] + [f"<{tag}>"] * deep + tokens[start:end] + [f"</{tag}>"] * deep + tokens[end:]


def _sow(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    """Odd things here and there."""
    found = list(tokens)
    for _ in range(draw.randint(1, 30)):
        found.insert(draw.randint(0, len(found)), draw.choice(_ODD).replace("&#32;", " "))
    return found


def _flood(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    """Very many links, rows, times or classes that all differ."""
    number = int(10 ** draw.uniform(1, 4))
    form = draw.choice(
        (
            '<a href="/{a}/{b}?{a}={c}">{a} {b}</a> ',
            '<a href="/list?page={n}&x={c}">{n}</a> ',
            '<li><a href="/t/{c}">title {a}</a> <i>{d} May 2021</i></li>',
            '<tr class="r{n}"><td><a href="/t/{n}">{a}</a><td>{d}.05.2021 12:{d}<td>{c}</tr>',
            '<div class="{a}" id="p{n}"><b>{b}</b> <time>2021-05-{d}</time><p>{a} {b} {a}</p></div>',
        )
    )
    at = draw.randint(0, len(tokens))
    made = [
        form.format(n=n, a=_word(draw), b=_word(draw), c=draw.randint(1, 10**6), d=draw.randint(10, 28))
        for n in range(number)
    ]
    return tokens[:at] + made + tokens[at:]


def _splice(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    """A part of another page."""
    other = _TOKEN.findall(draw.choice(others).html)
    start, end = _span(other, draw)
    at = draw.randint(0, len(tokens))
    return tokens[:at] + other[start:end] + tokens[at:]


def _spoil(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    """Letters changed inside of tags and texts."""
    found = list(tokens)
    for _ in range(draw.randint(1, 40)):
        at = draw.randrange(len(found))
        cut = draw.randint(0, len(found[at]))
        found[at] = found[at][:cut] + draw.choice("<>\"'=/&;#\x00\u00e9\U0001f600 9") + found[at][cut + 1 :]
    return found


def _cut(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    return tokens[: draw.randint(1, len(tokens))]


def _swell(tokens: Tokens, draw: Random, others: Sequence[Original]) -> Tokens:
    """A text, an attribute or a number that does not end soon."""
    at = draw.randrange(len(tokens))
    long = draw.choice(("9", "a ", "1/", "12:", "May 1 ", " class=x", "&lt;", "é", "-", "<")) * int(
        10 ** draw.uniform(1, 4.5)
    )
    return [*tokens[:at], tokens[at][:-1] + long + tokens[at][-1:], *tokens[at + 1 :]]


def _word(draw: Random) -> str:
    return "".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 9)))


_CHANGES: Final[tuple[Change, ...]] = (
    *(_drop, _repeat, _move, _shuffle, _unclose, _wrap),
    *(_sow, _flood, _splice, _spoil, _cut, _swell),
)
