"""Measuring what was read of a page, and training on it."""

from __future__ import annotations

from dataclasses import replace

from thrawl.lab.training.postscore import judge, summarise_pages
from thrawl.lab.training.recordmodel import Tried, TriedAuthor, draw_from_random, train_model, try_proposals
from thrawl.lab.training.recordtruth import TruePost
from thrawl.page.shown import PostRecord, Quote
from thrawl.profile.folding import fold

WORDS = "The tide was out when we came to the harbour this morning."


def true(words: str, author: str = "Ada") -> TruePost:
    folded = fold(words)
    return TruePost(folded[:30], folded[-30:], 1, len(folded), author)


def read(words: str, author: str | None = "Ada") -> PostRecord:
    return PostRecord(None, None, author, None, None, None, None, words, words)


def test_a_post_with_its_words_and_its_author_is_right() -> None:
    score = judge("f", "u", [true(WORDS)], [read(WORDS)])
    assert score.perfect
    assert (score.authors, score.timed) == (1, 0)


def test_a_post_that_holds_much_more_than_its_words_is_wrong() -> None:
    score = judge("f", "u", [true(WORDS)], [read(WORDS + " " + WORDS[::-1])])
    assert (score.right, score.read, score.perfect) == (0, 1, False)


def test_each_read_post_counts_once() -> None:
    scores = [judge("f", "u", [true(WORDS), true(WORDS)], [read(WORDS), read("Hello", None)])]
    summary = summarise_pages("f", scores)
    assert (summary.precision, summary.recall, summary.perfect) == (0.5, 0.5, 0.0)


def test_a_label_may_count_the_quotation_in() -> None:
    quoting = replace(read("Not at all, it was high."), quotes=(Quote(None, WORDS, None),))
    both = true(WORDS + " Not at all, it was high.")
    assert judge("f", "u", [both], [quoting]).perfect
    assert judge("f", "u", [true("Not at all, it was high.")], [quoting]).perfect


def test_comments_that_no_label_names_are_counted_apart() -> None:
    comment = replace(read("Which harbour?"), depth=1)
    summary = summarise_pages("f", [judge("f", "u", [true(WORDS)], [read(WORDS), comment])])
    assert (summary.precision, summary.outer) == (0.5, 1.0)
    labelled = judge("f", "u", [true(WORDS), true("Which harbour?")], [read(WORDS), comment, comment])
    assert summarise_pages("f", [labelled]).outer == 2 / 3


def test_models_are_trained_on_what_proposals_came_to() -> None:
    tried = [one for draw in draw_from_random(range(4)) for one in try_proposals(draw)]
    records = [one for one in tried if isinstance(one, Tried)]
    model = train_model(records)
    best = max(records, key=lambda one: one.quality)
    worst = min(records, key=lambda one: one.quality)
    assert model.probability(best.evidence) > model.probability(worst.evidence)
    assert any(isinstance(one, TriedAuthor) for one in tried)
