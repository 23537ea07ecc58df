"""The best joint explanation of a site: which families are its threads, which its boards, and where it is entered.

Opinions of single families are weighed in `roles`; here plain logic joins them, one question after the other:
`titles` (a row has one title), `boards` (what leads to lists of threads), `homes` (what leads to most threads).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.boards import Boards
from thrawl.learn.structure.evidence import Opinion
from thrawl.learn.structure.explanation import Chosen, Explanation
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.homes import Home, homes
from thrawl.learn.structure.scene import LIKELY, Scene
from thrawl.learn.structure.titles import ends, merged_by_form, own_titles, previews, titles
from thrawl.page.pagekind import PageKind


def infer(
    atlas: Atlas, opinions: Mapping[Family, Opinion], start: Sampled, likely: float = LIKELY
) -> Explanation | None:
    """The best explanation; None where nothing is likely to be threads."""
    scene = Scene(atlas, opinions, start, likely)
    hidden = previews(scene)
    all_threads = titles(scene, hidden)
    if not all_threads:
        return None
    around, boards, (entry, *further) = _around_the_start(scene, all_threads, hidden)
    threads, followed, spare = _below_the_entry(scene, entry, around, boards)
    if others := [one for one in all_threads if one not in threads]:  # what leads to none but these is theirs
        spare = [one for one in spare if _leads_to_some(scene, one, threads) and entry.page.url not in one.urls]
        elsewhere = [one for one in followed if _leads_to_some(scene, one, others)]
        followed = [one for one in followed if one not in elsewhere or _leads_to_some(scene, one, threads)]
    chosen_boards = [
        Chosen(family, scene.opinions[family].board, family in spare)
        for family in [*followed, *spare]
        if set(family.urls) != {entry.page.url}
    ]
    chosen_threads = merged_by_form([Chosen(family, scene.opinions[family].thread) for family in threads])
    second = next((one for one in further if one.page.url != entry.page.url), None)
    return Explanation(
        entry.page,
        tuple(chosen_boards),
        (*ends(scene, threads), *chosen_threads),
        entry.listed,
        second.page.url if second else None,
        second.listed if second else 0.0,
    )


def _around_the_start(
    scene: Scene, threads: list[Family], hidden: set[Family]
) -> tuple[list[Family], Boards, list[Home]]:
    """The threads, the boards and the homes, the best first, of that part of the site where the start page stands.

    A portal has more lists than the forum that it holds, so its front page looks like the better home. But it is no
    home of the start page's threads if rows of another page lead to them and its own do not.
    """
    boards = Boards(scene, threads, hidden)
    found = homes(scene, boards, threads)
    own = own_titles(scene, threads)
    own_boards = Boards(scene, own, hidden) if 0 < len(own) < len(threads) else boards
    if own_boards is boards or not own_boards.lists:
        return threads, boards, found
    ranked = homes(scene, own_boards, own)
    below = {home.page.url: scene.listed_below(home.page.url, own_boards.lists) for home in ranked}
    own_homes = [home for home in ranked if not below[home.page.url].isdisjoint(own)] or ranked
    if own_homes[0].page.url == found[0].page.url or not own_homes[0].listed:
        return threads, boards, found
    listed = below[own_homes[0].page.url]
    part = [one for one in threads if one in own or one in listed]
    return part, Boards(scene, part, hidden), own_homes


def _below_the_entry(
    scene: Scene, entry: Home, threads: list[Family], boards: Boards
) -> tuple[list[Family], list[Family], list[Family]]:
    """The threads below the entry page, its boards, and the lists in reserve.

    Where its boards lead to threads, what other lists of the site show, and neither this page nor its boards, is
    another part of the site, as news and files are beside a forum, unless it is listed and made like those threads.
    """
    followed, spare = boards.below(entry.page)
    below = scene.listed_below(entry.page.url, followed)
    shown = [one for one in threads if one in below or one.fits(scene.start.url)]
    listed = [one for one in threads if one not in shown and _stands_in_lists(scene, one)]
    alike = [one for one in listed if any(scene.are_made_alike(one, other) for other in shown)]
    part = [one for one in threads if one in shown or one in alike]
    leads_on = any(_leads_to_some(scene, one, part) for one in followed)
    return part if leads_on else threads, followed, spare


def _stands_in_lists(scene: Scene, family: Family) -> bool:
    """Whether links are rows of a list; those of a thread's page lead to its answers."""
    rows = (at for at in family.sightings if at.in_rows and not scene.is_menu(at))
    return any(at.seen.sampled.verdict.type is PageKind.INDEX for at in rows)


def _leads_to_some(scene: Scene, family: Family, threads: Sequence[Family]) -> bool:
    return any(scene.leads_to(family, thread) for thread in threads)
