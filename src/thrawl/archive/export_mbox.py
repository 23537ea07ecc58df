"""mbox: every thread a mail thread, for the readers of mail.

A post's Message-ID comes from its thread's URL and its identity, so it is the same in every export. A post answers
the one it replies to; where the site shows none, the thread's first. Quotes stand before the words, as mail does it.
"""

from __future__ import annotations

import re
from binascii import b2a_qp
from collections.abc import Iterator
from email.header import Header
from email.utils import format_datetime, formataddr
from hashlib import blake2b
from typing import BinaryIO, Final
from urllib.parse import urlsplit

from thrawl.archive.values import StoredPost

_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]+")
_FROM: Final = re.compile(rb"^From ", flags=re.MULTILINE)
_HEADER_CHARS: Final = 500  # a header line may have 998 bytes
_FIXED: Final = (
    ("MIME-Version", "1.0"),
    ("Content-Type", 'text/plain; charset="utf-8"'),
    ("Content-Transfer-Encoding", "quoted-printable"),
)


def write_mbox(posts: Iterator[StoredPost], out: BinaryIO) -> int:
    count, thread, root = 0, None, ""
    for post in posts:
        if post.thread_id != thread:
            thread, root = post.thread_id, message_id(post, post.identity)
        out.write(_separator(post) + mail(post, root) + b"\n")
        count += 1
    return count


def message_id(post: StoredPost, identity: str) -> str:
    """The stable Message-ID of a post of this post's thread."""
    digest = blake2b(f"{post.thread_url}\0{identity}".encode("utf-8", "replace"), digest_size=12).hexdigest()
    return f"<{digest}@{_domain(post)}>"


def mail(post: StoredPost, root: str) -> bytes:
    """One mail. Written by hand: the standard library's messages take a millisecond each."""
    lines = "".join(f"{name}: {value}\n" for name, value in (*_headers(post, root), *_FIXED))
    # Quoted-printable keeps lines short and letters safe; a line that begins like a separator is told apart, too.
    body = _FROM.sub(b"=46rom ", b2a_qp(_body(post).encode("utf-8", "replace"), istext=True))
    return lines.encode("ascii", "replace") + b"\n" + body


def _headers(post: StoredPost, root: str) -> Iterator[tuple[str, str]]:
    own = message_id(post, post.identity)
    parent = message_id(post, f"#{post.reply_to}") if post.reply_to else root
    yield "Message-ID", own
    if parent != own:
        yield "In-Reply-To", parent
        yield "References", " ".join(dict.fromkeys([root, parent]))
    yield "From", formataddr((_one_line(post.author or "unknown"), f"{_mailbox(post)}@{_domain(post)}"))
    yield "Subject", _header(post.thread_title or post.thread_url)
    if post.published is not None:
        yield "Date", format_datetime(post.published)  # -0000 where the zone is not known, as RFC 5322 has it
    yield "X-Thrawl-URL", _header(post.post_url or post.thread_url)
    yield "X-Thrawl-Board", _header(" > ".join(post.board))


def _body(post: StoredPost) -> str:
    quoted = []
    for quote in post.quotes:
        lines = "\n".join(f"> {line}" for line in quote.text.splitlines())
        quoted.append(f"{quote.author} wrote:\n{lines}\n" if quote.author else f"{lines}\n")
    return "\n".join([*quoted, post.text]) + "\n"


def _separator(post: StoredPost) -> bytes:
    return f"From thrawl {post.fetched.strftime('%a %b %d %H:%M:%S %Y')}\n".encode()


def _one_line(text: str) -> str:
    """A header is one line: a title must not be able to add another."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())[:_HEADER_CHARS]


def _header(text: str) -> str:
    line = _one_line(text)
    return line if line.isascii() else Header(line, "utf-8").encode()


def _mailbox(post: StoredPost) -> str:
    name = re.sub(r"[^a-z0-9]+", ".", (post.author or "unknown").lower()).strip(".")[:40]
    return name or blake2b((post.author or "").encode("utf-8", "replace"), digest_size=4).hexdigest()


def _domain(post: StoredPost) -> str:
    """Addresses end in .invalid: nobody is meant to write to them."""
    host = urlsplit(post.forum).hostname or "forum"
    return re.sub(r"[^a-z0-9.-]+", "-", host.lower()).strip(".-") + ".invalid"
