"""Post bodies as HTML: each skin has its own way to mark up paragraphs, quotes and code."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final

from thrawl.lab.content import Block, Code, Items, Link, Paragraph, Picture, Quotation


@dataclass(frozen=True, slots=True)
class BodyLooks:
    """Templates with `{text}` and, in quotes, `{author}` and `{post}`."""

    paragraph: str = "<p>{text}</p>"
    items: str = "<ul>{text}</ul>"
    item: str = "<li>{text}</li>"
    code: str = "<pre><code>{text}</code></pre>"
    link: str = '<p><a href="{url}" rel="nofollow">{text}</a></p>'
    picture: str = '<p><img src="{url}" alt="{text}"></p>'
    quote: str = "<blockquote><cite>{author}</cite><p>{text}</p></blockquote>"


PLAIN: Final = BodyLooks()
# --- old software: line breaks instead of paragraphs
BREAKS: Final = BodyLooks(
    paragraph="{text}<br>\n<br>\n",
    link='<a href="{url}" target="_blank">{text}</a><br>\n<br>\n',
    picture='<img src="{url}" border="0" alt="{text}"><br>\n<br>\n',
)


def body_html(body: tuple[Block, ...], looks: BodyLooks) -> str:
    return "".join(block_html(block, looks) for block in body)


def block_html(block: Block, looks: BodyLooks) -> str:
    match block:
        case Paragraph(text):
            return looks.paragraph.format(text=escape(text))
        case Items(items):
            return looks.items.format(text="".join(looks.item.format(text=escape(item)) for item in items))
        case Code(text):
            return looks.code.format(text=escape(text))
        case Link(text, url):
            return looks.link.format(text=escape(text), url=escape(url))
        case Picture(url, alt):
            return looks.picture.format(text=escape(alt), url=escape(url))
        case Quotation(author, post_id, text):
            return looks.quote.format(author=escape(author), post=post_id, text=escape(text))
