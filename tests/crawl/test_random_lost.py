"""Random forums that were once not crawled whole, each by its seed and by what lost it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.crawl.randomforum import crawled

from thrawl.lab.bench.forums import Order


@pytest.mark.parametrize(
    ("seed", "lost_by"),
    [
        (111040, "links to the next thread, whose title alone would tell threads apart"),
        (111045, "a tree whose answers add a number before the ending of a file"),
        (130017, "first posts alone among the pages that were learned from, and rows that tell of no replies"),
        (111072, "months that look like threads, before lists with opaque pagers"),
        (171020, "tags whose addresses differ from those of threads in a word before a hyphen"),
        (700033, "opening posts that were cut once more, without their numbers"),
        (825073, "letters that were read again with their numbers, and kept twice"),
        (825091, "threads that are counted within each board, where one board has a single one"),
        (850182, "pages of threads that are counted from nought, where those of lists are counted from one"),
        (862101, "the pager of a thread that was learned as that of the entry's list"),
        (860085, "a board on a page of the entry's list that learning looked at and left"),
        (871060, "threads that lead to the address of what was taken for a list"),
        (920187, "posts of one line, where what follows the first break was taken for the mark of a post"),
        (880009, "threads that were followed before a pattern explained them, and that no profile was believed for"),
        (880025, "print views that differ from threads in the program's word before a title and a number"),
        (880031, "threads below the month of the first page alone"),
        (880068, "the pager of a thread that rows lead to by a redirect, taken for that of the entry"),
        (883035, "months of a thread each, which only boards without a thread lead to"),
        (883089, "a menu at the root of the site beside first posts that have another address than answers"),
        (883115, "posts between rules, whose buttons were taken for the words of the next one"),
        (883161, "names and words in turns, parted once before a name and once before the words"),
        (883205, "parts, boards and months, one behind the other, where the first looks showed a single thread"),
        (883076, "answers of a tree whose addresses add what further pages of boards add to theirs"),
        (883308, "first posts that were taken for lists of their few answers, which learning met"),
        (883306, "an answer as start page, forgotten where the site was seen from its home"),
        (883233, "a page taken for one post, for the number of a link beside the thread's title"),
        (883396, "answers of a tree whose addresses change with every answer"),
        (883174, "words in colour taken for names, where posts show no time and nothing but links a number"),
        (883430, "threads whose own address is their last page, at which their pagers lead on"),
        (883493, "months of a board that were counted as its pages"),
        (883604, "print views of which no page is linked but on the threads that they show"),
        (883805, "an entry page, the only list, that leads on by words that nobody knows and ends after three pages"),
        (883806, "further pages of threads, of which a pattern of lists with fewer words was a better one"),
        (885114, "two boards that are named by one word each, and ways to last posts as the entry's pager"),
        (81332, "pages that were read as one post before the profile was mended, and as several after that"),
        (885026, "similar topics of first posts, which look like a tree as long as nobody asks what lists show"),
        (885175, "posts without times, the quotations in which have some"),
        (885195, "boards on pages in reserve, of which the first ones led to what learning had found by them"),
        (885023, "a rank that all have, taken for who wrote all threads, where posts name nobody"),
        (885235, "tags that combine without end, behind each of which learning looked as long as it might"),
        (885312, "later pages of the entry, the only list, that were met as lists and so stood against its pager"),
        (885480, "a second page that was asked for once more as if it were the first, whose posts went"),
        (160025, "months behind boards that show nothing else, beside a page of the newest threads"),
    ],
)
async def test_a_forum_that_was_lost_once_is_whole(seed: int, lost_by: str, tmp_path: Path) -> None:
    complete, scores = await crawled(Order(seed, ()).site(), tmp_path / "forum.db")
    assert (complete, scores.coverage, scores.precision, scores.recall) == (True, 1.0, 1.0, 1.0), lost_by
