"""What posts say: structured bodies that skins render and tests know word by word.

Every body is computed from the world's seed and the post's number alone, so a world of a million threads
keeps no text in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from thrawl.lab.words import CODE_LINES, Vocabulary


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list, one item a line."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Code:
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link away from the forum, on a line of its own."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Picture:
    url: str
    alt: str


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of an earlier post of the thread; they are not the post's own."""

    author: str
    post_id: int
    text: str


NUMBERS = tuple(str(number) for number in range(2, 100))
Block = Paragraph | Items | Code | Link | Picture | Quotation


def own_text(body: tuple[Block, ...]) -> str:
    """The words that the author wrote, without quotes and pictures, one block a line."""
    return "\n".join(line for block in body for line in _lines(block))


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text) | Code(text) | Link(text, _):
            yield text
        case Items(items):
            yield from items
        case _:
            return


class Writer:
    """Writes titles and bodies in one language from a seed."""

    def __init__(self, seed: int, vocabulary: Vocabulary) -> None:
        self._seed = seed
        self._vocabulary = vocabulary

    def title(self, thread_id: int) -> str:
        random = self._random("title", thread_id)
        title = self._fill(random, random.choice(self._vocabulary.titles))
        return title[0].upper() + title[1:]

    def board_title(self, number: int) -> str:
        names = self._vocabulary.boards
        turn, place = divmod(number, len(names))
        return names[place] + (f" {turn + 1}" if turn else "")

    def about(self, number: int) -> str:
        random = self._random("about", number)
        return self._fill(random, random.choice(self._vocabulary.sentences))

    def own_words(self, post_id: int) -> tuple[Block, ...]:
        """Mostly one to three paragraphs; now and then a list, code, a link or a picture."""
        random = self._random("post", post_id)
        blocks: list[Block] = [self._paragraph(random) for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4)))]
        chance = random.random()
        if chance < 0.06:
            blocks.append(Items(tuple(self._sentences(random, random.randint(2, 5)))))
        elif chance < 0.11:
            blocks.append(Code("\n".join(random.sample(CODE_LINES, random.randint(2, 5)))))
        elif chance < 0.17:
            name = slug(self._fill(random, "{thing}")) or "page"
            blocks.append(Link(f"example.org/{name}", f"https://example.org/{name}?a=1&b={post_id}"))
        elif chance < 0.21:
            blocks.append(Picture(f"/pictures/{post_id}.jpg", self._fill(random, "{thing}")))
        return tuple(blocks)

    def quotation(self, author: str, post_id: int) -> Quotation:
        """The first paragraph of that post, as somebody else repeats it."""
        first = self.own_words(post_id)[0]
        return Quotation(author, post_id, own_text((first,)))

    def _paragraph(self, random: Random) -> Paragraph:
        return Paragraph(self._vocabulary.joint.join(self._sentences(random, random.choice((1, 2, 2, 3, 4, 6)))))

    def _sentences(self, random: Random, count: int) -> list[str]:
        return [self._fill(random, pattern) for pattern in random.sample(self._vocabulary.sentences, count)]

    def _fill(self, random: Random, pattern: str) -> str:
        words = self._vocabulary
        pools = {"thing": words.things, "quality": words.qualities, "place": words.places, "number": NUMBERS}
        return re.sub(r"\{(\w+)\}", lambda match: random.choice(pools[match[1]]), pattern)

    def _random(self, purpose: str, number: int) -> Random:
        return Random(f"{self._seed}/{purpose}/{number}")


def slug(title: str, limit: int = 60) -> str:
    """A title as a path part; letters of other alphabets stay, as modern software leaves them."""
    return re.sub(r"[\W_]+", "-", title.lower()).strip("-")[:limit].rstrip("-")
