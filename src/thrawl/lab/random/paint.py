"""What every part of a random forum's pages needs to draw itself: links, classes, words and times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from html import escape
from random import Random
from zlib import crc32

from thrawl.lab.content import Writer
from thrawl.lab.random import timing
from thrawl.lab.random.addresses import Addresses
from thrawl.lab.random.choices import Choices
from thrawl.lab.random.naming import style_attribute, style_name
from thrawl.lab.random.structure import Plan
from thrawl.lab.random.wording import LANGUAGES, WORDING, Wording
from thrawl.lab.skins.language import Language, ago
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.words import VOCABULARIES
from thrawl.lab.world import Post, User


@dataclass(frozen=True, slots=True)
class Paint:
    """One answer's brush: `session` goes into its links, `nonce` into its opaque tokens."""

    plan: Plan
    addresses: Addresses
    session: str = ""
    nonce: int = 0

    @property
    def choices(self) -> Choices:
        return self.plan.choices

    @property
    def language(self) -> Language:
        return LANGUAGES[self.choices.language]

    @property
    def wording(self) -> Wording:
        return WORDING[self.choices.language]

    def random(self, purpose: str) -> Random:
        """The same source for the same purpose: pages do not change from request to request."""
        return Random(f"{self.choices.seed}/{purpose}")

    @property
    def site_name(self) -> str:
        """What the forum calls itself."""
        name = style_name(self.choices.seed, "site").replace("-", " ").title()
        return self.random("site").choice((self.language.site, name, f"{name} {self.wording.forum}"))

    @property
    def things(self) -> list[str]:
        """Nouns of the forum's language that are one word."""
        return [word for word in VOCABULARIES[self.choices.language].things if word.isalpha()]

    def sentence(self, key: str) -> str:
        """A sentence that belongs to no post."""
        return Writer(self.choices.seed, VOCABULARIES[self.choices.language]).about(crc32(key.encode()))

    def path(self, place: SitePage) -> str:
        return self.addresses.with_session(self.addresses.path(place, self.nonce), self.session)

    def href(self, place: SitePage, fragment: str = "") -> str:
        return escape(self.path(place)) + (f"#{fragment}" if fragment else "")

    def link(self, place: SitePage, text: str, role: str = "", more: str = "") -> str:
        """A link with its text escaped; `more` are further attributes."""
        return f'<a{self.css(role)}{more} href="{self.href(place)}">{escape(text)}</a>'

    def css(self, role: str) -> str:
        """The class attribute of a role, as this forum's maker would write it."""
        if not role:
            return ""
        if self.choices.classes == "styles":
            return style_attribute(self.choices.seed, role)
        name = style_name(self.choices.seed, role)
        if self.choices.classes == "several":
            name = f"{name} {style_name(self.choices.seed, 'all')}-{name[:3]}"
        return f' class="{name}"'

    def user(self, user: User, role: str = "user") -> str:
        """A name, linked where this forum has profiles to link to."""
        if self.choices.profiles == "none":
            return f"<span{self.css(role)}>{escape(user.name)}</span>"
        return self.link(SitePage("user", user.id), user.name, role)

    def when(self, time: datetime, role: str = "when") -> str:
        """A post's time."""
        return timing.shown(self.choices, self.language, time, self.plan.view.moment, self.css(role))

    def row_when(self, time: datetime) -> str:
        """A time in a row of an index page."""
        if self.choices.row_time == "as-posts" or self.choices.time == "none":
            return self.when(time, "row-when")
        if self.choices.row_time == "iso":
            return timing.written("iso", self.language, time, self.plan.view.moment)
        return ago(self.language, time, self.plan.view.moment)

    def thread_link(self, number: int) -> SitePage:
        """Where rows lead: the thread, or a form of it that redirects there."""
        if self.choices.forms == "redirect":
            return SitePage("go", number)
        return self.plan.opened("thread", number)

    def anchor(self, post: Post) -> str:
        return f"{style_name(self.choices.seed, 'anchor')[:2]}{post.id}"
