"""Small forum pages of several families of layouts, written for these tests."""

from __future__ import annotations

WORDS = (
    "I have been looking at the old bridge for a while and think that it needs new planks",
    "That is true, but the council will never pay for it as long as the road is open",
    "We could ask the railway club, they have wood from the station that nobody wants",
    "Last summer we did the same with the boat house and it took four weekends in all",
    "Bring gloves and a long saw, the nails are rusty and the wood is harder than it looks",
)
NAMES = ("anna", "bertil", "anna", "cecilia", "bertil")


def div_thread(count: int = 4, *, ads: bool = False, content: tuple[str, ...] = WORDS) -> str:
    """A modern layout: one div a post, the odd and the even ones of different looks."""
    posts = []
    for number in range(count):
        posts.append(
            f'<div class="entry {"odd" if number % 2 else "even"}" id="e{100 + number}">'
            f'<div class="who"><a href="/people/{NAMES[number % 5]}">{NAMES[number % 5]}</a></div>'
            f'<div class="when">{number + 3} May 2021, 1{number % 10}:05</div>'
            f'<div class="words">{content[number % len(content)]}</div>'
            f'<div class="tools"><a href="/reply?to={100 + number}">Reply</a></div></div>'
        )
        if ads and number % 2:
            posts.append('<div class="banner"><a href="https://ads.example/x">Buy planks now</a></div>')
    return page("".join(posts), title="The old bridge")


def table_thread(count: int = 4) -> str:
    """An old layout: three table rows a post, without a class, under a row of headings."""
    rows = ["<tr><th>Author</th><th>Message</th></tr>"]
    for number in range(count):
        rows.append(
            f'<tr><td><b><a href="user.cgi?u={NAMES[number % 5]}">{NAMES[number % 5]}</a></b></td>'
            f"<td><small>Posted: 2021-05-0{number + 1} 10:0{number}</small></td></tr>"
            f'<tr><td colspan="2">{WORDS[number % 5]}</td></tr>'
            '<tr><td colspan="2"><img src="line.gif" alt=""></td></tr>'
        )
    return page(f"<table>{''.join(rows)}</table>", title="The old bridge")


def board(count: int = 6) -> str:
    """A board as a table of threads: title, author, replies, last post; newest first."""
    rows = []
    for number in range(count):
        rows.append(
            f'<tr class="row{number % 2}">'
            f'<td><a href="/t/{number}">Question {number} about {WORDS[number % 5][:24]}</a></td>'
            f'<td><a href="/people/{NAMES[number % 5]}">{NAMES[number % 5]}</a></td><td>{number * 3}</td>'
            f"<td>2021-05-{28 - number:02} 18:00</td></tr>"
        )
    return page(f'<table class="threads"><tbody>{"".join(rows)}</tbody></table>', title="Bridges")


def nested_comments() -> str:
    """Comments inside comments, three levels deep."""

    def comment(number: int, replies: str) -> str:
        return (
            f'<li id="c{number}"><div class="own"><a href="/people/{NAMES[number]}">{NAMES[number]}</a>'
            f'<time datetime="2021-05-0{number + 1}T10:00:00Z">May {number + 1}</time><p>{WORDS[number]}</p></div>'
            f"{f'<ul>{replies}</ul>' if replies else ''}</li>"
        )

    return page(f"<ol>{comment(0, comment(1, comment(2, '')))}{comment(3, '')}</ol>", title="The old bridge")


def question() -> str:
    """A question above its answers, in a look of its own."""
    answers = "".join(
        f'<div class="answer" id="a{number}"><p>{WORDS[number]}</p><span class="meta">answered '
        f'<time datetime="2021-05-0{number + 1}T10:00:00Z">May {number + 1}</time> by '
        f'<a href="/people/{NAMES[number]}">{NAMES[number]}</a></span></div>'
        for number in range(1, 4)
    )
    asked = (
        f'<div class="question" id="q7"><div class="text">{WORDS[0]}</div><em>asked <time datetime="2021-05-01T09:00Z">'
        f'May 1</time> by <a href="/people/anna">anna</a></em></div>'
    )
    return page(f'{asked}<div class="answers">{answers}</div>', title="Who pays for planks?")


def page(content: str, *, title: str) -> str:
    """The furniture around the content: a menu, a trail, a pager, a footer."""
    return (
        f"<!doctype html><html><head><title>{title} - Village forum</title></head><body>"
        '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/search">Search</a></li>'
        '<li><a href="/login">Log in</a></li></ul>'
        f'<p class="trail"><a href="/">Village forum</a> &gt; <a href="/b/1">Bridges</a></p><h1>{title}</h1>'
        f'<div class="content">{content}</div>'
        '<div class="pages"><a href="?page=2">2</a> <a href="?page=3">3</a> <a href="?page=2">Next</a></div>'
        "<footer>Village forum, run by volunteers</footer></body></html>"
    )
