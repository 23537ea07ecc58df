"""Which families are threads, given an opinion of each: what is no title, and what is of another part of the site."""

from __future__ import annotations

from tests.learn.tablesite import TableSite
from tests.learn.test_learner_people import PEOPLE, words

from thrawl.learn.classifier import PageClassifier
from thrawl.learn.sampler import Sampler
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.evidence import Opinion
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.scene import LIKELY, Scene
from thrawl.learn.structure.titles import previews, titles

F = "http://f.test/"
MARK = "<a title='This post alone' href='/post-{post}'><img src='/i.png'></a>"


def framed(main: str) -> str:
    return f"<html><body><div id=top><a href='/'>Home</a></div><div id=main>{main}</div></body></html>"


def said(post: int, mark: str = "") -> str:
    when = f"2026-05-{post % 28 + 1:02} 1{post % 10}:00"
    return f"<div class=post id=p{post}><b>{PEOPLE[post % 5]}</b> {when} {mark}<p>{words(post, 15)} {post}.</p></div>"


def title(thread: int) -> str:
    return f"{words(thread, 5)} {thread}"


def thread_page(thread: int, count: int) -> str:
    posts = "".join(said(post, MARK.format(post=post)) for post in range(thread * 10, thread * 10 + count))
    return framed(f"<h1>{title(thread)}</h1>{posts}")


def listed(links: dict[str, str]) -> str:
    rows = (f"<tr><td><a href='/{path}'>{name}</a><td>{PEOPLE[len(name) % 5]}</tr>" for path, name in links.items())
    return framed(f"<table>{''.join(rows)}</table>")


async def scene_of(pages: dict[str, str], start: str, opinions: dict[str, Opinion]) -> tuple[Scene, dict[str, Family]]:
    """What is seen of a site of whose families, by the address of a member, this is thought."""
    sampler = Sampler(TableSite(F, pages), PageClassifier.load(), len(pages))
    atlas = Atlas(sampler)
    for path in pages:
        page = await sampler.get(F + path)
        assert page is not None
        atlas.add(page)
    named = {path: next(one for one in atlas.families if F + path in one.urls) for path in opinions}
    nothing = dict.fromkeys(atlas.families, Opinion(0.0, 0.0))
    first = sampler.known(F + start)
    assert first is not None
    return Scene(atlas, nothing | {named[path]: one for path, one in opinions.items()}, first, LIKELY), named


async def test_marks_at_posts_name_no_threads_though_a_persons_page_lists_the_posts_behind_them_by_title() -> None:
    threads = {number: 2 + number % 4 for number in range(10, 30)}
    posts = {thread * 10 + n: thread for thread, count in threads.items() for n in range(count)}
    pages = {"": listed({f"t{number}": title(number) for number in threads})}
    pages |= {f"t{number}": thread_page(number, threads[number]) for number in (10, 13, 17)}
    pages |= {f"post-{post}": framed(f"<h2>{title(posts[post])}</h2><p>alone</p>{said(post)}") for post in (101, 170)}
    pages["u2"] = listed({f"post-{post}": title(posts[post]) for post in posts if post % 5 == 2})
    scene, families = await scene_of(pages, "", {"t11": Opinion(0.02, 0.96), "post-101": Opinion(0.0, 1.0)})
    assert families["t11"] not in previews(scene)


async def test_threads_of_boards_that_stand_in_a_menu_are_of_the_forum_if_their_pages_are_made_alike() -> None:
    boards = {"golf": range(40, 52), "chess": range(60, 73)}
    menu = "<p>" + " ".join(f"<a href='/f/{name}'>All about {name}</a>" for name in boards) + "</p>"

    def with_menu(page: str) -> str:
        return page.replace("<div id=main>", f"{menu}<div id=main>")

    pages = {"": with_menu(listed({f"talk?id={n}": title(n) for n in range(10, 30)}))}
    pages |= {f"talk?id={n}": thread_page(n, 3) for n in (10, 15)}
    for name, numbers in boards.items():
        pages[f"f/{name}"] = with_menu(listed({f"f/{name}/talk?id={n}": title(n) for n in numbers}))
        pages |= {f"f/{name}/talk?id={n}": thread_page(n, 2) for n in numbers[:2]}
    pages["news"] = with_menu(listed({f"news/{n}.html": title(n) for n in range(80, 99)}))
    article = "<article><h1>{}</h1><section>{}</section><ul><li>Tags<li>More</ul></article>"
    pages |= {f"news/{n}.html": framed(article.format(title(n), words(n, 90))) for n in (81, 90)}
    pages = {path: page if menu in page else with_menu(page) for path, page in pages.items()}
    surely = Opinion(0.0, 0.99)
    scene, families = await scene_of(
        pages, "", {"talk?id=10": surely, "f/golf/talk?id=41": surely, "news/81.html": surely, "f/golf": Opinion(1, 0)}
    )
    found = titles(scene, previews(scene))
    assert families["talk?id=10"] in found
    assert families["f/golf/talk?id=41"] in found
    assert families["news/81.html"] not in found


async def test_a_page_of_the_beginnings_of_threads_is_a_list_of_them_though_its_links_say_nothing() -> None:
    def shown(thread: int, count: int) -> str:
        answers = "".join(said(post) for post in range(thread * 10 + 1, thread * 10 + count))
        return f"<div class=thread>{said(thread * 10, f'<a href=/t{thread}>Reply</a>')}{answers}</div>"

    def whole(thread: int) -> str:
        return framed(f"<h1>{title(thread)}</h1>" + "".join(said(thread * 10 + n) for n in range(2 + thread % 5)))

    boards = {"golf": range(40, 52), "chess": range(60, 73)}
    pages = {name: framed("".join(shown(n, min(3, 2 + n % 5)) for n in of)) for name, of in boards.items()}
    pages |= {f"t{n}": whole(n) for n in (40, 43, 46, 62, 68)}
    pages[""] = listed({name: f"All about {name} and what belongs to it" for name in boards})
    scene, families = await scene_of(pages, "", {"golf": Opinion(0.0, 0.99), "t41": Opinion(0.0, 0.83)})
    assert families["golf"] in previews(scene)
    assert families["t41"] not in previews(scene)


async def test_threads_are_no_lists_of_people_whose_pages_show_what_they_wrote_in_many_threads() -> None:
    def signed(post: int) -> str:
        return said(post, f"<a href=/u{post % 5}>{PEOPLE[post % 5]}</a>")

    def whole(thread: int) -> str:
        return framed(f"<h1>{title(thread)}</h1>" + "".join(signed(thread * 10 + n) for n in range(2 + thread % 4)))

    def person(number: int) -> str:
        written = (thread * 10 + n for thread in range(10, 40) for n in range(2 + thread % 4))
        return framed(f"<h1>{PEOPLE[number]}</h1>" + "".join(said(post) for post in written if post % 5 == number))

    pages = {"": listed({f"t{number}": title(number) for number in range(10, 40)})}
    pages |= {f"t{number}": whole(number) for number in (10, 13, 17, 21)}
    pages |= {f"u{number}": person(number) for number in range(5)}
    scene, families = await scene_of(pages, "", {"t11": Opinion(0.0, 1.0), "u2": Opinion(0.01, 0.8)})
    assert families["t11"] not in previews(scene)
