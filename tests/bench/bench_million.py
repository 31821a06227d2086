"""Whether the suites of harder kinds can be built as long as they go: a case of every needle set, once.

    python -m tests.bench.bench_million [whole|LENGTH]

Each case is audited: tokenised again, its needles where they were asked, nothing else that answers. Prints a
row a needle set, with the seconds that the case took to build; with "whole" at every suite's greatest length,
without either at 128,000 tokens.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from niah.cases.assembly.assembly import build_context
from niah.cases.audit import audit_context
from niah.cases.suite import load_suite
from niah.errors import NiahError

SUITES = ("ruler", "recall", "babilong", "tracking", "frontier")


def main(length: int | None) -> None:
    """Goal: all built, no defect."""
    built = failed = 0
    print("| suite | needle set | tokens | seconds |\n| --- | --- | --- | --- |")
    for suite in SUITES:
        cases = load_suite(suite).cases
        longest = max(case.context_length for case in cases)
        some = {case.needle_set: case for case in reversed(cases) if case.context_length == longest}
        for needle_set, case in reversed(some.items()):
            asked = replace(case, context_length=length) if length else case
            begun = time.process_time()
            try:
                context = build_context(asked)
                spent = time.process_time() - begun
                audit_context(asked, context)
            except NiahError as error:
                failed += 1
                print(f"| {suite} | {needle_set} | {error} | |", flush=True)
                continue
            built += 1
            total = context.tokens + context.prompt_tokens
            print(f"| {suite} | {needle_set} | {total:,} | {spent:.1f} |", flush=True)
    print(f"{built} of {built + failed} built and audited")


if __name__ == "__main__":
    word = sys.argv[1] if len(sys.argv) > 1 else "128_000"
    main(None if word == "whole" else int(word))
