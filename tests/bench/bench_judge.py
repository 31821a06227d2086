"""Verdicts of the rubric a second of computing, on answers new to it, beside a plain search for the names.

    python -m tests.bench.bench_judge [FILE...]    # tests/judges/scored_by_hand, or these files

A run makes a needle set's key once and judges many answers with it. So here: each language is read first
(the answers of ``hand_made`` are judged), then each key (its question, reference, needles and distractors),
and only then, against the clock, each answer, once. The plain search, in the same process, casefolds the
answer and looks for every element's names with one regular expression an element.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from tests.judges.scored_answers import HAND_MADE, SCORED_BY_HAND, scored_answers

SHORT = 60
"""Characters of an ordinary short answer: a line at most."""


def plain_search(key: AnswerKey) -> Callable[[str], int]:
    """How many elements an answer names, to the letter."""
    patterns = [re.compile("|".join(re.escape(name.casefold()) for name in e.names)) for e in key.elements]
    return lambda answer: sum(pattern.search(answer.casefold()) is not None for pattern in patterns)


def make_known(key: AnswerKey) -> None:
    """Have the rubric read a key, as a run's first answers make it do."""
    needles, distractors = (one.text for one in key.needles), (one.text for one in key.distractors)
    for text in (key.question, *key.references, *needles, *distractors):
        judge_by_rubric(text, key)


def seconds_of(judge: Callable[[str], object], answers: Iterable[str]) -> float:
    """Seconds of computing that it takes to judge each answer once."""
    start = time.process_time()
    for answer in answers:
        judge(answer)
    return time.process_time() - start


def main(paths: Sequence[Path]) -> None:
    """Print the table."""
    for one in scored_answers(HAND_MADE):
        judge_by_rubric(one.answer, one.key)
    took: defaultdict[tuple[str, bool], float] = defaultdict(float)
    judged: Counter[bool] = Counter()
    making, keys = 0.0, 0
    for key, group in groupby(scored_answers(paths), key=lambda one: one.key):
        start = time.process_time()
        make_known(key)
        making += time.process_time() - start
        keys += 1
        answers = [one.answer for one in group]
        rubric, plain = partial(judge_by_rubric, key=key), plain_search(key)
        for short in (True, False):
            chosen = [answer for answer in answers if (len(answer) <= SHORT) == short]
            judged[short] += len(chosen)
            took["rubric", short] += seconds_of(rubric, chosen)
            took["plain", short] += seconds_of(plain, chosen)
    print(f"{keys} keys, {1000 * making / keys:.0f} ms each to read one\n")
    print("| answers | number | rubric, a second | plain search, a second | ratio |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, sizes in ((f"up to {SHORT} characters", [True]), ("longer", [False]), ("all", [True, False])):
        number = sum(judged[size] for size in sizes)
        slow, fast = (sum(took[judge, size] for size in sizes) for judge in ("rubric", "plain"))
        print(f"| {name} | {number} | {number / slow:,.0f} | {number / fast:,.0f} | {slow / fast:.0f} |")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]] or SCORED_BY_HAND)
