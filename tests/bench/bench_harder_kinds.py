"""The independent solvers of the harder kinds against many cases of every kind.

    python -m tests.bench.bench_harder_kinds [CASES] [KIND ...]

RULER, Hash-Hop, GraphWalks, aggregation, riddles and boats in other languages; bAbI's tasks, inventories and
positions; like replies. Each context is built, audited (tokenised again; nothing but needles answers) and
solved from its text alone. Five cases a seed. Without CASES, 25 of each; docs have 200. Prints a line a kind,
with each case that does not agree.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from niah.cases.assembly.assembly import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.needles.load import load_needle_set
from tests.needles.conversations.test_recall import found_again
from tests.needles.harder.test_harder_kinds import KINDS, cases, check
from tests.needles.stories.solvers import SOLVERS

_A_SEED = 5
_DEPTHS = (0, 5, 10, 15, 20)
_SIZES = (7, 12, 20, 40)

Check = Callable[[Case], None]


def check_story(case: Case) -> None:
    """The solver's answer is the drawn one; audited."""
    context, needle_set = build_context(case), load_needle_set(case.needle_set, case.seed)
    audit_context(case, context)
    answer = tuple(element.name for element in needle_set.elements)
    found = SOLVERS[case.needle_set.partition("@")[0]](context.text, needle_set.question)
    assert found == (answer if isinstance(found, tuple) else frozenset(answer))


def check_recall(case: Case) -> None:
    """The reply that is found again is the answer; audited."""
    context, needle_set = build_context(case), load_needle_set(case.needle_set, case.seed)
    audit_context(case, context)
    assert found_again(context.text, needle_set.question) == needle_set.answer


def kinds(number: int) -> Iterator[tuple[str, Check, list[Case]]]:
    """Every kind: its name, what checks a case of it, and so many cases."""
    seeds = -(-number // _A_SEED)
    for needle_set in KINDS:
        some = [replace(case, seed=at // _A_SEED + 1) for at, case in enumerate(cases(needle_set, number))]
        yield needle_set, check, some
    for family in SOLVERS:
        yield (
            family,
            check_story,
            [
                Case(
                    f"{family}@{_SIZES[seed % 4]}",
                    "essays",
                    8000,
                    depth,
                    seed,
                    distractors=6,
                    accidents="avoid",
                )
                for seed in range(1, seeds + 1)
                for depth in _DEPTHS
            ][:number],
        )
    for k in (2, 4, 8, 16):
        some = [
            Case(f"recall@{k}", "entries", 8000, d, seed) for seed in range(1, seeds + 1) for d in _DEPTHS
        ]
        yield f"recall@{k}", check_recall, some[:number]


def main(number: int, only: list[str]) -> None:
    """Goal: all of 200 agree."""
    for name, checked, some in kinds(number):
        if only and name not in only:
            continue
        begun, agree = time.process_time(), 0
        for case in some:
            try:
                checked(case)
            except Exception as error:  # told, counted, and on
                print(f"  {case.case_id}: {type(error).__name__} {error}")
            else:
                agree += 1
        spent = time.process_time() - begun
        print(f"{name}: {agree} of {len(some)} agree, {spent:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 25, sys.argv[2:])
