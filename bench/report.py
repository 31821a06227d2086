"""How long ``niah report`` takes for 49,920 simulated trials, and how large its page is.

python -m bench.report
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.plots.simulated_run import Size, write_run

LARGE = Size(
    lengths=(1000, 2000, 3000, 4000, 6000, 8000, 12000, 16000, 24000, 32000, 64000, 96000, 128000),
    depths=tuple(range(0, 100, 10)),
    sets=("ferry-lanterns", "pizza-ingredients", "rainbow-potion", "three-gates"),
    seeds=(1, 2, 3),
    strategies=("lc", "topk", "topk-rev", "half", "half-rev", "full", "dos", "mixpr"),
    readers=("simulated-small", "simulated-middle", "simulated-large", "simulated-huge"),
    answer=600,
)


def main() -> None:
    """Print seconds by the clock and the megabytes of the page."""
    with TemporaryDirectory() as folder:
        write_run(Path(folder) / "large.sqlite", LARGE)
        command = [sys.executable, "-m", "niah", "report", "large.sqlite", "--out", "page"]
        start = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        seconds = time.perf_counter() - start
        megabytes = (Path(folder) / "page" / "index.html").stat().st_size / 1e6
    print(f"{seconds:.1f} s, {megabytes:.1f} MB")


if __name__ == "__main__":
    main()
