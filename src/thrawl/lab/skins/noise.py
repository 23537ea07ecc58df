"""The pages of a forum that hold no thread: profiles, walls, forms, calendars, print views, feeds.

They stand in each skin's own frame. A calendar has a link to the month before and after, for ever: it is a trap.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from html import escape

from thrawl.lab.skins.bodies import PLAIN, body_html
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.skins.values import Answer, Visit

NEWEST = 25


def wall(visit: Visit) -> Answer:
    """What a visitor without an account sees instead of the page."""
    words = visit.skin.language
    main = f"<h2>{words.login}</h2><p>{words.denied}</p>{_login_form(visit)}"
    return Answer(visit.skin.wall_status, visit.skin.frame(visit, words.login, main))


def login(visit: Visit, place: SitePage) -> Answer:
    words = visit.skin.language
    return Answer(200, visit.skin.frame(visit, words.login, f"<h2>{words.login}</h2>{_login_form(visit)}"))


def profile(visit: Visit, place: SitePage) -> Answer:
    words = visit.skin.language
    user = visit.view.world.user(place.id)
    main = (
        f"<h2>{escape(user.name)}</h2><dl><dt>{words.joined}</dt><dd>{user.joined:%Y-%m-%d}</dd>"
        f"<dt>{words.name}</dt><dd>{escape(user.name)}</dd></dl>"
        f'<p><a href="{visit.to("compose")}">{words.send}</a></p>'
    )
    return Answer(200, visit.skin.frame(visit, user.name, main))


def members(visit: Visit, place: SitePage) -> Answer:
    words = visit.skin.language
    users = (visit.view.world.user(number) for number in range(1, 9))
    items = "".join(f"<li>{visit.user(user)} <small>{user.joined:%Y-%m-%d}</small></li>" for user in users)
    return Answer(200, visit.skin.frame(visit, words.members, f"<h2>{words.members}</h2><ol>{items}</ol>"))


def calendar(visit: Visit, place: SitePage) -> Answer:
    """One month, with links to its neighbours; there is always another one."""
    words = visit.skin.language
    first = _month(place.key, visit.view.moment.date())
    before = (first - timedelta(days=1)).replace(day=1)
    after = (first + timedelta(days=31)).replace(day=1)
    days = "".join(f"<td>{number}</td>" for number in range(1, (after - first).days + 1))
    links = " | ".join(
        f'<a href="{visit.to("calendar", key=f"{month:%Y-%m}")}">{words.months[month.month - 1]} {month.year}</a>'
        for month in (before, after)
    )
    title = f"{words.calendar} {words.months[first.month - 1]} {first.year}"
    main = f"<h2>{title}</h2><p>{links}</p><table><tr>{days}</tr></table>"
    return Answer(200, visit.skin.frame(visit, title, main))


def search(visit: Visit, place: SitePage) -> Answer:
    words = visit.skin.language
    form = f'<form action="{visit.to("search")}"><input name="words"><button>{words.search}</button></form>'
    return Answer(200, visit.skin.frame(visit, words.search, f"<h2>{words.search}</h2>{form}"))


def help_page(visit: Visit, place: SitePage) -> Answer:
    words = visit.skin.language
    about = "".join(f"<p>{escape(board.about)}</p>" for board in visit.view.boards[:5])
    return Answer(200, visit.skin.frame(visit, words.help, f"<h2>{words.help}</h2>{about}"))


def newest(visit: Visit, place: SitePage) -> Answer:
    """The whole site's threads by last reply."""
    view, words = visit.view, visit.skin.language
    items = []
    for number in view.thread_ids()[:NEWEST]:
        last = view.last_post(int(number))
        thread = view.thread(int(number))
        title = escape(thread.title) if thread else ""
        when = f'<time datetime="{last.time.isoformat()}">{last.time:%Y-%m-%d %H:%M}</time>'
        items.append(f'<li><a href="{visit.to("last", int(number))}">{title}</a> {visit.user(last.author)} {when}</li>')
    main = f"<h2>{words.newest}</h2><ol>{''.join(items)}</ol>"
    return Answer(200, visit.skin.frame(visit, words.newest, main))


def print_view(visit: Visit, place: SitePage) -> Answer:
    thread = visit.view.thread(place.id)
    if thread is None:
        return visit.skin.missing(visit)
    posts = "".join(
        f"<hr><b>{escape(post.author.name)}</b> {post.time:%Y-%m-%d %H:%M}<div>{body_html(post.body, PLAIN)}</div>"
        for post in visit.view.posts(place.id)
    )
    title = escape(thread.title)
    page = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1>{posts}</body></html>"
    return Answer(200, page)


def feed(visit: Visit, place: SitePage) -> Answer:
    """An Atom feed of the threads with the latest posts."""
    view = visit.view
    entries = []
    for number in view.thread_ids()[:NEWEST]:
        last, thread = view.last_post(int(number)), view.thread(int(number))
        entries.append(
            f"<entry><id>urn:post:{last.id}</id><title>{escape(thread.title) if thread else ''}</title>"
            f"<author><name>{escape(last.author.name)}</name></author><updated>{last.time.isoformat()}</updated>"
            f'<link href="{visit.to("thread", int(number))}"/></entry>'
        )
    title = escape(visit.skin.language.site)
    body = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{title}</title><id>urn:forum:{view.world.seed}</id>"
        f"<updated>{view.moment.isoformat()}</updated>{''.join(entries)}</feed>"
    )
    return Answer(200, body, "application/atom+xml")


PAGES: dict[str, Callable[[Visit, SitePage], Answer]] = {
    "login": login,
    "user": profile,
    "members": members,
    "calendar": calendar,
    "search": search,
    "help": help_page,
    "newest": newest,
    "print": print_view,
    "feed": feed,
}


def _login_form(visit: Visit) -> str:
    words = visit.skin.language
    return (
        f'<form method="post" action="{visit.to("login")}"><label>{words.name} <input name="who"></label>'
        f'<label>{words.password} <input type="password" name="secret"></label><button>{words.login}</button></form>'
    )


def _month(key: str, today: date) -> date:
    try:
        year, month = key.split("-")
        return date(max(2, min(int(year), 9998)), int(month), 1)
    except ValueError:
        return today.replace(day=1)
