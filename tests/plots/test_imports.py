"""What the packages' modules import before anything is drawn: a command must answer at once."""

from __future__ import annotations

import subprocess
import sys

_MODULES = (
    "niah.plots.report",
    "niah.plots.history.report",
    "niah.plots.figures.retrieval",
    "niah.plots.figures.heatmaps.run_heatmaps",
    "niah.plots.terminal.summary_table",
    "niah.plots.terminal.text_heatmap",
)


def test_importing_is_light() -> None:
    code = f"import sys, {', '.join(_MODULES)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"matplotlib", "pandas", "rich", "seaborn", "sklearn", "torch"} & set(done.stdout.split())
