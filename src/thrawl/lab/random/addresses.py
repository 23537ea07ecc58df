"""The addresses of a random forum: how a place is spelled, by the choices.

An address is composed of four independent parts: where the forum lives (`home`), how software arranges words and ids
(`shape`), how an id is written (`thread_id`, `board_id`), and how a page of a list is named (pager and `flip_place`).
Nothing is parsed: the site knows all of its places, so an address is looked up. Only two things have no end and are
read by their beginnings, calendars and combined tags; and opaque tokens are undone before the look-up.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final
from urllib.parse import quote

from thrawl.lab import content
from thrawl.lab.random.naming import EXTENSIONS, Names
from thrawl.lab.random.structure import LISTS, Plan
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.world import Thread

# --- what has an address of its own
WORDS: Final = (
    "entry", "category", "board", "list", "month", "thread", "user", "members", "login", "register", "search", "help",
    "newest", "print", "post", "last", "go", "tag", "calendar", "feed", "compose", "news", "about", "word", "folder",
    "page", "private", "whole",
)  # fmt: skip
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
# --- an opaque token hides the page in as many bits, below a number that changes with every answer
_PAGE_BITS: Final = 12


@dataclass(frozen=True, slots=True)
class Spelling:
    """The words of one forum's addresses, drawn once."""

    words: dict[str, str]
    short: dict[str, str]
    extension: str
    separator: str


class Addresses:
    """From a place to its address."""

    def __init__(self, plan: Plan, names: Names) -> None:
        self.plan = plan
        self.choices = plan.choices
        random = Random(f"{self.choices.seed}/addresses")
        self.spelling = Spelling(
            {word: names.word(word) for word in WORDS},
            {word: names.short(word) for word in (*WORDS, "act", "view", "sort", "key", "session", "token")},
            random.choice(EXTENSIONS),
            random.choice("-.~"),
        )
        self._bare_pages = random.random() < 0.5

    # --- where the forum lives

    @cached_property
    def folder(self) -> str:
        """Below which path the forum's pages stand."""
        if self._home == "root" or self._home == "beside":
            return "/"
        return f"/{self.spelling.words['folder']}/"

    @property
    def _home(self) -> str:
        home = self.choices.home
        return "folder" if home == "root" and self.choices.above != "nothing" else home

    @cached_property
    def entry(self) -> str:
        words = self.spelling.words
        match self._home:
            case "file":
                return f"{self.folder}{words['entry']}{self.spelling.extension or '.html'}"
            case "beside":
                return f"/{words['entry']}"
        return self.folder

    # --- places

    def path(self, place: SitePage, nonce: int = 0) -> str:
        """The address of a place; `nonce` is what makes opaque tokens differ from answer to answer."""
        if place.form == "whole":
            return self._shaped("whole", self._sole_ident(place.id))
        if place.what in LISTS:
            return self._with_form(self._list_path(place, nonce), place)
        if place.what == "root":
            return "/"
        if place.what == "post":
            return self._post_path(place)
        if place.what in ("go", "last", "print"):
            return self._shaped(place.what, self._sole_ident(place.id))
        if place.what == "feed":
            return f"{self.folder}{self.spelling.words['feed']}.xml"
        return self._plain(place)

    def _plain(self, place: SitePage) -> str:
        """Pages that are no lists of the forum."""
        ident = str(place.id) if place.id else quote(place.key)
        if not ident:
            return f"{self.folder}{self.spelling.words[place.what]}{self._file}"
        return self._shaped(place.what, ident)

    @property
    def _file(self) -> str:
        return self.spelling.extension if self.choices.shape in ("query", "act") else ""

    def _with_form(self, path: str, place: SitePage) -> str:
        """Other forms of a list: sorted, or one of several addresses of a thread."""
        if not place.form:
            return path
        name = self.spelling.short["sort" if place.form == "sorted" else "view"]
        value = place.key if place.form == "sorted" else self.spelling.words["newest"]
        return f"{path}{'&' if '?' in path else '?'}{name}={value}"

    def _list_path(self, place: SitePage, nonce: int) -> str:
        base = self._base(place)
        if place.page == self.plan.opening(place):
            return base
        if place.what == "entry" and self.choices.shape in ("query", "act"):
            # The entry is a folder, its flips are its index file.
            base = f"{self.folder}{self.spelling.words['entry']}{self.spelling.extension or '.html'}"
        return self._flipped(base, self._page_value(place, nonce), self._page_name(place))

    def _base(self, place: SitePage) -> str:
        match place.what:
            case "entry":
                return self.entry
            case "thread":
                return self._thread_base(place)
            case "category":
                return self._shaped("category", str(place.id + 1))
            case "month":
                ident = self._board_ident(place.id)
                return self._keyed(self._shaped("month", ident) if ident else self._shaped("month", "0"), place.key)
            case "board" if self._boards_are_folders:
                return f"{self.folder}{self._board_ident(place.id)}/"
        return self._shaped(place.what, self._board_ident(place.id) or "0")

    @property
    def _boards_are_folders(self) -> bool:
        return self.choices.thread_place == "in-board" and self.choices.shape not in ("query", "act")

    def _keyed(self, path: str, key: str) -> str:
        if "?" in path:
            return f"{path}&{self.spelling.short['key']}={key}"
        if path.endswith(".html"):
            return f"{path[:-5]}_{key}.html"
        return f"{path.rstrip('/')}/{key}" + ("/" if path.endswith("/") else "")

    def _thread_base(self, place: SitePage) -> str:
        if self.plan.size("thread") == 1:
            return self._shaped("thread", str(self.plan.view.post_id(place.id, place.page - 1)))
        ident = self._thread_ident(place.id)
        thread = self.plan.view.thread(place.id)
        assert thread is not None
        slash = "/" if self.choices.shape == "folder" else ""
        match self.choices.thread_place:
            case "root":
                return f"/{ident}{slash}"
            case "dated":
                return f"{self.folder}{thread.created:%Y/%m}/{ident}{slash}"
            case "in-board" if self._boards_are_folders:
                end = ".html" if self.choices.shape == "html" else slash
                return f"{self.folder}{self._board_ident(thread.board)}/{ident}{end}"
            case "in-board":
                board = f"{self.spelling.short['board']}={self._board_ident(thread.board)}"
                return self._shaped("thread", ident).replace("?", f"?{board}&", 1)
        return self._shaped("thread", ident)

    def beginning(self, what: str) -> str:
        """What the addresses of all pages of a kind share."""
        return self._shaped(what, "@").partition("@")[0]

    def _post_path(self, place: SitePage) -> str:
        """A thread that is known by any of its messages has no other permalinks."""
        if self.choices.thread_id == "message":
            return self._shaped("thread", str(place.id))
        return self._shaped("post", str(place.id))

    def _shaped(self, what: str, ident: str) -> str:
        spelling = self.spelling
        word = spelling.words[what]
        match self.choices.shape:
            case "query":
                return f"{self.folder}{word}{spelling.extension}?{spelling.short[what]}={ident}"
            case "act":
                script = f"{spelling.words['entry']}{spelling.extension or '.html'}"
                return f"{self.folder}{script}?{spelling.short['act']}={word}&{spelling.short[what]}={ident}"
            case "folder":
                return f"{self.folder}{word}/{ident}/"
            case "html":
                return f"{self.folder}{word}-{ident}.html"
            case "comma":
                return f"{self.folder}{word},{ident}"
        return f"{self.folder}{word}/{ident}"

    # --- ids

    def _board_ident(self, number: int) -> str:
        board = self.plan.view.board(number)
        if board is None:
            return ""
        match self.choices.board_id:
            case "slug":
                return quote(content.slug(board.title))
            case "slug-number":
                return quote(f"{content.slug(board.title)}{self.spelling.separator}{number}")
        return str(number)

    def _thread_ident(self, number: int) -> str:
        return self._idents[number]

    def _sole_ident(self, number: int) -> str:
        """An id that is enough where the address does not name the board."""
        return str(number) if self.choices.thread_id == "counted-in-board" else self._idents[number]

    @cached_property
    def _idents(self) -> dict[int, str]:
        view = self.plan.view
        taken: set[str] = set()
        counted: dict[int, int] = {}
        idents: dict[int, str] = {}
        for number in sorted(view.all_thread_ids()):
            thread = view.thread(number)
            assert thread is not None
            counted[thread.board] = counted.get(thread.board, 0) + 1
            ident = self._spelled(thread, counted[thread.board])
            while ident in taken:  # only slugs repeat; software appends something
                ident += f"-{_LETTERS[len(taken) % 26]}"
            taken.update({ident} if self.choices.thread_id != "counted-in-board" else ())
            idents[number] = quote(ident)
        return idents

    def _spelled(self, thread: Thread, place: int) -> str:
        match self.choices.thread_id:
            case "slug-number":
                return f"{thread.slug}{self.spelling.separator}{thread.id}"
            case "number-slug":
                return f"{thread.id}-{thread.slug}"
            case "slug":
                return thread.slug
            case "hash":
                return hashlib.sha256(f"{self.choices.seed}/{thread.id}".encode()).hexdigest()[:12]
            case "counted-in-board":
                return str(place)
            case "message":
                return str(self.plan.view.post_id(thread.id, 0))
        return str(thread.id)

    # --- pages of lists

    def _page_name(self, place: SitePage) -> str:
        pager = self.plan.pager(place.what)
        return self.spelling.short["token" if pager in ("cursor", "opaque") else "page"]

    def _page_value(self, place: SitePage, nonce: int) -> str:
        size = self.plan.size(place.what)
        match self.plan.pager(place.what):
            case "offsets":
                return str((place.page - 1) * size)
            case "zero":
                return str(place.page - 1)
            case "more":
                return str(place.page * size)
            case "cursor":
                told = f"{self.choices.seed}/{place}".encode()
                return hashlib.sha256(told).hexdigest()[:16]
            case "opaque":
                return token(place.page, nonce)
        return str(place.page)

    def _flipped(self, base: str, value: str, name: str) -> str:
        if "?" in base:
            return f"{base}&{name}={value}"
        if self.choices.flip_place == "query" or len(value) > 6:
            return f"{base}?{name}={value}"
        word = "" if self._bare_pages else f"{self.spelling.words['page']}-"
        if base.endswith(".html"):
            return f"{base[:-5]}_{value}.html"
        if base.endswith("/"):
            return f"{base}{word or self.spelling.words['page'] + '/'}{value}/"
        return f"{base}{',' if self.choices.shape == 'comma' else '/'}{word}{value}"

    # --- sessions

    def with_session(self, path: str, session: str) -> str:
        name = self.spelling.short["session"]
        if not session or self.choices.session == "none":
            return path
        if self.choices.session == "query":
            return f"{path}{'&' if '?' in path else '?'}{name}={session}"
        head, mark, query = path.partition("?")
        return f"{head};{name}={session}{mark}{query}"

    def session_of(self, target: str) -> str:
        found = re.search(rf"[?&;]{self.spelling.short['session']}=(\w+)", target)
        return found[1] if found and self.choices.session != "none" else ""

    def without_session(self, target: str) -> str:
        if self.choices.session == "none":
            return target
        name = self.spelling.short["session"]
        target = re.sub(rf";{name}=\w*", "", target)
        return re.sub(rf"([?&]){name}=\w*(&|$)", r"\1", target).rstrip("?&")

    def without_tokens(self, target: str) -> str:
        """Opaque tokens as they are written with the nonce 0."""
        name = self.spelling.short["token"]
        return re.sub(rf"(?<=[?&]{name}=)[0-9a-f]{{10}}$", lambda found: token(page_in(found[0]), 0), target)


def token(page: int, nonce: int) -> str:
    """A page number that no reader can tell: ten hexadecimal digits."""
    salt = (nonce * 40_503 + 7) & 0xFFFFFFF
    return f"{salt:07x}{page ^ (salt & ((1 << _PAGE_BITS) - 1)):03x}"


def page_in(written: str) -> int:
    return int(written[7:], 16) ^ (int(written[:7], 16) & ((1 << _PAGE_BITS) - 1))
