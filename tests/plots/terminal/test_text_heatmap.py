from __future__ import annotations

from io import StringIO

from rich.console import Console

from niah.analysis.cells import cells
from niah.analysis.frame import trial_frame
from niah.plots.terminal.text_heatmap import heatmap_text, print_heatmaps
from niah.runs.trial import TrialRecord

RECORDS = [
    TrialRecord("t", "c", "pizza", "essays", 512, 0, 1, "lc", "smollm2", 0, "scored", score=10),
    TrialRecord("t", "c", "pizza", "essays", 4096, 0, 1, "lc", "smollm2", 0, "scored", score=5),
    TrialRecord("t", "c", "pizza", "essays", 4096, 100, 1, "lc", "smollm2", 0, "truncated"),
]


def printed(*, terminal: bool, width: int) -> str:
    out = StringIO()
    print_heatmaps(
        cells(trial_frame(RECORDS)),
        Console(file=out, width=width, force_terminal=terminal, color_system=None),
    )
    return out.getvalue()


def test_cells_say_the_mean_or_why_there_is_none() -> None:
    assert [line.split() for line in heatmap_text(cells(trial_frame(RECORDS))[0]).plain.splitlines()] == [
        ["smollm2", "·", "full", "context"],
        ["512", "4k"],
        ["0", "%", "10", "5.0"],
        ["100", "%", "trunc"],
    ]


def test_printed_only_where_somebody_looks_and_it_fits() -> None:
    assert "5.0" in printed(terminal=True, width=40)
    assert printed(terminal=False, width=40) == ""
    assert printed(terminal=True, width=10) == ""
