"""What stands around the main part of every page: head, header, menus, boxes, footer; and what breaks it."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from thrawl.lab.random.paint import Paint
from thrawl.lab.skins.routes import SitePage

_BOXED: Final = 6
_MENU: Final = 8
_TAGS: Final = 6
_OPTIONAL_ENDS: Final = re.compile(r"</(?:li|td|tr|p|dd|dt)>")


def whole_page(paint: Paint, title: str, main: str, *, head: str = "", side: str = "") -> str:
    """A page with all that this forum puts around its main part."""
    site = escape(paint.site_name)
    body = (
        f"<div{paint.css('header')}>{_top(paint)}{_menu(paint)}{_header_login(paint)}</div>\n"
        f"{_columns(paint, f'{_ad(paint, 1)}{main}{_ad(paint, 2)}', side + _boxes(paint))}\n"
        f"<div{paint.css('footer')}>{site} &copy; {paint.plan.view.moment.year}</div>"
    )
    lang = paint.language.code
    page = (
        f'<!DOCTYPE html>\n<html lang="{lang}"><head>{_declared(paint)}<title>{escape(title)} - {site}</title>'
        f"{head}{_feed(paint)}{_script(paint)}</head>\n<body>{body}</body></html>"
    )
    return broken(paint, page)


def crumbs(paint: Paint, *places: tuple[SitePage, str]) -> str:
    """The way from the entry down to a page."""
    if paint.choices.crumbs == "none":
        return ""
    steps = [(SitePage("entry"), paint.site_name), *places]
    shown = steps if paint.choices.crumbs == "full" else steps[-1:]
    return f"<div{paint.css('crumbs')}>{' &gt; '.join(paint.link(place, text) for place, text in shown)}</div>\n"


def heading(paint: Paint, title: str, place: SitePage | None = None) -> str:
    match paint.choices.heading:
        case "h1":
            return f"<h1>{escape(title)}</h1>\n"
        case "linked" if place is not None:
            return f"<h1>{paint.link(place, title)}</h1>\n"
        case "cell":
            return f"<table{paint.css('heading')}><tr><td><b>{escape(title)}</b></td></tr></table>\n"
    return f"<h2{paint.css('heading')}>{escape(title)}</h2>\n"


def _top(paint: Paint) -> str:
    above = ""
    if paint.choices.above in ("blog", "portal", "project"):
        above = f'<a href="{paint.href(SitePage("root"))}">{escape(paint.wording.news)}</a> '
        above += paint.link(SitePage("about"), paint.language.help) + " "
    home = f'<a{paint.css("site")} href="{paint.href(SitePage("entry"))}">{escape(paint.site_name)}</a>'
    return f"<div{paint.css('top')}>{above}{home}</div>"


def _menu(paint: Paint) -> str:
    choices, words = paint.choices, paint.language
    named = {
        "help": (True, words.help),
        "search": (choices.search, words.search),
        "members": (choices.members, words.members),
        "calendar": (choices.calendar, words.calendar),
        "newest": (choices.newest_page, words.newest),
        "register": (choices.register, words.register),
        "login": (True, words.login),
    }
    links = [paint.link(SitePage(what), text) for what, (there, text) in named.items() if there]
    return f"<ul{paint.css('menu')}>{''.join(f'<li>{link}</li>' for link in links)}</ul>"


def _header_login(paint: Paint) -> str:
    if not paint.choices.header_login:
        return ""
    words = paint.language
    return (
        f'<form{paint.css("login")} method="post" action="{paint.href(SitePage("login"))}">'
        f'{words.name} <input type="text" name="a"> {words.password} <input type="password" name="b">'
        f'<input type="submit" value="{words.login}"></form>'
    )


def _columns(paint: Paint, main: str, side: str) -> str:
    """The main part and what stands beside it, in this forum's order."""
    main = f"<div{paint.css('main')}>{main}</div>"
    side = f"<div{paint.css('side')}>{side}</div>" if side else ""
    return side + main if paint.random("columns-of-page").random() < 0.4 else main + side


def _boxes(paint: Paint) -> str:
    choices, view = paint.choices, paint.plan.view
    boxes = []
    if choices.newest_box:
        items = []
        for number in view.all_thread_ids()[:_BOXED]:
            thread = view.thread(number)
            assert thread is not None
            items.append(f"<li>{paint.link(paint.thread_link(number), thread.title)}</li>")
        boxes.append(_box(paint, paint.language.newest, items))
    if choices.word_menu:
        boxes.append(
            _box(paint, "", [f"<li>{paint.link(SitePage('word', key=word), word)}</li>" for word in menu_words(paint)])
        )
    if choices.tags:
        items = [f"<li>{paint.link(SitePage('tag', key=word), word)}</li>" for word in tag_words(paint)]
        boxes.append(_box(paint, paint.wording.tags, items))
    if choices.jump_menu:
        options = "".join(f'<option value="{board.id}">{escape(board.title)}</option>' for board in view.boards)
        boxes.append(f"<form{paint.css('jump')}>{paint.language.jump_to} <select name=j>{options}</select></form>")
    return "".join(boxes)


def _box(paint: Paint, title: str, items: list[str]) -> str:
    head = f"<h4>{escape(title)}</h4>" if title else ""
    return f"<div{paint.css('box')}>{head}<ul>{''.join(items)}</ul></div>"


def menu_words(paint: Paint) -> list[str]:
    """The one-word entries of a menu."""
    return paint.random("menu").sample(paint.things, _MENU)


def tag_words(paint: Paint) -> list[str]:
    return paint.random("tags").sample(paint.things, _TAGS)


def _ad(paint: Paint, number: int) -> str:
    if not paint.choices.ads:
        return ""
    return f'<div{paint.css("ad")}><a href="https://example.com/{number}" rel="nofollow">Buy {number}</a></div>\n'


def _feed(paint: Paint) -> str:
    if not paint.choices.feed:
        return ""
    return f'<link rel="alternate" type="application/atom+xml" href="{paint.href(SitePage("feed"))}">'


# --- what is wrong with it


def _declared(paint: Paint) -> str:
    match paint.choices.charset:
        case "undeclared":
            return ""
        case "wrong":
            return '<meta charset="iso-8859-1">'
        case "legacy":
            return f'<meta http-equiv="Content-Type" content="text/html; charset={charset_of(paint)}">'
    return '<meta charset="utf-8">'


def charset_of(paint: Paint) -> str:
    """The charset in which pages are written."""
    if paint.choices.charset in ("utf-8", "wrong"):
        return "utf-8"
    return "shift_jis" if paint.choices.language == "ja" else "windows-1252"


def _script(paint: Paint) -> str:
    """A script in the head; written like `<br/>` it swallows the page in a reader that takes it by the letter."""
    if paint.choices.broken == "script":
        return '<script src="/s/1.js"/>'
    return '<script src="/s/1.js"></script>'


def broken(paint: Paint, page: str) -> str:
    match paint.choices.broken:
        case "unclosed":
            return _OPTIONAL_ENDS.sub("", page)
        case "stray":
            return page.replace("</ul>", "</ul></span></center>").replace("<body>", "<body><font>", 1)
    return page
