"""The words of a post as HTML: paragraphs or breaks, several forms of quotes and code, and plain mail."""

from __future__ import annotations

from html import escape
from typing import Final

from thrawl.lab.content import Block, Code, Items, Link, Paragraph, Picture, Quotation
from thrawl.lab.random.paint import Paint
from thrawl.lab.random.timing import written
from thrawl.lab.skins.bodies import BodyLooks, block_html
from thrawl.lab.world import Post

_INLINE: Final = {
    "colour": ('<font color="#b00000">', "</font>"),
    "links": ('<a href="https://example.org/word">', "</a>"),
    "bold": ("<b>", "</b>"),
}


def body_html(paint: Paint, post: Post) -> str:
    """The body, without an element of its own around it."""
    if paint.choices.body == "mail":
        return "\n".join(escape(_mail(block)) for block in post.body)
    looks = _looks(paint)
    return "".join(_block(paint, block, looks) for block in post.body)


def _block(paint: Paint, block: Block, looks: BodyLooks) -> str:
    match block:
        case Quotation():
            return _quotation(paint, block)
        case Items(items) if paint.choices.items == "bold":
            # Lists of bold labels look like a list of records with names.
            parted = (item.partition(" ") for item in items)
            return "".join(f"<div><b>{escape(first)}</b>{gap}{escape(rest)}</div>" for first, gap, rest in parted)
        case Paragraph(text) if paint.choices.inline != "none":
            return looks.paragraph.format(text="{text}").replace("{text}", _decorated(paint, text))
    return block_html(block, looks)


def _decorated(paint: Paint, text: str) -> str:
    """A paragraph in which some words are coloured, bold or linked, as people and software do."""
    words = text.split(" ")
    chosen = paint.random(f"inline/{text}").randrange(len(words))
    opening, closing = _INLINE[paint.choices.inline]
    drawn = [
        f"{opening}{escape(word)}{closing}" if place == chosen else escape(word) for place, word in enumerate(words)
    ]
    return " ".join(drawn)


def _looks(paint: Paint) -> BodyLooks:
    code = "<pre><code>{text}</code></pre>"
    if paint.choices.code == "box":
        head = escape(paint.wording.code)
        code = f"<div{paint.css('code')}><div{paint.css('code-head')}>{head}</div><pre>{{text}}</pre></div>"
    if paint.choices.body == "breaks":
        return BodyLooks(
            paragraph="{text}<br>\n<br>\n",
            link='<a href="{url}">{text}</a><br>\n',
            picture='<img src="{url}" alt="{text}"><br>\n',
            code=code,
        )
    return BodyLooks(code=code)


def _quotation(paint: Paint, quoted: Quotation) -> str:
    author, text, css = escape(quoted.author), escape(quoted.text), paint.css
    said = f"{author} {paint.language.wrote}:"
    match paint.choices.quotes:
        case "wrote":
            return f"<div{css('quote')}><div{css('quoted')}>{said}</div><div>{text}</div></div>"
        case "table":
            return f"<table{css('quote')}><tr><td><b>{said}</b></td></tr><tr><td>{text}</td></tr></table>"
        case "legend":
            return f"<fieldset{css('quote')}><legend>{said}</legend>{text}</fieldset>"
        case "dated":
            answered = paint.plan.view.post(quoted.post_id, words=False)
            moment = paint.plan.view.moment
            day = written(paint.choices.time_format, paint.language, answered.time, moment) if answered else ""
            return f"<blockquote{css('quote')}><p><b>{author}</b>, {escape(day)}:</p><p>{text}</p></blockquote>"
    return f"<blockquote{css('quote')}><cite>{said}</cite><p>{text}</p></blockquote>"


def _mail(block: Block) -> str:
    match block:
        case Quotation(author, _, text):
            return f"{author} wrote:\n> {text}\n"
        case Paragraph(text) | Code(text):
            return f"{text}\n"
        case Items(items):
            return "".join(f"{item}\n" for item in items)
        case Link(text, _):
            return f"{text}\n"
        case Picture():
            return ""
