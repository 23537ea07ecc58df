"""mbox: every thread a mail thread, for the readers of mail.

A post's Message-ID comes from its thread's URL and its identity, so it is the same in every export. A post answers
the one it replies to; where the site shows none, the thread's first. Quotes stand before the words, as mail does it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC
from email.generator import BytesGenerator
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTPUTF8
from email.utils import format_datetime
from hashlib import blake2b
from io import BytesIO
from typing import BinaryIO, Final
from urllib.parse import urlsplit

from thrawl.archive.values import StoredPost

# Quoted-printable keeps any line short and any letter safe; "From " at a line's start is quoted.
_POLICY: Final = SMTPUTF8.clone(linesep="\n", cte_type="7bit", mangle_from_=True, utf8=False)
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff\x85\u2028\u2029]+")
_HEADER_CHARS: Final = 500


def write_mbox(posts: Iterator[StoredPost], out: BinaryIO) -> int:
    count, thread, root = 0, None, ""
    for post in posts:
        if post.thread_id != thread:
            thread, root = post.thread_id, message_id(post, post.identity)
        out.write(_separator(post) + _flat(mail(post, root)) + b"\n")
        count += 1
    return count


def message_id(post: StoredPost, identity: str) -> str:
    """The stable Message-ID of a post of this post's thread."""
    digest = blake2b(f"{post.thread_url}\0{identity}".encode("utf-8", "replace"), digest_size=12).hexdigest()
    return f"<{digest}@{_domain(post)}>"


def mail(post: StoredPost, root: str) -> EmailMessage:
    message = EmailMessage(policy=_POLICY)
    own = message_id(post, post.identity)
    parent = message_id(post, f"#{post.reply_to}") if post.reply_to else root
    message["Message-ID"] = own
    if parent != own:
        message["In-Reply-To"] = parent
        message["References"] = " ".join(dict.fromkeys([root, parent]))
    message["From"] = Address(_header(post.author or "unknown"), _mailbox(post), _domain(post))
    message["Subject"] = _header(post.thread_title or post.thread_url)
    if post.published is not None:
        message["Date"] = format_datetime(post.published.replace(tzinfo=post.published.tzinfo or UTC))
    message["X-Thrawl-URL"] = _header(post.post_url or post.thread_url)
    message["X-Thrawl-Board"] = _header(" > ".join(post.board))
    message.set_content(_body(post), cte="quoted-printable")
    return message


def _body(post: StoredPost) -> str:
    quoted = []
    for quote in post.quotes:
        lines = "\n".join(f"> {line}" for line in quote.text.splitlines())
        quoted.append(f"{quote.author} wrote:\n{lines}\n" if quote.author else f"{lines}\n")
    return "\n".join([*quoted, post.text]).encode("utf-8", "replace").decode() + "\n"


def _flat(message: EmailMessage) -> bytes:
    out = BytesIO()
    BytesGenerator(out, mangle_from_=True, policy=_POLICY).flatten(message)
    return out.getvalue()


def _separator(post: StoredPost) -> bytes:
    return f"From thrawl {post.fetched.strftime('%a %b %d %H:%M:%S %Y')}\n".encode()


def _header(text: str) -> str:
    """A header is one line: a title must not be able to add another."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())[:_HEADER_CHARS]


def _mailbox(post: StoredPost) -> str:
    name = re.sub(r"[^a-z0-9]+", ".", (post.author or "unknown").lower()).strip(".")[:40]
    return name or blake2b((post.author or "").encode("utf-8", "replace"), digest_size=4).hexdigest()


def _domain(post: StoredPost) -> str:
    """Addresses end in .invalid: nobody is meant to write to them."""
    host = urlsplit(post.forum).hostname or "forum"
    return re.sub(r"[^a-z0-9.-]+", "-", host.lower()).strip(".-") + ".invalid"
