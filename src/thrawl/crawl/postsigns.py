"""What posts say of themselves: signs that pages were read wrong, although all of them were fetched.

Each sign is one function on the facts, and `read_wrong` lists them. None knows a word or a layout: people write in
several threads and answer each other, say a thing once, and are named where they wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from thrawl.archive.facts import Facts
from thrawl.crawl.missing import FEW, NOTICED, Missing

_FEW_POSTS: Final = 5  # posts without which authors say nothing
_LONELY: Final = 12  # threads of one post, and no other thread; on forums two of five are such
_ONE_AUTHOR: Final = 0.95  # of all posts; who writes that much of a forum is its template
_ALIKE: Final = 0.2  # of the thread pages that may say the same; a thread of 15 posts has as many addresses at most
_REPEATING: Final = 0.2  # of the threads of several pages; a post sent twice makes two pages of a tree the same
_UNHEARD: Final = 0.2  # of the people named; those renamed since, or quoted from elsewhere, are one in ten
_TWICE: Final = 0.02  # of all posts; hardly one in a hundred is sent to two boards
_MANY_POSTS: Final = 10  # posts with a common beginning or end; a few people have words that they always use
_FRAMED: Final = 0.2  # of the posts; a greeting that everybody uses has not as many letters
_OVERFULL: Final = 0.6  # of the threads that have one and the same number of posts too many


def read_wrong(facts: Facts, entry: str) -> Iterator[Missing]:
    """All signs that what was archived is not what people wrote."""
    for sign in (_people, _repeating, _unheard, _twice, _framed, _unread, _profiles, _overfull):
        yield from sign(facts, entry)


def _people(facts: Facts, entry: str) -> Iterator[Missing]:
    """Posts that are hardly those of a forum: none, all by one person, all without answers, the same on many pages."""
    if not facts.posts:
        yield Missing(entry, "posts", None, 0, "no post was found at all")
    lonely = dict(facts.lengths).get(1, 0)
    told = sum(replies for _, _, replies in facts.replies)
    if lonely == facts.threads_with_posts > 0 and (lonely >= _LONELY or told > lonely > FEW):
        yield Missing(entry, "replies", None, None, f"each of {lonely} threads has one post and no reply")
    if facts.posts >= _FEW_POSTS and facts.by_one_author > _ONE_AUTHOR * facts.posts:
        why = f"{facts.by_one_author} of {facts.posts} posts have one and the same author"
        yield Missing(entry, "posts by other people", None, None, why)
    if facts.alike > max(FEW, _ALIKE * facts.thread_pages):
        why = f"{facts.alike} of {facts.thread_pages} thread pages say the same"
        yield Missing(entry, "threads of their own", None, None, why)


def _unheard(facts: Facts, entry: str) -> Iterator[Missing]:
    """Threads whose author, last writer or quoted people wrote none of their posts: these posts were not read."""
    told = (("rows of threads name", facts.row_voices), ("posts of a thread quote", facts.quote_voices))
    for how, voices in told:
        if voices.unheard > max(FEW, _UNHEARD * voices.named):
            why = f"of {voices.named} people that {how}, {voices.unheard} wrote no post that is archived there"
            yield Missing(entry, "posts", None, None, why)


def _repeating(facts: Facts, entry: str) -> Iterator[Missing]:
    """Threads that show the same under several numbers: what stands on the pages meant is not shown at all."""
    if facts.repeating > _REPEATING * facts.long_threads:
        why = f"the site shows the same posts on several of the pages of {facts.repeating} threads"
        yield Missing(entry, "further pages of long threads", None, None, why)


def _twice(facts: Facts, entry: str) -> Iterator[Missing]:
    """Posts that stand in two threads, in the same words and by the same person: one thread was taken for several."""
    twice = facts.wordings.twice
    if twice > max(FEW, _TWICE * facts.posts):
        why = f"{twice} of {facts.posts} archived posts stand in another thread, too"
        yield Missing(entry, "posts, each once", None, None, why)


def _framed(facts: Facts, entry: str) -> Iterator[Missing]:
    """Posts that begin or end with the same words: what stands around them was read as a part of them."""
    told = facts.wordings
    for how, phrase in (("begin", told.beginning), ("end", told.end)):
        if phrase.posts > max(_MANY_POSTS, _FRAMED * told.looked_at):
            words = " ".join(phrase.words.split())
            why = f"{phrase.posts} of {told.looked_at} archived posts {how} with the same words ({words})"
            yield Missing(entry, "posts as they were written", None, None, why)
            return


def _unread(facts: Facts, entry: str) -> Iterator[Missing]:
    """Words of thread pages that no other page shows, and that stand in no post."""
    if facts.unread > NOTICED * (facts.read + facts.unread):
        share = 100 * facts.unread // (facts.read + facts.unread)
        why = f"{share} % of the running text that thread pages show, each by itself, stands in no archived post"
        yield Missing(entry, "posts", None, None, why)


def _profiles(facts: Facts, entry: str) -> Iterator[Missing]:
    """Threads that are the pages of people: what stands there was written elsewhere, or is no post."""
    if len(facts.people) > max(FEW, NOTICED * facts.threads):
        why = f"pages of people were taken for threads, as {facts.people[0]}"
        yield Missing(entry, "threads that are threads", None, None, why)


def _overfull(facts: Facts, entry: str) -> Iterator[Missing]:
    """Threads that all have the same few posts more than their rows count: something else was read as a post."""
    threads = sum(number for _, number, _ in facts.replies)
    number, difference = max(((number, difference) for difference, number, _ in facts.replies), default=(0, 0))
    if difference > 1 and number > max(_FEW_POSTS, _OVERFULL * threads):
        why = f"{number} of {threads} threads have {difference - 1} more posts than their rows count, each"
        yield Missing(entry, "posts, each once", None, None, why)
