"""What a set of thousands of needles takes: to draw, check, build, audit and judge.

``python tests/bench/bench_needles.py``. Each step should take about as many times longer as there are more
needles.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[2]))

from niah.cases.assembly.assembly import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.cases.samples import key_of
from niah.judges.rubric import judge_by_rubric
from niah.needles.checks import check_needle_set
from niah.needles.families.draw import draw_needle_set
from niah.text.tokenizer import get_tokenizer

_Result = TypeVar("_Result")

SIZES = (1000, 5000)
# Tokens of a context for each needle: room for whole sentences between two of them.
TOKENS_PER_NEEDLE = 200


def timed(what: str, step: Callable[[], _Result]) -> _Result:
    """Print the processor time that a step takes."""
    start = time.process_time()
    result = step()
    print(f"    {what:24} {time.process_time() - start:7.2f} s", flush=True)
    return result


def measure(family: str, k: int, case: Case) -> None:
    """Every step of one set."""
    print(f"{family}@{k}, context of {case.context_length:,} tokens")
    path, needle_set = timed("draw", lambda: draw_needle_set(family, k, 1))
    timed("check", lambda: check_needle_set(path, needle_set))
    timed("build", lambda: build_context(case))
    context = timed("build again", lambda: build_context(case))
    timed("audit", lambda: audit_context(case, context))
    key = key_of(case.needle_set, 1)
    timed("judge, the first time", lambda: judge_by_rubric(key.answer, key))
    timed("judge a full answer", lambda: judge_by_rubric(key.answer, key))
    timed("judge a refusal", lambda: judge_by_rubric("The text does not say.", key))


if __name__ == "__main__":
    get_tokenizer("cl100k").counts(["warm"])
    build_context(Case("multi-value@1", "essays", 2000, 0))
    for k in SIZES:
        length = TOKENS_PER_NEEDLE * k
        case = Case(f"multi-value@{k}", "essays", length, 0, mode="contiguous", repeat=True)
        measure("multi-value", k, case)
    for k in SIZES:
        case = Case(f"multi-key@{k}", "essays", 40 * k, 50, distractors=k - 1, repeat=True)
        measure("multi-key", k, case)
