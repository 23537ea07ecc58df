"""Why a site could not be learned, in one sentence that says what to do.

The signs are general: a password field, a page that asks the browser to prove itself, a page that is
empty without its scripts, links that lead nowhere.
"""

from __future__ import annotations

import re
from typing import Final

from thrawl.learn.sampler import Sampled, Sampler, same_site
from thrawl.page.reading import Page

_CHALLENGE: Final = re.compile(
    r"checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|just a moment|enable javascript and cookies"
    r"|proof of work|captcha|are you a robot|ddos protection",
    re.IGNORECASE,
)
_FEW_LINKS: Final = 5
_FEW_WORDS: Final = 40


def why_unreachable(url: str, sampler: Sampler) -> str:
    """For a start page that gave nothing to read."""
    reason = next(iter(sampler.failures.values()), "there was no answer")
    return f"{url} cannot be read ({reason}); check the address, or give another page of the forum."


def why_not_a_forum(page: Sampled, sampler: Sampler) -> str:
    """For a page from which no threads were found."""
    if is_challenge(page.page, page.response.text):
        return (
            f"{page.url} answers with a bot challenge instead of the forum; open it in a browser and give its "
            "cookies with --cookies."
        )
    if is_login(page.page) or _mostly_logins(sampler):
        return f"{page.url} shows a login page instead of the forum; log in with a browser and use --cookies."
    if any(is_script_made(one.page, one.response.text) for one in (page, *sampler.sampled[:3])):
        return f"the lists of {page.url} are made by scripts, which this version does not run, so nothing can be read."
    if sum(same_site(link.url, page.url) for link in page.page.links) < _FEW_LINKS:
        return f"{page.url} links to too few pages to learn a forum from; give the address of a board or a thread."
    return f"no list of threads was found at {page.url}: it does not look like a forum; give the address of a board."


def is_challenge(page: Page, html: str) -> bool:
    text = page.tree.text(0)
    return len(text.split()) < 200 and _CHALLENGE.search(f"{page.tree.title} {text} {html[:2000]}") is not None


def is_login(page: Page) -> bool:
    """A page whose main matter is a password field."""
    has_password = any(
        tag == "input" and attributes.get("type", "").lower() == "password"
        for tag, attributes in zip(page.tree.tags, page.tree.attributes, strict=True)
    )
    return has_password and len(page.tree.text(0).split()) < 150


def is_script_made(page: Page, html: str) -> bool:
    """A page with scripts and hardly a word without them."""
    return "<script" in html.lower() and len(page.tree.text(0).split()) < _FEW_WORDS


def _mostly_logins(sampler: Sampler) -> bool:
    pages = sampler.sampled
    return len(pages) > 2 and sum(is_login(one.page) for one in pages) > len(pages) / 2
