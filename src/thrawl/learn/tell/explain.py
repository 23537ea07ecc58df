"""A profile in words: what was learned of a site, with examples, for a person to check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from thrawl.learn.structure.evidence import WORDS
from thrawl.learn.tell.boards import Board
from thrawl.profile.decisions import Decision
from thrawl.profile.profile import Flip, ListPattern, Profile

_MOST_BOARDS: Final = 40  # lines on a screen
_WORTH_TELLING: Final = 0.05  # chance of a runner-up below which nobody would look at it


def explain(profile: Profile, boards: Sequence[Board] = ()) -> Iterator[str]:
    """Lines that say what a profile holds, and which boards were met while it was learned."""
    yield f"Entry page    {profile.entry}"
    yield f"Learned from  {profile.pages_fetched} pages, confidence {profile.confidence:.0%}"
    yield from _lists("Boards", profile.index)
    yield from _map(boards)
    yield from _lists("Threads", profile.thread)
    yield from _decisions(profile.decisions)
    if profile.session_parameters:
        yield f"Session ids   removed from URLs: {', '.join(profile.session_parameters)}"
    if profile.feeds:
        yield f"Feeds         {', '.join(profile.feeds)}"
    yield f"Posts         {_wrapper(profile)}"
    yield from (f"Note          {note}" for note in profile.notes)


def _lists(title: str, lists: tuple[ListPattern, ...]) -> Iterator[str]:
    for number, one in enumerate(lists):
        yield f"{title if number == 0 else '':13} {one.pattern}   (confidence {one.confidence:.0%})"
        yield from (f"{'':15} e.g. {url}" for url in one.examples)
        yield from (f"{'':15} but not {url}" for url in one.counter_examples)
        yield from (f"{'':15} flips as {_flip(flip)}" for flip in one.flips)
    if not lists:
        yield f"{title:13} none"


def _decisions(decisions: Sequence[Decision]) -> Iterator[str]:
    """Why pages were taken for what they were taken for, and what came second."""
    said = {"lists": "how many boards it lists, or threads at less", **WORDS}
    for number, one in enumerate(decisions):
        what = "is the entry page" if one.question == "entry" else f"are {one.question}"
        yield f"{'Why' if number == 0 else '':13} {one.answer} {what}: {one.probability:.0%}"
        for name, figure in one.evidence.items():
            yield f"{'':15} {'for' if figure > 0 else 'against'} it: {said.get(name, name)} ({figure:+.1f})"
        if one.runner_up is not None and one.runner_up_probability >= _WORTH_TELLING:
            yield f"{'':15} second: {one.runner_up} ({one.runner_up_probability:.0%})"


def _map(boards: Sequence[Board]) -> Iterator[str]:
    """Boards by name, indented as they stand below one another."""
    for number, board in enumerate(boards[:_MOST_BOARDS]):
        indent = "  " * board.depth
        yield f"{'Map' if number == 0 else '':13} {indent}{board.name or '(no name)'}  {board.url}"
    if len(boards) > _MOST_BOARDS:
        yield f"{'':13} … and {len(boards) - _MOST_BOARDS} more boards"


def _flip(flip: Flip) -> str:
    if flip.first is None or flip.step is None:
        return f"{flip.pattern}, by walking from page to page"
    return f"{flip.pattern}, page 2 is {flip.value_of(2)}, page 3 is {flip.value_of(3)}"


def _wrapper(profile: Profile) -> str:
    if profile.post_wrapper is None:
        return "no wrapper was learned; pages are cut by the general reader"
    return f"cut by a learned wrapper, confidence {float(profile.post_wrapper.get('confidence', 0.0)):.0%}"
