"""How long ``niah --help`` takes, against a bare interpreter and against importing click."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time


def median_s(*arguments: str, rounds: int = 9) -> float:
    """Median wall seconds of a fresh process."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    bare = median_s("-c", "pass")
    click = median_s("-c", "import click")
    helped = median_s("-m", "niah", "--help")
    print(f"start-up: niah --help {helped:.3f} s; import click {click:.3f} s; bare interpreter {bare:.3f} s")


if __name__ == "__main__":
    main()
