"""What the wrappers learn from pages of known kinds."""

from __future__ import annotations

from tests.learn.tablesite import TableSite

from thrawl.learn.classifier import PageClassifier
from thrawl.learn.sampler import Sampler
from thrawl.learn.wrap import learn_wrappers
from thrawl.profile.heading import PageWrapper
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

SITE = "http://f.test"
TITLES = ("Coal is dear", "Brass or steel?", "The pump leaks", "Steam is too hot", "A new boiler", "Old rope", "Fog")
HEADED = (2,)  # above further pages of this thread stands a line more
LONG = (0, 1, 2, 3)


def thread(number: int, page: int) -> str:
    """Each post has a title of its own; that of the thread stands where another line may stand."""
    moved = "<tr><td>Moved here</td></tr>" if number in HEADED else ""
    marks = ("" if page == 1 else "RE : ", "RE : ", "RE : ")
    posts = "".join(f"<tr><td>by Oda</td><td><b>{mark}{TITLES[number]}</b><p>words</p></td></tr>" for mark in marks)
    head = f"<table class=head>{moved}<tr><td>{TITLES[number]}</td></tr></table>"
    return f"<html><title>Huts</title><body>{head}<table class=posts>{posts}</table></body></html>"


async def test_a_further_page_has_the_title_of_its_thread() -> None:
    pages = {f"/t/{number}": thread(number, 1) for number in range(len(TITLES))}
    pages |= {f"/t/{number}/2": thread(number, 2) for number in LONG}
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    await sampler.get_all(SITE + path for path in pages if path != "/t/3/2")
    flip = Flip(Pattern.parse(f"{SITE}/t/{{a:number}}/{{page:number}}"), 1, 1)
    threads = (ListPattern(Pattern.parse(f"{SITE}/t/{{a:number}}"), flips=(flip,)),)
    anchors = {f"{SITE}/t/{number}": title for number, title in enumerate(TITLES)}
    profile = learn_wrappers(Profile(f"{SITE}/", (), threads), sampler.sampled, anchors)
    wrapper = PageWrapper.from_json(profile.page_wrapper or {})
    page = await sampler.get(f"{SITE}/t/3/2")
    assert page is not None
    assert wrapper.title(page.page.tree, page.url) == TITLES[3]


async def test_the_times_that_a_list_says_behind_titles_are_no_part_of_them() -> None:
    def letter(number: int) -> str:
        """Nothing but its place says which line is the title, and answers have that of another letter."""
        told = {"Name:": f"{'Oda Ann Bo'.split()[number % 3]} Quince", "Date:": f"7/{number + 4}/2024 4:06 PM"}
        rows = "".join(
            f"<tr><th>{of}</th><td>{what}</td></tr>" for of, what in [*told.items(), ("Of:", called(number))]
        )
        said = f"<b>Body:</b><blockquote>The {number} words.</blockquote>"
        return f"<html><title>Reading letters</title><body><table>{rows}</table>{said}</body></html>"

    def called(number: int) -> str:
        return f"Re: {TITLES[number - 1]}" if number % 2 else TITLES[number]

    pages = {f"/t/{number}": letter(number) for number in range(len(TITLES))}
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    await sampler.get_all(SITE + path for path in pages)
    threads = (ListPattern(Pattern.parse(f"{SITE}/t/{{a:number}}")),)
    anchors = {f"{SITE}/t/{n}": f"{called(n)} (7/{n + 4}/2024 4:06 PM)" for n in range(len(TITLES))}
    wrapper = PageWrapper.from_json(
        learn_wrappers(Profile(f"{SITE}/", (), threads), sampler.sampled, anchors).page_wrapper or {}
    )
    titles = [wrapper.title(one.page.tree, one.url) for one in sampler.sampled]
    assert titles == [TITLES[number - number % 2] for number in range(len(TITLES))]
