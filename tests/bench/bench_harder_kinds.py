"""The independent solvers of RULER, Hash-Hop, GraphWalks and aggregation against many cases of every kind.

    python -m tests.bench.bench_harder_kinds [CASES]

Each context is built, audited and tokenised again, and solved from its text alone; tests/needles/harder
does so for five cases a kind. Prints a line a kind; stops at the first case that does not agree.
"""

from __future__ import annotations

import sys
import time

from tests.needles.harder.test_harder_kinds import KINDS, cases, check


def main(number: int) -> None:
    """Goal: all of 200 agree."""
    for needle_set in KINDS:
        begun = time.process_time()
        for case in cases(needle_set, number):
            check(case)
        print(
            f"{needle_set}: {number} of {number} agree, {time.process_time() - begun:.0f} s of CPU",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
