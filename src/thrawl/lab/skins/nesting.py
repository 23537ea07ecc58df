"""Replies below what they answer: posts as an outline, and outlines as nested lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from thrawl.lab.world import Post


def outline(posts: Sequence[Post], deepest: int) -> Iterator[tuple[Post, int]]:
    """Each post with its depth, straight after the post that it answers where that is among them."""
    here = {post.id for post in posts}
    answers: dict[int | None, list[Post]] = {}
    for post in posts:
        answers.setdefault(post.reply_to if post.reply_to in here else None, []).append(post)
    stack = [(post, 0) for post in reversed(answers.get(None, []))]
    while stack:
        post, depth = stack.pop()
        yield post, depth
        below = min(depth + 1, deepest)
        stack.extend((answer, below) for answer in reversed(answers.get(post.id, [])))


def nested_list(items: Iterable[tuple[str, int]], tag: str) -> str:
    """Items with their depths, each an opened and not yet closed `<li>`, as lists within lists."""
    parts: list[str] = []
    level = -1
    for item, depth in items:
        parts.append(f"<{tag}>" if depth > level else "</li>" + f"</{tag}></li>" * (level - depth))
        parts.append(item)
        level = depth
    return "".join(parts) + f"</li></{tag}>" * (level + 1)
