"""Pages of a random forum that hold no posts of their own, or hold them once more: what a crawler should leave."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from html import escape
from typing import Final

from thrawl.lab.random.bodies import body_html
from thrawl.lab.random.frame import heading, menu_words, tag_words, whole_page
from thrawl.lab.random.pages import tags_of
from thrawl.lab.random.paint import Paint
from thrawl.lab.random.rows import thread_rows
from thrawl.lab.random.timing import written
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.skins.values import Answer

_NEWEST: Final = 15
_MEMBERS: Final = 12
_ARTICLES: Final = 5
_LINES: Final = 8


def _page(paint: Paint, title: str, main: str) -> Answer:
    return Answer(200, whole_page(paint, title, heading(paint, title) + main))


def _user(paint: Paint, place: SitePage) -> Answer:
    world, words = paint.plan.world, paint.language
    user = world.user(place.id)
    facts = f"<dl><dt>{words.joined}</dt><dd>{user.joined:%Y-%m-%d}</dd></dl>"
    if paint.choices.profiles != "words":
        return _page(paint, user.name, facts)
    said = "".join(
        f"<p{paint.css('said')}>{escape(paint.sentence(f'{place.id}/{line}'))}</p>" for line in range(_LINES)
    )
    view = paint.plan.view
    wrote = [view.thread(number) for number in view.all_thread_ids()]
    own = [thread for thread in wrote if thread is not None and thread.author.id == place.id][:_LINES]
    items = "".join(
        f"<li>{paint.link(paint.thread_link(thread.id), thread.title)} {paint.row_when(thread.created)}</li>"
        for thread in own
    )
    return _page(paint, user.name, f"{facts}{said}<ul>{items}</ul>")


def _members(paint: Paint, place: SitePage) -> Answer:
    users = (paint.plan.world.user(number) for number in range(1, _MEMBERS + 1))
    rows = "".join(f"<tr><td>{paint.user(user)}</td><td>{user.joined:%Y-%m-%d}</td></tr>" for user in users)
    return _page(paint, paint.language.members, f"<table{paint.css('members')}>{rows}</table>")


def _login(paint: Paint, place: SitePage) -> Answer:
    words = paint.language
    form = (
        f'<form method="post"><label>{words.name} <input name="a"></label><label>{words.password} '
        f'<input type="password" name="b"></label><button>{words.login}</button></form>'
    )
    denied = f"<p>{words.denied}</p>" if place.what in ("compose", "private") else ""
    return _page(paint, words.login, denied + form)


def _register(paint: Paint, place: SitePage) -> Answer:
    words = paint.language
    inputs = "".join(
        f'<p><label>{text} <input type="{kind}" name="{number}"></label></p>'
        for number, (text, kind) in enumerate(
            ((words.name, "text"), (words.password, "password"), (words.password, "password"), ("E-Mail", "text"))
        )
    )
    return _page(paint, words.register, f'<form method="post">{inputs}<button>{words.send}</button></form>')


def _search(paint: Paint, place: SitePage) -> Answer:
    return _page(paint, paint.language.search, f'<form><input name="q"><button>{paint.language.search}</button></form>')


def _prose(paint: Paint, place: SitePage) -> Answer:
    """A page of sentences: help, an article, what the site is about."""
    title = f"{paint.wording.news} {place.id}" if place.what == "news" else paint.language.help
    lines = (paint.sentence(f"{place.what}/{place.id}/{line}") for line in range(_LINES))
    return _page(paint, title, "".join(f"<p>{escape(line)}</p>" for line in lines))


def _newest(paint: Paint, place: SitePage) -> Answer:
    return _page(paint, paint.language.newest, thread_rows(paint, paint.plan.thread_ids[:_NEWEST]))


def _tag(paint: Paint, place: SitePage) -> Answer:
    """The threads that have all the tags of the address, and links that add one more to them."""
    chosen = place.key.split("+")
    threads = [n for n in paint.plan.thread_ids if set(chosen) <= set(tags_of(paint, n))]
    more = [word for word in tag_words(paint) if word not in chosen]
    items = "".join(f"<li>{paint.link(SitePage('tag', key='+'.join([*chosen, word])), word)}</li>" for word in more)
    main = f"<ul{paint.css('facets')}>{items}</ul>{thread_rows(paint, threads[:_NEWEST])}"
    return _page(paint, f"{paint.wording.tags}: {', '.join(chosen)}", main)


def _word(paint: Paint, place: SitePage) -> Answer:
    """What an entry of a menu of words leads to: a short list that has nothing to do with the forum."""
    links = (f"https://example.org/{word}/{place.key}" for word in menu_words(paint))
    items = "".join(f'<li><a href="{escape(url)}">{escape(url.rsplit("/", 2)[1])}</a></li>' for url in links)
    return _page(paint, place.key, f"<ul>{items}</ul>")


def _calendar(paint: Paint, place: SitePage) -> Answer:
    """One month with its neighbours: there is always another one."""
    today = paint.plan.view.moment.date().replace(day=1)
    first = _month(place.key, today)
    near = ((first - timedelta(days=1)).replace(day=1), (first + timedelta(days=31)).replace(day=1))
    months = paint.language.months
    links = " ".join(
        paint.link(SitePage("calendar", key=f"{month:%Y-%m}"), f"{months[month.month - 1]} {month.year}")
        for month in near
    )
    days = "".join(f"<td>{day}</td>" for day in range(1, 29))
    return _page(paint, f"{months[first.month - 1]} {first.year}", f"<p>{links}</p><table><tr>{days}</tr></table>")


def _month(key: str, today: date) -> date:
    try:
        year, month = key.split("-")
        return date(max(2, min(int(year), 9998)), int(month), 1)
    except ValueError:
        return today


def _print(paint: Paint, place: SitePage) -> Answer:
    thread = paint.plan.view.thread(place.id)
    assert thread is not None
    moment = paint.plan.view.moment
    posts = "".join(
        f"<hr><b>{escape(post.author.name)}</b> {written('iso', paint.language, post.time, moment)}"
        f"<div>{body_html(paint, post)}</div>"
        for post in paint.plan.posts(place.id)
    )
    title = escape(thread.title)
    return Answer(
        200, f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1>{posts}</body></html>"
    )


def _feed(paint: Paint, place: SitePage) -> Answer:
    view = paint.plan.view
    entries = []
    for number in view.all_thread_ids()[:_NEWEST]:
        thread, last = view.thread(number), view.last_post(number)
        assert thread is not None
        entries.append(
            f"<entry><id>urn:post:{last.id}</id><title>{escape(thread.title)}</title>"
            f"<updated>{last.time.isoformat()}</updated>"
            f'<link href="{paint.href(paint.plan.opened("thread", number))}"/></entry>'
        )
    head = '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
    title = escape(paint.site_name)
    return Answer(200, f"{head}<title>{title}</title>{''.join(entries)}</feed>", "application/atom+xml")


def _root(paint: Paint, place: SitePage) -> Answer:
    """What stands above a forum that is one part of a larger site."""
    forum = f'<p><a href="{paint.href(SitePage("entry"))}">{paint.wording.forum}</a></p>'
    if paint.choices.above == "empty":
        return Answer(200, f"<html><head><title></title></head><body>{forum}</body></html>")
    numbers = range(1, _ARTICLES + 1)
    if paint.choices.above == "project":
        items = "".join(
            f"<tr><td>{paint.link(SitePage('news', number), f'file-{number}.c')}</td>"
            f"<td>{escape(paint.sentence(str(number)))}</td></tr>"
            for number in numbers
        )
        return _page(paint, paint.site_name, f"<table>{items}</table>{forum}")
    articles = "".join(
        f"<div{paint.css('article')}><h3>{paint.link(SitePage('news', number), paint.sentence(f'head/{number}'))}</h3>"
        f"<p>{escape(paint.sentence(f'lead/{number}'))}</p></div>"
        for number in numbers
    )
    newest = thread_rows(paint, paint.plan.thread_ids[:4]) if paint.choices.above == "portal" else ""
    return _page(paint, paint.wording.welcome, f"{articles}{newest}{forum}")


PAGES: Final[dict[str, Callable[[Paint, SitePage], Answer]]] = {
    "user": _user,
    "members": _members,
    "login": _login,
    "compose": _login,
    "private": _login,
    "register": _register,
    "search": _search,
    "help": _prose,
    "about": _prose,
    "news": _prose,
    "newest": _newest,
    "tag": _tag,
    "word": _word,
    "calendar": _calendar,
    "print": _print,
    "feed": _feed,
    "root": _root,
}
