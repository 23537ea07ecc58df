"""Which number and which link are a post's own."""

from __future__ import annotations

import pytest
from tests.learn.test_wrapper_posts import NAMES, NOW, sentence
from tests.learn.wrapperpages import numbered_pages, page_of

from thrawl.learn.wrappers.general import read_posts
from thrawl.learn.wrappers.growth import Held
from thrawl.learn.wrappers.identity import Numbers, Writer
from thrawl.learn.wrappers.posts import learn_post_wrapper
from thrawl.learn.wrappers.sample import take_samples
from thrawl.profile.fields import NumberField
from thrawl.profile.kinds import Cut
from thrawl.profile.places import Step


def post(number: int, link: str) -> str:
    """A post with its number in a data attribute, a button and one more link of that number."""
    return (
        f"<div class='post' data-key='{number + 100}'><a href='/u/{number % 7}'>{NAMES[number % 7]}</a> "
        f"<i>2020-03-{number % 27 + 1:02} 10:{number % 60:02}</i> {link.format(key=number + 100, place=number % 4 + 1)}"
        f"<p>{sentence(number)}</p><a href='/answer/{number + 100}'>Answer</a></div>"
    )


@pytest.mark.parametrize(
    ("link", "own"),
    [
        ("<a href='/entry/{key}'>#{place}</a>", "http://f.test/entry/177"),
        ("<a href='/entry/{key}' rel='bookmark'>Link</a>", "http://f.test/entry/177"),
        ("<a href='/t/1#e{key}'>Link</a>", "http://f.test/t/1#e177"),
        ("<a href='/report/{key}'>Report</a>", None),
        ("<a href='/fans/{key}'>{place}</a>", None),
    ],
)
def test_a_post_is_linked_by_fragment_by_bookmark_or_by_its_place_in_the_thread(link: str, own: str | None) -> None:
    wrapper = learn_post_wrapper(numbered_pages(lambda number: post(number, link), 6, 4))
    assert wrapper is not None
    page = page_of([post(77, link)])
    (cut,) = wrapper.cut(page.tree, page.url, NOW) or ()
    assert (cut.post_id, cut.post_url) == ("177", own)


def members_post(number: int, member: str) -> str:
    return (
        f"<div class='post'>{member.format(number=3 * number + 12, name=NAMES[number % 7])}"
        f"<i>2020-03-{number % 27 + 1:02} 10:{number % 60:02}</i><p>{sentence(number)}</p></div>"
    )


@pytest.mark.parametrize(
    "member",
    [
        "<a href='/member?u={number}'>{name}</a>",
        "<a href='/member?u={number}'><img src='/face'></a> <a href='/member?u={number}'>{name}</a>",
        "<span class='by' data-key='{number}'><a href='/member/{name}'>{name}</a></span>",
        "<a href='/member?u={number}'>{name}</a> <a href='/letter?to={number}'>Letter</a>",
    ],
)
def test_where_nobody_wrote_twice_the_number_of_a_member_is_no_post_s(member: str) -> None:
    page = page_of([members_post(number, member) for number in range(3)])
    posts = read_posts(page.tree, page.url, NOW)
    assert [(post.author, post.post_id) for post in posts] == [(name, None) for name in NAMES[:3]]


def test_a_post_s_own_number_is_known_beside_those_of_members() -> None:
    member = "<a href='/member?u={number}'>{name}</a> <a href='#p1{number}'>Link</a>"
    page = page_of([members_post(number, member) for number in range(3)])
    assert [post.post_id for post in read_posts(page.tree, page.url, NOW)] == ["112", "115", "118"]


def test_a_number_whose_place_a_record_lacks_is_not_its_writer_s() -> None:
    (sample,) = take_samples([page_of([members_post(number, "<b>{name}</b>") for number in range(3)])])
    tree = sample.tree
    records = [Held(sample, Cut((node,), node, tree.ends[node])) for node in tree.named("div") if tree.classes(node)]
    writers = {number: Writer(held.cut.start + 1, None) for number, held in enumerate(records)}
    field = NumberField((Step("em"),), "data-key", -1)
    numbers = Numbers([(field, {number: str(number) for number in writers})], ())
    assert numbers.identity(records, None, writers).number == field
