"""Random texts, random tokenizers: ``python -m tests.bench.bench_random_tokenizers 10000``.

Prints how many cases were built, why others were not, and everything that is wrong with any.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

_TELL = 1000
"""Cases after which it says how far it is."""


def main(first: int, last: int) -> int:
    from tests.random_tokenizers import try_random_case

    built, wrong, crashed, why = 0, 0, 0, Counter[str]()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, last):
            if number > first and (number - first) % _TELL == 0:
                print(
                    f"{number - first} cases: {built} built, {wrong} wrong, {crashed} tracebacks", flush=True
                )
            try:
                trial = try_random_case(number, Path(folder))
            except Exception:  # what is looked for
                crashed += 1
                print(f"case {number}: {traceback.format_exc()}")
                continue
            if trial.error:
                why[re.sub(r"\d+|/\S+", "N", trial.error)[:90]] += 1
            else:
                built += 1
            if trial.faults:
                wrong += 1
                print(f"case {number}: {trial.case.mode}: {'; '.join(trial.faults)}")
    seconds = time.process_time() - began
    print(f"{last - first} cases: {built} built, {wrong} wrong, {crashed} tracebacks, {seconds:.0f} s of CPU")
    for reason, times in why.most_common():
        print(f"{times:6}  {reason}")
    return 1 if wrong or crashed else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["NIAH_CACHE"] = cache
        bounds = [int(argument) for argument in sys.argv[1:]] or [10_000]
        sys.exit(main(*(bounds if len(bounds) == 2 else [0, bounds[0]])))
