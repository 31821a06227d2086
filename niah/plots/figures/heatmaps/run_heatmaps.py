"""What a run draws: its score heatmaps, x = context length, y = depth, as in the papers' figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.cells import Grid, cells
from niah.analysis.frame import trial_frame
from niah.plots.figures.heatmaps.heatmap_sheet import Size, heatmap_sheet
from niah.plots.kit.labels import count_label, sets_label, spoken
from niah.plots.kit.saved_figure import unique_stems
from niah.plots.kit.theme import save, themed
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ONE = Size(across=6.4, panel=4.4, narrowest=0.62, widest=1.05, height=0.5)
_ALL = Size(across=12.5, panel=1.7, narrowest=0.38, widest=0.62, height=0.4)
# Pixels: what is longer than 65,535 cannot be drawn, and what is half of it takes a gigabyte.
_LONGEST, _DPI = 20_000, 200


def heatmaps(records: Sequence[TrialRecord], folder: Path) -> list[Path]:
    """Draw every reader's heatmaps into ``folder``, as PNG and SVG; the files written, in order.

    Per reader one overview, all strategies side by side (needle sets as rows where there are several), then
    one heatmap per strategy over all its needle sets. All share one colour scale, 1 to 10. Grids of which no
    trial has been run yet are left out. The same records give the same bytes, in any order.
    """
    frame = trial_frame(records)
    per_strategy = [grid for grid in cells(frame) if grid.begun]
    per_set = [grid for grid in cells(frame, per_needle_set=True) if grid.begun]
    readers = list(dict.fromkeys(grid.reader for grid in per_strategy))
    names = {(reader, ""): (reader, "overview") for reader in readers}
    names |= {(grid.reader, grid.strategy): (grid.reader, grid.strategy) for grid in per_strategy}
    stems = unique_stems(names)
    paths: list[Path] = []
    with themed():
        for reader in readers:
            overview = draw_overview([grid for grid in per_set if grid.reader == reader])
            paths += save(overview, folder, stems[reader, ""], dpi=_resolution(overview))
            for grid in per_strategy:
                if grid.reader == reader:
                    paths += save(draw_heatmap(grid), folder, stems[reader, grid.strategy], dpi=_DPI)
    return paths


def draw_heatmap(grid: Grid) -> Figure:
    """One grid as a figure of its own. Call it inside ``themed``."""
    title, subtitle = f"{grid.reader} · {spoken(grid.strategy)}", f"mean score · {sets_label([grid])}"
    return heatmap_sheet([grid], _ONE, title, subtitle, headed=False).figure


def draw_overview(grids: Sequence[Grid]) -> Figure:
    """One reader's grids, each of one needle set. Call it inside ``themed``."""
    says = "mean score by context length and depth"
    subtitle = f"{says} · {sets_label(grids)} · {count_label(grids)}"
    return heatmap_sheet(grids, _ALL, f"{grids[0].reader} · all strategies", subtitle).figure


def _resolution(figure: Figure) -> int:
    """Pixels an inch: fewer for a very long figure."""
    return min(_DPI, int(_LONGEST / max(figure.get_size_inches())))
