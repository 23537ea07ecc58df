"""Which families are followed as boards, given an opinion of each."""

from __future__ import annotations

from tests.learn.test_titles import F, framed, listed, scene_of, thread_page, title

from thrawl.learn.structure.boards import Boards
from thrawl.learn.structure.evidence import Opinion

BOARDS = {f"b{number}": f"The {name} room" for number, name in enumerate(("golf", "stove", "radio", "violin"))}
PEOPLE = {f"u{number}": name for number, name in enumerate(("Ada", "Bo", "Cleo", "Dan"))}
THREADS = {f"t{number}": title(number) for number in range(10, 30)}
OPINIONS = {"b0": Opinion(0.97, 0.0), "u0": Opinion(0.94, 0.0), "t10": Opinion(0.0, 0.98)}


def some_threads(first: int) -> str:
    return listed({path: THREADS[path] for path in list(THREADS)[first::4]})


async def test_who_wrote_last_below_one_of_several_boards_is_no_board() -> None:
    """People's pages list what they wrote, so they look like boards; but boards stand in more than one row of four."""
    links = {"/irons.html": "Irons", "/woods/": "Woods", "/c?putters": "Putters", "/w/swings/all": "Swings"}
    lines = [
        f"<td><a href='{url}'>The {name} corner</a><td>2026-05-1{at}" for at, (url, name) in enumerate(links.items())
    ]
    lines[3] += " <a href='/u0'>Ada</a>"
    below = "".join(f"<tr>{line}</tr>" for line in lines)
    pages = {
        "people": listed(PEOPLE),
        "": listed(BOARDS),
        "b0": framed(f"<table class=below>{below}</table>{some_threads(0)}"),
        **{path: some_threads(number) for number, path in enumerate(BOARDS) if number},
        **{path: some_threads(number) for number, path in enumerate(PEOPLE)},
        **{path: thread_page(int(path[1:]), 3) for path in THREADS},
    }
    scene, families = await scene_of(pages, "", OPINIONS)
    entry = scene.atlas.sampler.known(F)
    assert entry is not None
    followed, _ = Boards(scene, [families["t10"]], []).below(entry)
    assert followed == [families["b0"]]
