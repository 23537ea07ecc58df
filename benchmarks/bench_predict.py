"""How fast prediction is: learning from 300 threads, and predicting for 10,000.

python benchmarks/bench_predict.py [NAMES]      of all predictors, or of those named by commas
"""

from __future__ import annotations

import sys
import time

import numpy as np

from thrawl.refresh.predictors.posts import ThreadPosts, thread_posts
from thrawl.refresh.predictors.registry import MODELS, parse_models
from thrawl.refresh.predictors.words import WordReader

TRAINED, PREDICTED = 300, 10_000
# The mean of the long threads of real forums.
POSTS = 200
WORDS_A_POST = 85
WORDS = 30_000


def made_up(key: int, draw: np.random.Generator, vocabulary: list[str]) -> ThreadPosts:
    """A thread of bursts, whose words have the frequencies of a language."""
    gaps = np.where(draw.random(POSTS) < 0.8, draw.exponential(1800, POSTS), draw.exponential(200_000, POSTS))
    places = np.minimum(draw.zipf(1.3, (POSTS, WORDS_A_POST)) - 1, WORDS - 1)
    texts = [" ".join(vocabulary[place] for place in row) for row in places.tolist()]
    return thread_posts(key, 1e9 + np.cumsum(gaps), draw.integers(0, 20, POSTS), texts=texts)


def vocabulary(draw: np.random.Generator) -> list[str]:
    letters = np.array(list("aeiourstlnmdkpgb"))
    return ["".join(draw.choice(letters, 3 + place % 6)) for place in range(WORDS)]


def main(names: list[str]) -> None:
    draw = np.random.default_rng(1)
    words = vocabulary(draw)
    threads = [made_up(key, draw, words) for key in range(TRAINED)]
    visible = [threads[place % TRAINED].first(40 + place % (POSTS - 40)) for place in range(PREDICTED)]
    reader = WordReader()
    for thread in threads:
        for text in thread.texts:
            reader.read(text)
    for name in names:
        began, cpu = time.perf_counter(), time.process_time()
        predictor = MODELS[name].make(reader, 0).fit(threads)
        learned, learned_cpu = time.perf_counter() - began, time.process_time() - cpu
        began, cpu = time.perf_counter(), time.process_time()
        predictor.predict(visible)
        told, told_cpu = time.perf_counter() - began, time.process_time() - cpu
        print(
            f"{name}: learning from {TRAINED} threads {learned:.1f} s ({learned_cpu:.1f} s CPU), "
            f"predicting {PREDICTED:,} threads {told:.2f} s ({told_cpu:.2f} s CPU)",
            flush=True,
        )


if __name__ == "__main__":
    main(parse_models(sys.argv[1] if len(sys.argv) > 1 else ",".join(MODELS)))
