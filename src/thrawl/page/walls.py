"""Walls: pages that a site shows instead of its content. A login, a challenge of the browser, a shell for scripts.

What a page says decides, never what it also holds: nearly every old forum has a password box in its header. A login
page has little to say outside of its links and of the form that asks for the password, and says what it is before that
form, where other pages only have a menu. One module for learning, which
tells why a site cannot be read, and for crawling, which tells why a page could not.
"""

from __future__ import annotations

import re
from typing import Final

from thrawl.page.tree import TEXT, Tree

_CHALLENGE: Final = re.compile(
    r"checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|just a moment|enable javascript and cookies"
    r"|proof of work|captcha|are you a robot|ddos protection",
    re.IGNORECASE,
)
A_CHALLENGE: Final = "a bot challenge"
_MOST_SAID: Final = 80  # words that a login page says beside its form: who may come in, where to register, the rules
_FOOTER: Final = 10  # words: more than a copyright line, where no login page calls itself anything before its form
_CHALLENGE_WORDS: Final = 200  # a page with more to say than this shows content, whatever it also says of robots
_FEW_WORDS: Final = 60  # of a challenge that no known sentence tells
_SHELL_WORDS: Final = 40  # of a page that scripts are to fill
_SCRIPT_CHARS: Final = 2000  # of a page's beginning, where a challenge's scripts are named
_HEADINGS: Final = ("h1", "h2", "h3")
_NOT_SAID: Final = frozenset("a button select option textarea label nav".split())


def is_login(tree: Tree) -> bool:
    """Whether a page asks for a password and shows nothing else."""
    fields = [node for node in tree.named("input") if tree.attributes[node].get("type", "").lower() == "password"]
    if not fields:
        return False
    around = (next((node for node in tree.ancestors(one) if tree.tags[node] == "form"), one) for one in fields)
    forms = list(around)
    before, behind = _words_around(tree, forms)
    if not before and (behind >= _FOOTER or any(node > forms[-1] for tag in _HEADINGS for node in tree.named(tag))):
        return False  # the form is part of the site's head: what the page is called comes behind it
    return before + behind < _MOST_SAID


def _words_around(tree: Tree, left_out: list[int]) -> tuple[int, int]:
    """The words of a page before and behind the last of some nodes, outside of them, of links and of what can be
    clicked."""
    closed = before = said = 0
    for node, tag in enumerate(tree.tags):
        if node == left_out[-1]:
            before = said
        if node < closed:
            continue
        if tag in _NOT_SAID or node in left_out:
            closed = tree.ends[node]
        elif tag == TEXT:
            said += len(tree.texts[node].split())
    return before, said - before


def is_challenge(tree: Tree, html: str = "") -> bool:
    """Whether a page wants its visitor to prove something before it shows its content."""
    text = tree.text(0)
    if says_challenge(f"{tree.title} {text}", html):
        return True
    return "a" not in tree.tags and len(text.split()) <= _FEW_WORDS and _wants_to_go_on(tree)


def says_challenge(text: str, html: str) -> bool:
    """Whether the few words of a page ask the browser to prove itself; for answers that are not parsed, too."""
    return len(text.split()) < _CHALLENGE_WORDS and _CHALLENGE.search(f"{text} {html[:_SCRIPT_CHARS]}") is not None


def _wants_to_go_on(tree: Tree) -> bool:
    """By a script, a reload or a form."""
    reloads = any(tag == "meta" and head.get("http-equiv", "").lower() == "refresh" for tag, head, _ in tree.head)
    return reloads or "noscript" in tree.tags or "form" in tree.tags


def is_script_made(tree: Tree, html: str) -> bool:
    """A page with scripts and hardly a word without them."""
    return "<script" in html.lower() and len(tree.text(0).split()) < _SHELL_WORDS
