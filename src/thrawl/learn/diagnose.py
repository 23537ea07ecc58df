"""Why a site could not be learned, in one sentence that says what to do.

The signs are general: what `walls` tells of a page, and links that lead nowhere.
"""

from __future__ import annotations

from typing import Final

from thrawl.learn.sampler import Sampled, Sampler
from thrawl.page.walls import A_CHALLENGE, is_challenge, is_login, is_script_made
from thrawl.profile.urls import same_site

_FEW_LINKS: Final = 5  # of the site's own: the menu of any forum has as many


def why_unreachable(url: str, sampler: Sampler) -> str:
    """For a start page that gave nothing to read."""
    reason = next(iter(sampler.failures.values()), "there was no answer")
    if A_CHALLENGE in reason:
        return _challenged(url)
    known = next((words for sign, words in _CAUSES if sign in reason), None)
    if known is not None:
        return f"{url} {known}"
    return f"{url} cannot be read ({reason}); check the address, or give another page of the forum."


# What a start page's failure means, by what the client says of it.
_CAUSES: Final = (
    (
        "robots.txt forbids",
        "may not be read by crawlers: the site's robots.txt forbids it; on a site of your own, use --robots ignore.",
    ),
    (
        "robots.txt answers",
        "may not be read now: the site's robots.txt fails, and until it can be had nothing else may be asked for; "
        "try again later, or on a site of your own, use --robots ignore.",
    ),
    ("status 401", "asks for a login (status 401); log in with a browser and use --cookies."),
    ("status 403", "refuses this visitor (status 403); if a browser may see it, log in there and use --cookies."),
    ("status 407", "cannot be reached: the proxy asks for a login (status 407); give it in --proxy."),
)


def _challenged(url: str) -> str:
    return (
        f"{url} answers with a bot challenge instead of the forum; open it in a browser and give its cookies with "
        "--cookies."
    )


def why_not_a_forum(page: Sampled, sampler: Sampler) -> str:
    """For a page from which no threads were found."""
    if is_login(page.page.tree) or _mostly_logins(sampler):  # first: a form and few words are a challenge's signs, too
        return f"{page.url} shows a login page instead of the forum; log in with a browser and use --cookies."
    if is_challenge(page.page.tree, page.response.text):
        return _challenged(page.url)
    if any(is_script_made(one.page.tree, one.response.text) for one in (page, *sampler.sampled[:3])):
        return f"the lists of {page.url} are made by scripts, which this version does not run, so nothing can be read."
    if sum(same_site(link.url, page.url) for link in page.page.links) < _FEW_LINKS:
        return f"{page.url} links to too few pages to learn a forum from; give the address of a board or a thread."
    return f"no list of threads was found at {page.url}: it does not look like a forum; give the address of a board."


def why_no_talk(page: Sampled) -> str:
    """For a site whose lists lead to pages on which nobody talks."""
    return (
        f"{page.url} does not look like a forum: on the pages that its lists lead to nobody talks; give the address of "
        "a board."
    )


def _mostly_logins(sampler: Sampler) -> bool:
    pages = sampler.sampled
    return len(pages) > 2 and sum(is_login(one.page.tree) for one in pages) > len(pages) / 2
