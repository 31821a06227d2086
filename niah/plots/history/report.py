"""A whole history in one folder: the page, the figures, the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.analysis.nights.trend_tables import NO_RECORDS, event_table, night_table, trend_table
from niah.analysis.nights.trends import Trend
from niah.analysis.tables.table import Table
from niah.plots.history.figure import draw_history
from niah.plots.history.page import write_history_page
from niah.plots.kit.saved_figure import SavedFigure, save_figure
from niah.plots.kit.theme import themed
from niah.plots.table_files import write_tables
from niah.runs.file.night_record import NightRecord
from niah.runs.file.nights import Skipped


@dataclass(frozen=True)
class HistoryFiles:
    """What a history consists of.

    Attributes:
        page: index.html.
        figures: one for each run and reader, as SVG, PNG and CSV, in ``figures/``.
        tables: where trends stand, what happened, every night; as CSV, Markdown and LaTeX in ``tables/``.
    """

    page: Path
    figures: tuple[SavedFigure, ...]
    tables: tuple[Table, ...]


def write_history(
    trends: Sequence[Trend],
    skipped: Sequence[Skipped],
    title: str,
    folder: Path,
    records: Mapping[str, NightRecord] = NO_RECORDS,
) -> HistoryFiles:
    """Write the history of at least one trend into ``folder``, which is made if need be.

    ``records`` say by run what nights came to, and where their pages are.
    """
    tables = (trend_table(trends), event_table(trends, records), night_table(trends, records))
    write_tables((table for table in tables if table.rows), folder / "tables")
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    with themed():
        drawn = tuple(save_figure(rendered, folder / "figures") for rendered in draw_history(trends, records))
    return HistoryFiles(write_history_page(folder, title, trends, skipped, records), drawn, tables)
