"""Pages that ask the browser to prove itself, whatever status they come with."""

from __future__ import annotations

import re
from typing import Final

A_CHALLENGE: Final = "a bot challenge"
CHALLENGE: Final = re.compile(
    r"checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|just a moment|enable javascript and cookies"
    r"|proof of work|captcha|are you a robot|ddos protection",
    re.IGNORECASE,
)


def shows_challenge(text: str, html: str) -> bool:
    """Whether the few words of a page ask the browser to prove itself."""
    return len(text.split()) < 200 and CHALLENGE.search(f"{text} {html[:2000]}") is not None
