"""Thread pages of random forums: the parts of a post, and the layouts that hold them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from thrawl.lab.random.bodies import body_html
from thrawl.lab.random.naming import style_name
from thrawl.lab.random.paint import Paint
from thrawl.lab.random.timing import written
from thrawl.lab.skins.nesting import nested_list, outline
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.world import Post, Thread

_DEEPEST: Final = 8
_COLOURS: Final = ("#a33", "#3a3", "#33a", "#a3a")


def posts_html(paint: Paint, thread: Thread, posts: Sequence[Post], *, whole: bool = False) -> str:
    """The posts of a thread page, without what stands around them; a whole thread shows all posts alike."""
    if whole:
        return (_mail if paint.choices.markup == "mail-tree" else _boxes("div", "div"))(paint, thread, posts)
    return _LAYOUTS[paint.choices.markup](paint, thread, posts)


# --- parts of a post


def _author(paint: Paint, post: Post) -> str:
    name = escape(post.author.name)
    match paint.choices.author:
        case "plain":
            shown = f"<span{paint.css('author')}>{name}</span>"
        case "bold":
            shown = f"<b>{name}</b>"
        case "none":
            return ""
        case "label":
            shown = f"<span{paint.css('label')}>{paint.language.name}:</span> {paint.user(post.author, 'author')}"
        case _:
            shown = paint.user(post.author, "author")
    return _avatar(paint, post) + shown


def _avatar(paint: Paint, post: Post) -> str:
    if paint.choices.avatar == "letter":
        colour = _COLOURS[post.author.id % len(_COLOURS)]
        return f'<span{paint.css("avatar")} style="background:{colour}">{escape(post.author.name[0].upper())}</span>'
    if paint.choices.avatar == "picture":
        return f'<img{paint.css("avatar")} src="/i/u{post.author.id}.png" alt="">'
    return ""


def _facts(paint: Paint, post: Post) -> str:
    """What old software tells of a member beside each of his posts."""
    if not paint.choices.rank:
        return ""
    words = paint.language
    total = (post.author.id * 37) % 900 + 3
    return (
        f"<div{paint.css('rank')}>{paint.wording.rank}</div>"
        f"<div{paint.css('facts')}>{words.posts}: {total}<br>{words.joined}: {post.author.joined:%Y}</div>"
    )


def _when(paint: Paint, post: Post) -> str:
    time = paint.when(post.time)
    match paint.choices.number:
        case "hash":
            return f"{time} {_permalink(paint, post, f'#{post.position}')}"
        case "before-time":
            return f"<span{paint.css('stamp')}>#{post.position} - {time}</span> {_permalink(paint, post, '')}"
    return f"{time} {_permalink(paint, post, '&para;')}"


def _permalink(paint: Paint, post: Post, text: str) -> str:
    """A link to the post itself, in one of its forms; where there is none, only its text if it is a number."""
    match paint.choices.permalink:
        case "none":
            return f"<span{paint.css('number')}>{text}</span>" if text.startswith("#") else ""
        case "fragment":
            where = paint.href(paint.plan.home_of(post), paint.anchor(post))
        case _:
            where = paint.href(SitePage("post", post.id), paint.anchor(post))
    return f'<a{paint.css("permalink")} href="{where}">{text or "&para;"}</a>'


def _head(paint: Paint, thread: Thread, post: Post) -> str:
    subject = ""
    if paint.choices.subject:
        subject = f"<span{paint.css('subject')}>{'' if post.position == 1 else 'Re: '}{escape(thread.title)}</span> "
    return subject + _when(paint, post) + _replied_to(paint, post)


def _replied_to(paint: Paint, post: Post) -> str:
    answered = paint.plan.view.post(post.reply_to, words=False) if post.reply_to is not None else None
    if answered is None or paint.choices.reply_to == "none":
        return ""
    name = paint.user(answered.author, "answered") if paint.choices.reply_to == "link" else escape(answered.author.name)
    return f" <span{paint.css('reply-to')}>{paint.wording.in_reply_to} {name}</span>"


def _words(paint: Paint, post: Post) -> str:
    """The body in its element, with what stands below it: edits, signature, likes, buttons."""
    body = f"<div{paint.css('body')}>{body_html(paint, post)}</div>"
    return body + _below(paint, post)


def _below(paint: Paint, post: Post) -> str:
    choices, words = paint.choices, paint.language
    parts = []
    if post.edited is not None and choices.edited:
        when = written(choices.time_format, words, post.edited, paint.plan.view.moment)
        parts.append(f"<div{paint.css('edited')}><i>{words.edited}: {escape(when)}</i></div>")
    if choices.attachments and post.id % 4 == 0:
        name = f"{style_name(choices.seed, str(post.id))}-{post.id}.jpg"
        parts.append(f'<div{paint.css("attached")}><a href="/i/{name}">{name}</a> ({post.id % 90 + 9} kB)</div>')
    signature = paint.plan.world.signature(post.author)
    if signature and choices.signature:
        parts.append(f"<div{paint.css('signature')}>{escape(signature)}</div>")
    if choices.likes and post.id % 3 == 0:
        parts.append(f"<div{paint.css('likes')}>{paint.wording.likes.format(n=post.id % 7 + 2)}</div>")
    if choices.buttons:
        compose = paint.href(SitePage("compose", post.id))
        parts.append(
            f'<div{paint.css("buttons")}><a href="{compose}">{words.quote}</a> '
            f'<a href="{compose}">{words.report}</a></div>'
        )
    return "".join(parts)


def _mark(paint: Paint, post: Post) -> str:
    """The id of a post's element, where it has one."""
    return f' id="{paint.anchor(post)}"' if paint.choices.anchor == "id" else ""


def _named(paint: Paint, post: Post) -> str:
    return f'<a name="{paint.anchor(post)}"></a>' if paint.choices.anchor == "name" else ""


# --- layouts


def _tables(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    """Two rows a post: author and time above, facts and words below."""
    css = paint.css
    rows = "".join(
        f"<tr{_mark(paint, post)}{css('post-head')}><td>{_named(paint, post)}{_author(paint, post)}</td>"
        f"<td>{_head(paint, thread, post)}</td></tr>\n"
        f"<tr{css('post')}><td>{_facts(paint, post)}&nbsp;</td><td>{_words(paint, post)}</td></tr>\n"
        for post in posts
    )
    return f"<table{css('posts')}>{rows}</table>"


def _rows(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    """One row a post: the author's cell and the words' cell."""
    css = paint.css
    rows = "".join(
        f"<tr{_mark(paint, post)}{css('post')}><td{css('left')}>{_named(paint, post)}{_author(paint, post)}"
        f"{_facts(paint, post)}</td><td{css('right')}><div{css('post-head')}>{_head(paint, thread, post)}</div>"
        f"{_words(paint, post)}</td></tr>\n"
        for post in posts
    )
    return f"<table{css('posts')}>{rows}</table>"


def _inner(paint: Paint, thread: Thread, post: Post) -> str:
    return (
        f"{_named(paint, post)}<div{paint.css('post-head')}>{_author(paint, post)} {_head(paint, thread, post)}</div>"
        f"{_facts(paint, post)}{_words(paint, post)}"
    )


def _boxes(outer: str, tag: str) -> Callable[[Paint, Thread, Sequence[Post]], str]:
    """One element a post, in one element for all."""

    def drawn(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
        items = "".join(
            f"<{tag}{_mark(paint, post)}{paint.css('post')}>{_inner(paint, thread, post)}</{tag}>\n" for post in posts
        )
        return f"<{outer}{paint.css('posts')}>{items}</{outer}>"

    return drawn


def _definitions(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    items = "".join(
        f"<dt{_mark(paint, post)}{paint.css('post-head')}>{_named(paint, post)}{_author(paint, post)} "
        f"{_head(paint, thread, post)}</dt><dd{paint.css('post')}>{_words(paint, post)}</dd>\n"
        for post in posts
    )
    return f"<dl{paint.css('posts')}>{items}</dl>"


def _rules(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    """Posts that nothing holds together but the rules between them."""
    return "<hr>\n".join(
        f"{_named(paint, post)}<p{_mark(paint, post)}>{_author(paint, post)} {_head(paint, thread, post)}</p>"
        f"{_words(paint, post)}"
        for post in posts
    )


def _mail(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    """A mail archive: headers and words of each message in one preformatted block."""
    subject = escape(thread.title)
    return "<hr>".join(
        f"<pre{_mark(paint, post)}>From: {escape(post.author.name)}\n"
        f"Date: {paint.when(post.time, '')}\n"
        f"Subject: {'' if post.position == 1 else 'Re: '}{subject}\n\n{body_html(paint, post)}</pre>\n"
        for post in posts
    )


def _nested(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    """A tree of comments, each inside the one that it answers."""
    items = (
        (f"<li{_mark(paint, post)}{paint.css('post')}>{_inner(paint, thread, post)}", depth)
        for post, depth in outline(posts, _DEEPEST)
    )
    return nested_list(items, "ul")


def _opened(paint: Paint, thread: Thread, post: Post) -> str:
    """A first post with markup of its own: the words first, then who wrote them."""
    return (
        f"<div{paint.css('opening')}{_mark(paint, post)}>{_words(paint, post)}"
        f"<p{paint.css('byline')}>{_author(paint, post)} {_when(paint, post)}</p></div>\n"
    )


def _opening(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    first = "".join(_opened(paint, thread, post) for post in posts if post.position == 1)
    rest = [post for post in posts if post.position > 1]
    return first + (_boxes("div", "div")(paint, thread, rest) if rest else "")


def _answers(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    """A question, how many answers it has, and the answers."""
    number = paint.plan.view.size(thread.id) - 1
    heading = f"<h2{paint.css('answered')}>{paint.wording.answers.format(n=number)}</h2>"
    return _opened(paint, thread, posts[0]) + heading + _boxes("div", "div")(paint, thread, posts[1:])


def _inside(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    """Replies inside the element of the first post."""
    replies = "".join(
        f"<div{_mark(paint, post)}{paint.css('reply')}>{_inner(paint, thread, post)}</div>\n" for post in posts[1:]
    )
    first = posts[0]
    inner = f"{_inner(paint, thread, first)}<div{paint.css('replies')}>{replies}</div>"
    return f"<div{_mark(paint, first)}{paint.css('post')}>{inner}</div>"


def _tree(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    """One post in full, and the titles of all posts of its thread as a tree."""
    shown = f"<div{paint.css('post')}>{_inner(paint, thread, posts[0])}</div>"
    return shown + titles(paint, thread, posts[0])


def _mail_tree(paint: Paint, thread: Thread, posts: Sequence[Post]) -> str:
    return _mail(paint, thread, posts) + titles(paint, thread, posts[0])


def titles(paint: Paint, thread: Thread, here: Post | None) -> str:
    """The posts of a thread as a tree of titles; the one that is shown is no link."""
    items = []
    for post, depth in outline(paint.plan.posts(thread.id), _DEEPEST):
        title = escape(thread.title if post.position == 1 else f"Re: {thread.title}")
        where = paint.href(SitePage("thread", thread.id, post.position))
        shown = f"<b>{title}</b>" if post is here or (here and post.id == here.id) else f'<a href="{where}">{title}</a>'
        items.append((f"<li>{shown} - {escape(post.author.name)} {paint.when(post.time, 'tree-when')}", depth))
    whole = SitePage("thread", thread.id, form="whole")
    link = f"<p>{paint.link(whole, paint.wording.whole)}</p>" if here and paint.choices.whole else ""
    return f"<div{paint.css('tree')}>{nested_list(items, 'ul')}{link}</div>"


_LAYOUTS: Final[dict[str, Callable[[Paint, Thread, Sequence[Post]], str]]] = {
    "tables": _tables,
    "rows": _rows,
    "divs": _boxes("div", "div"),
    "articles": _boxes("section", "article"),
    "lists": _boxes("ol", "li"),
    "definitions": _definitions,
    "rules": _rules,
    "mail": _mail,
    "nested": _nested,
    "opening": _opening,
    "answers": _answers,
    "inside": _inside,
    "tree": _tree,
    "mail-tree": _mail_tree,
}
