"""Single pages of questions and answers, and short pages, each with a quirk that real pages show."""

from __future__ import annotations

from collections.abc import Sequence

from thrawl import read
from thrawl.learn.wrappers.general import read_posts
from thrawl.page.shown import PostRecord
from thrawl.page.tree import parse

NAMES = ("Grumpy", "old_salt", "Mary Jane", "Ida4")
WORDS = (
    "I bought a wooden dinghy last spring and the keel is leaking badly, whatever I do about it in the evenings.",
    "Take it out of the water and look at the bolts; mine were rusted through, and nobody had told me of that.",
    "Caulk the seams with oakum before the summer, and let the planks swell for a week before you sail again.",
    "Have it done at a yard, which costs a little more and leaves you the time to varnish the oars at home.",
)
REMARKS = (
    "Which bolts do you mean, those of the keel itself or those that hold the floors above it?",
    "All of them, they were made of the same steel and they had all been there since the boat was built.",
    "Oakum is hard to come by where I live, is there anything else that swells like it does?",
    "Cotton does as well for so small a boat, and every chandler has it on his shelf.",
)


def page_of(*parts: str) -> str:
    return f"<title>Leaking keel - Boats</title><body><h1>Leaking keel</h1>{''.join(parts)}</body>"


def posts_on(*parts: str) -> Sequence[PostRecord]:
    return read_posts(parse(page_of(*parts)), "http://boats.test/t/12")


def remark(number: int) -> str:
    return (
        f"<li class='remark' id='remark-{number}'><span>{REMARKS[number]}</span> <a href='/u/{number}' class='by'>"
        f"{NAMES[number]}</a> <i>Mar 1{number}, 2003 at 9:1{number}</i></li>"
    )


def answer(number: int, remarks: Sequence[int] = (), *, named: bool = True) -> str:
    name = f"<a href='/u/{number}' class='who'>{NAMES[number]}</a>" if named else ""
    below = f"<ul>{''.join(map(remark, remarks))}</ul>" if remarks else ""
    return (
        f"<div class='answer' id='answer-{number + 50}'><div class='said'><p>{WORDS[number]}</p></div>"
        f"<div class='signed'>{name} <i>Mar 0{number + 4}, 2003 at 8:15</i></div>{below}</div>"
    )


def note(number: int) -> str:
    """A remark in markup of another kind."""
    return (
        f"<div class='note' id='note-{number}'><a href='/u/{number}'>{NAMES[number % 4]}</a> "
        f"<i>Apr 1{number % 10}, 2003 at 7:1{number % 10}</i><p>{REMARKS[number % 4]} {number}</p></div>"
    )


def answer_with_notes(number: int, notes: int) -> str:
    words = f"{WORDS[number % 3 + 1] * 3} {number}"
    below = "".join(note(10 * number + at) for at in range(notes))
    whole = answer(number % 3 + 1).replace(WORDS[number % 3 + 1], words).removesuffix("</div>")
    return f"{whole.replace(f'answer-{number % 3 + 51}', f'answer-{number + 60}')}<section>{below}</section></div>"


def test_remarks_on_the_question_and_notes_on_the_answers_are_posts_of_their_own() -> None:
    question = answer(0, (0, 1, 2)).replace("answer-50", "question").replace("'answer'", "'question'")
    marks = [f"<a name='{number + 60}'></a>{answer_with_notes(number, 2 * number % 4)}" for number in range(6)]
    posts = posts_on(f"<main>{question}{''.join(marks)}</main>")
    assert [post.depth for post in posts] == [0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1]


def answer_with_remarks(number: int, numbers: Sequence[int]) -> str:
    words = f"{WORDS[number % 4]} {WORDS[(number + 1) % 4]} {number}"
    whole = (
        answer(number % 4).replace(WORDS[number % 4], words).replace(f"answer-{number % 4 + 50}", f"answer-{number}")
    )
    below = "".join(
        remark(one % 4)
        .replace(f"remark-{one % 4}", f"remark-{one}")
        .replace("</span>", f" {REMARKS[one * 3 % 4]} {one}</span>")
        for one in numbers
    )
    by_votes = whole.replace("Mar 0", f"Mar {number % 2}")
    return f"{by_votes.removesuffix('</div>')}<ul>{below}</ul></div>"


def test_remarks_are_posts_also_where_marks_and_rules_stand_between_the_answers() -> None:
    question = answer_with_remarks(3, ()).replace("answer-3", "question").replace("'answer'", "'question'")
    remarks = iter(range(20))
    counts = (3, 3, 1, 4, 3)
    answers = [
        f"<a name='{number + 60}'></a>{answer_with_remarks(number + 60, [next(remarks) for _ in range(count)])}"
        for number, count in enumerate(counts)
    ]
    answers.insert(1, "<div class='zone'><hr></div>")
    posts = posts_on(
        f"<main>{question}<div id='all'><a name='tab'></a><h2>5 answers</h2>{''.join(answers)}</div></main>"
    )
    assert [post.depth for post in posts] == [0, *(depth for count in counts for depth in [0, *[1] * count])]


def test_posts_of_nobody_on_a_page_of_which_nothing_is_known_are_told() -> None:
    page = page_of(*(answer(number, named=False) for number in range(4)))
    assert [post.text for post in read(page, "http://boats.test/t/12")] == list(WORDS)


def test_a_piece_of_code_that_an_only_answer_talks_of_is_not_all_that_it_says() -> None:
    code = "<pre class='code'>" + "caulk(seam) and wait(week)\n" * 9 + "</pre>"
    question = f"<section><p>{WORDS[0]}</p><small>by <a href='/u/0'>Grumpy</a>, Mar 03, 2003 8:00 am</small></section>"
    only = answer(1).replace("</p>", f"</p>{code}")
    posts = posts_on(question, only)
    assert posts[-1].text.startswith(WORDS[1])


def card(number: int, words: str, signature: str, said: str = "") -> str:
    buttons = "<div class='bar'><a class='do'>Save this</a> <a class='do'>Share this post</a> <a>Quote it</a></div>"
    return (
        f"<article id='card-{number}'><header><a href='/u/{number}'>{NAMES[number]}</a> "
        f"<time datetime='2003-03-0{number + 4}T09:15:00Z'>Mar 0{number + 4}, 2003</time></header>"
        f"<div class='cell'><div class='body'{said}>{words}</div><aside class='sig'>{signature}</aside>{buttons}</div>"
        f"</article>"
    )


def test_buttons_below_every_post_of_a_short_page_are_no_quotations() -> None:
    signed = [f"{words}<br>{REMARKS[number]}" for number, words in enumerate(WORDS)]
    posts = posts_on(*(card(number, WORDS[number], signed[number]) for number in range(3)))
    assert [quote.text for post in posts for quote in post.quotes] == []
    assert not any("Share" in post.text for post in posts)


def test_what_a_page_marks_as_text_is_told_without_the_signatures_below_it() -> None:
    signatures = [f"{NAMES[number]} sails the {place} and " + REMARKS[number] for number, place in enumerate("ABCD")]
    marked = " itemprop='text'"
    posts = posts_on(*(card(n, words, signatures[n], marked) for n, words in enumerate(("Welcome!", *WORDS[1:]))))
    assert [post.text for post in posts] == ["Welcome!", *WORDS[1:]]


def old_row(number: int, subject: str = "") -> str:
    return (
        f"<table class='post'><tr><td><b>{NAMES[number]}</b></td><td>{subject}"
        f"<div><img src='/p.gif' title='Post'><b>Posted:</b> Tue Mar 0{number + 4}, 2003 9:15 am</div></td></tr>"
        f"<tr><td>Posts: 1{number}2</td><td><div class='said'>{WORDS[number]}</div></td></tr></table>"
    )


def test_a_label_that_each_post_bears_names_nobody() -> None:
    subject = "<div><b>Post subject:</b> Leaking keel</div>"
    posts = posts_on(old_row(0, subject), old_row(1, subject))
    assert [post.author for post in posts] == ["Grumpy", "old_salt"]


def test_a_labelled_number_names_nobody() -> None:
    (post,) = posts_on(
        f"<table><tr><td><span><b>vlad</b></span><br><i>Joined: 13 Nov 2003<br>Posts: 182</i></td><td><table>"
        f"<tr><td><i>Posted: Thu Jun 01, 2006 9:10 pm</i></td></tr><tr><td><p>{WORDS[0]}</p></td></tr></table>"
        "</td></tr></table>"
    )
    assert post.author == "vlad"


def test_a_best_answer_that_is_shown_once_more_above_is_one_post() -> None:
    best = answer(2).replace(" id='answer-52'", "").replace("href='/u/2' ", "")
    posts = posts_on(best, *map(answer, range(4)))
    assert sorted(post.text for post in posts) == sorted(WORDS)
