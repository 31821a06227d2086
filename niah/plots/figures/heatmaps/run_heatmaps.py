"""What a run draws: its score heatmaps, x = context length, y = depth, as in the papers' figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.cells import Grid, cells, cells_of_like_sets
from niah.analysis.frame import trial_frame
from niah.plots.figures.heatmaps.heatmap_sheet import Size, heatmap_sheet
from niah.plots.kit.labels import count_label, sets_label
from niah.plots.kit.saved_figure import unique_stems
from niah.plots.kit.theme import save, themed
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ONE = Size(across=6.4, panel=4.4, narrowest=0.62, widest=1.05, height=0.5)
_ALL = Size(across=12.5, panel=1.7, narrowest=0.38, widest=0.62, height=0.4)
# Pixels: what is longer than 65,535 cannot be drawn, and what is half of it takes a gigabyte.
_LONGEST, _DPI = 20_000, 200


def heatmaps(records: Sequence[TrialRecord], folder: Path) -> list[Path]:
    """Draw every reader's heatmaps into ``folder``, as PNG and SVG; the files written, in order.

    Per reader one overview, all strategies side by side (needle sets as rows where there are several), then
    one figure per strategy over all its needle sets, with a heatmap for each group of them that is asked at
    the same lengths and depths. All share one colour scale, 1 to 10. Grids of which no trial has been run yet
    are left out. The same records give the same bytes, in any order.
    """
    frame = trial_frame(records)
    per_strategy: dict[tuple[str, str], list[Grid]] = {}
    for grid in cells_of_like_sets(frame):
        if grid.begun:
            per_strategy.setdefault((grid.reader, grid.strategy), []).append(grid)
    per_set = [grid for grid in cells(frame, per_needle_set=True) if grid.begun]
    readers = list(dict.fromkeys(reader for reader, _ in per_strategy))
    names = {(reader, ""): (reader, "overview") for reader in readers} | {key: key for key in per_strategy}
    stems = unique_stems(names)
    paths: list[Path] = []
    with themed():
        for reader in readers:
            overview = draw_overview([grid for grid in per_set if grid.reader == reader])
            paths += save(overview, folder, stems[reader, ""], dpi=_resolution(overview))
            for key, grids in per_strategy.items():
                if key[0] == reader:
                    paths += save(draw_heatmap(grids), folder, stems[key], dpi=_DPI)
    return paths


def draw_heatmap(grids: Sequence[Grid]) -> Figure:
    """The grids of one strategy, more than one where needle sets stand apart. Call it inside ``themed``."""
    title, subtitle = f"{grids[0].reader} · {spoken(grids[0].strategy)}", f"mean score · {sets_label(grids)}"
    return heatmap_sheet(grids, _ONE, title, subtitle, headed=False).figure


def draw_overview(grids: Sequence[Grid]) -> Figure:
    """One reader's grids, each of one needle set. Call it inside ``themed``."""
    says = "mean score by context length and depth"
    subtitle = f"{says} · {sets_label(grids)} · {count_label(grids)}"
    return heatmap_sheet(grids, _ALL, f"{grids[0].reader} · all strategies", subtitle).figure


def _resolution(figure: Figure) -> int:
    """Pixels an inch: fewer for a very long figure."""
    return min(_DPI, int(_LONGEST / max(figure.get_size_inches())))
