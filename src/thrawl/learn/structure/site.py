"""From a start page to the best explanation of its site (FoCUS 4.3 and 4.5), in as few pages as the doubt allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.entry import above_as_linked, breadcrumbs, most_linked, named_like_site
from thrawl.learn.structure.explanation import Explanation
from thrawl.learn.structure.explore import Explorer
from thrawl.learn.structure.infer import infer
from thrawl.learn.structure.roles import RoleModel
from thrawl.page.pagekind import PageKind

_EASY: Final = 40  # requests for a site that explains itself, or that is no forum
_HARD: Final = 75  # requests for a site that has threads but no lists that lead to them
_AGAIN: Final = 15  # further requests to see a site from its home: nearly all that it shows first was fetched
_AS_MANY: Final = 0.5  # of the threads explained before: links of a thread page may show threads in a second form
_NO_DOUBT: Final = 0.005  # chance of a family that is worth a request where all others were asked about
_HARDLY: Final = 0.1  # chance of threads that must do where nothing is likelier
_HOMES: Final = 3  # pages that may be the entry, beside those above the start page
_CRUMBS: Final = 4  # links before the records of a start page that is no list

Progress = Callable[[str], None]


async def explain_site(
    sampler: Sampler, model: RoleModel, start: Sampled, also: Iterable[str], progress: Progress
) -> tuple[Atlas, Explanation | None]:
    """Explain a site from its start page (and other pages that must be explained), in doubt again from the home found.

    A home shows the whole site and a thread hardly anything, so what is seen from the home is the better explanation
    unless it explains far fewer threads. What was fetched is not asked for again; the atlas knows the sampler.
    """
    atlas, found = await _explain(sampler, model, start, also, progress)
    seen_from = {start.url}
    while found is not None and not found.is_sure and found.entry.url not in seen_from:
        seen_from.add(found.entry.url)
        afresh = atlas.sampler.afresh()
        home = await afresh.get(found.entry.url)
        if home is None:
            break
        other, again = await _explain(afresh, model, home, (*also, start.url), progress)
        if again is None or (found.is_connected and not again.is_connected):
            break
        if _explained(again, afresh) < _AS_MANY * _explained(found, afresh):
            break
        atlas, found = other, again
    return atlas, found


def explain_again(atlas: Atlas, model: RoleModel, start: Sampled) -> Explanation | None:
    """Explain a site by the pages that were fetched since."""
    return infer(atlas, Explorer(atlas, model, 0).opinions(), atlas.sampler.known(start.url) or start)


async def _explain(
    sampler: Sampler, model: RoleModel, start: Sampled, also: Iterable[str], progress: Progress
) -> tuple[Atlas, Explanation | None]:
    """Explore around a page and explain what was found."""
    budget = max(_EASY, sampler.requests + _AGAIN)
    atlas = Atlas(sampler)
    atlas.add(start)
    explorer = Explorer(atlas, model, budget)
    progress("looking for the entry page")
    await explorer.look_at(also)
    await explorer.look_at(_homes(start))
    progress("looking for boards and threads")
    opinions = await explorer.explore()
    found = infer(atlas, opinions, start)
    if found is None:  # nothing looks like threads: any link may lead to them
        opinions = await Explorer(atlas, model, budget, doubt=_NO_DOUBT).explore()
        found = infer(atlas, opinions, start) or infer(atlas, opinions, start, likely=_HARDLY)
    if found is not None and (found.is_open or not found.is_connected):
        opinions = await Explorer(atlas, model, max(budget, _HARD), doubt=_NO_DOUBT).explore()
        found = infer(atlas, opinions, start) or found
    return atlas, found


def _explained(found: Explanation, sampler: Sampler) -> float:
    """How many threads an explanation finds on the pages that were fetched, as far as it is sure of them."""
    links = {link.url for page in sampler.pages for link in page.page.links}
    return sum(max((one.probability for one in found.threads if one.family.fits(url)), default=0.0) for url in links)


def _homes(start: Sampled) -> list[str]:
    """Where the entry may be: above the start page, what has the site's name, what it links to most, its breadcrumbs.

    Those of a list are not looked at: it shows where it leads.
    """
    crumbs = breadcrumbs(start.page)[-_CRUMBS:] if start.verdict.type is not PageKind.INDEX else []
    linked = [url for url in most_linked(start.page) if url != start.url][:_HOMES]
    named = named_like_site(start.page)[:1]
    return list(dict.fromkeys([*above_as_linked(start), *named, *linked, *reversed(crumbs)]))[: 2 * _HOMES]
