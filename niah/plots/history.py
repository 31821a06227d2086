"""The history of nights: one chart a model, every night in a table, a page with both."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from niah import __version__
from niah.analysis.frame import strategy_facts
from niah.analysis.stats import SCORES
from niah.analysis.tables import Table
from niah.plots.charts import Axis, Chart, draw
from niah.plots.drawing import Drawn
from niah.plots.report import saved_figure, write_page
from niah.plots.tables import shown_table, write_tables
from niah.plots.theme import file_stem, strategy_styles, themed
from niah.runs.file.nights import NightRecord
from niah.strategies.strategy import display_name

_CAPTION = "Mean score of anchor cases. Lines join nights that asked the same. Red: a regression."
_LISTED = ("date", "run", "reader", "strategy", "right", "mean", "low", "high")


def write_history(
    nights: Table, title: str, folder: Path, records: Mapping[str, NightRecord], facts: Sequence[str]
) -> Path:
    """Write page, figures and table of every night into ``folder``; the page, which begins with ``facts``.

    ``records`` say by run what nights came to, and their pages.
    """
    write_tables([nights], folder / "tables")
    with themed():
        pictures = [saved_figure(drawn, folder) for drawn in draw_history(nights)]
    # Every night, the latest first, with a link to its report.
    frame = pd.DataFrame(list(nights.rows), columns=list(nights.columns), dtype=object)
    frame = frame.sort_values("date", ascending=False, kind="stable")
    links = [
        quote(Path(os.path.relpath(records[run].path.parent / page, folder)).as_posix()) if page else ""
        for run, page in zip(frame["run"], frame["page"], strict=True)
    ]
    frame["right"] = frame["right"].astype(str) + " of " + frame["n"].astype(str)
    found = ["verdict", "accepted"] if frame["verdict"].notna().any() else []  # runs by hand have neither
    shown = shown_table(Table.of(nights.name, nights.title, frame[[*_LISTED, *found]], nights.note))
    values = {"title": title, "facts": facts, "figures": pictures, "version": __version__}
    page = folder / "index.html"
    write_page(page, values | {"tables": [shown._replace(links=links)]})
    return page


def draw_history(nights: Table) -> Iterator[Drawn]:
    """One figure for each run and model with a score. Call it inside ``themed``."""
    frame = pd.DataFrame(list(nights.rows), columns=list(nights.columns))
    frame = frame[frame["mean"].notna()]
    for (run, reader), own in frame.groupby(["run", "reader"]):
        who = str(reader) if frame["run"].nunique() == 1 else f"{run} · {reader}"
        name, title = f"history-{file_stem(str(run), str(reader))}", f"{who}: scores by night"
        ticks = {day.toordinal(): f"{day.day} {day:%b}" for day in map(date.fromisoformat, own["date"])}
        days = [date.fromisoformat(day).toordinal() for day in own["date"]]
        # A night that asked something else begins a line of its own.
        lines = own["strategy"].astype(str) + "\n" + own["asked"].astype(str)
        numbers = own.assign(panel="", x=days, series=lines).astype({"low": float, "high": float})
        strategies = own[["strategy"]].drop_duplicates().assign(definition="")
        styles = strategy_styles(strategies.assign(**strategy_facts(strategies)))
        chart = Chart(
            *("lines", title, Axis("night", ticks)),
            Axis("mean score", ends=SCORES),
            styles={line: styles[line.partition("\n")[0]] for line in lines.unique()},
            names=lambda line: display_name(line.partition("\n")[0]),
        )
        drawing = draw(numbers, chart)
        for day in {day for day, found in zip(days, own["verdict"], strict=True) if found == "regression"}:
            drawing.axes[0].axvspan(day - 0.5, day + 0.5, color="#d55e00", alpha=0.13, lw=0)
        yield Drawn(name, title, _CAPTION, own, drawing)
