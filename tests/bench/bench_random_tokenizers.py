"""Random texts, random tokenizers: ``python -m tests.bench.bench_random_tokenizers 10000``.

Without a number 500. Two numbers are the first case and the one after the last. Prints how many cases were
built, why others were not, and everything that is wrong with any. A tokenizer comes out differently each time
it is trained, so ``--keep FOLDER`` copies text, needles and tokenizer of whatever went wrong there: with
them, ``try_random_case(number, FOLDER)`` is the same case again.
"""

from __future__ import annotations

import argparse
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


def main(first: int, last: int, keep: Path | None) -> int:
    from tests.random_tokenizers import copy_world, try_random_case

    built, wrong, crashed, why = 0, 0, 0, Counter[str]()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, last):
            if number > first and (number - first) % _TELL == 0:
                print(
                    f"{number - first} cases: {built} built, {wrong} wrong, {crashed} tracebacks", flush=True
                )
            fault = ""
            try:
                trial = try_random_case(number, Path(folder))
            except Exception:  # what is looked for
                crashed += 1
                fault = traceback.format_exc()
            else:
                if trial.error:
                    why[re.sub(r"\d+|/\S+", "N", trial.error)[:90]] += 1
                else:
                    built += 1
                if trial.faults:
                    wrong += 1
                    fault = f"{trial.case.mode}: {'; '.join(trial.faults)}"
            if fault:
                print(f"case {number}: {fault}", flush=True)
                if keep is not None:
                    copy_world(number, Path(folder), keep)
    seconds = time.process_time() - began
    print(f"{last - first} cases: {built} built, {wrong} wrong, {crashed} tracebacks, {seconds:.0f} s of CPU")
    for reason, times in why.most_common():
        print(f"{times:6}  {reason}")
    return 1 if wrong or crashed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", nargs="*", type=int, default=[500], help="how many, or first and last")
    parser.add_argument("--keep", type=Path, help="folder for the files of cases that went wrong")
    arguments = parser.parse_args()
    *begin, end = arguments.numbers
    with tempfile.TemporaryDirectory() as cache:
        os.environ["NIAH_CACHE"] = cache
        sys.exit(main(begin[0] if begin else 0, end, arguments.keep))
