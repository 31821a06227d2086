"""The history as one HTML file that needs no network: charts that say their numbers, and the tables below."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from niah import __version__
from niah.analysis.nights.red_nights import is_red, red_nights
from niah.analysis.nights.trend_tables import (
    NO_RECORDS,
    brief_trend_table,
    event_table,
    night_table,
    trend_table,
)
from niah.analysis.nights.trend_tables import since_label as difference_label
from niah.analysis.nights.trends import Trend
from niah.analysis.tables.table import Table, TableValue
from niah.judges.verdict import LOWEST
from niah.plots.figures.charts.estimates import value_range
from niah.plots.history import chart as shapes
from niah.plots.history.night_marks import NightMarks, night_marks
from niah.plots.history.trend_drawing import dash_of, series_rules, styles_of
from niah.plots.html.page import write_page
from niah.plots.kit.labels import mean_label
from niah.plots.kit.scales import lowest_score
from niah.plots.kit.styles import Style
from niah.plots.table_files import as_csv
from niah.plots.table_words import heads_of, note_of, shown_row
from niah.runs.file.night_record import NightRecord
from niah.runs.file.nights import Skipped
from niah.strategies.strategy import spoken

_STATIC = Path(__file__).resolve().parent / "static"


def write_history_page(
    folder: Path,
    title: str,
    trends: Sequence[Trend],
    skipped: Sequence[Skipped],
    records: Mapping[str, NightRecord] = NO_RECORDS,
) -> Path:
    """Write ``folder``/index.html, whole or not at all; returns its path.

    Args:
        folder: made if need be.
        title: of the page.
        trends: at least one.
        skipped: files that are named as left out.
        records: by run, what nights came to, and where their pages are.
    """
    marks = night_marks(trends, records, folder)
    styles = styles_of(trends)
    style = _read("history.css") + series_rules(styles)
    script = _read("history.js")
    happened, every = event_table(trends, records), night_table(trends, records)
    nights = sorted({night.date for trend in trends for night in trend.nights})
    values = {
        "title": title,
        "version": __version__,
        "nights": len(nights),
        "first": nights[0],
        "last": nights[-1],
        "readers": _readers(trends, styles, marks),
        "red": [_red_run(run, marks, record) for run, record in records.items() if is_red(record)],
        "calm": [
            night
            for run, record in records.items()
            if not is_red(record)
            for night in _last_night(run, marks)
        ],
        "happened": _table(happened, marks),
        "stands": _table(brief_trend_table(trends), marks),
        "files": [_csv(table) for table in (trend_table(trends), happened, every)],
        "every": _table(every, marks),
        "skipped": [(one.path.name, one.reason) for one in skipped],
        "box": shapes,
    }
    path = folder / "index.html"
    write_page(path, _STATIC / "history.html.jinja", values, style, script)
    return path


def _readers(trends: Sequence[Trend], styles: Mapping[str, Style], marks: NightMarks) -> list[dict[str, Any]]:
    """The charts, by run and reader."""
    places = {name: place for place, name in enumerate(styles)}
    found = []
    for (run, reader), group in groupby(trends, key=lambda trend: (trend.run, trend.reader)):
        own = list(group)
        frame = _frame(own)
        charts = [
            {
                "strategy": spoken(trend.strategy),
                "place": places[trend.strategy],
                "dash": dash_of(styles[trend.strategy]),
                "facts": _facts(trend),
                "shapes": shapes.chart(trend, frame, marks),
            }
            for trend in own
        ]
        found.append({"run": run, "reader": reader, "charts": charts})
    return found


def _frame(trends: Sequence[Trend]) -> shapes.ChartAxes:
    nights = [night for trend in trends for night in trend.nights]
    days = [night.date for night in nights] + [gap.last for trend in trends for gap in trend.gaps]
    scores = [night.score for night in nights if night.score]
    return shapes.ChartAxes(min(days), max(days), lowest_score(value_range(scores)[0]) if scores else LOWEST)


def _facts(trend: Trend) -> str:
    """What stands beside a chart's name."""
    if not trend.counted:
        return "no night counts"
    last = trend.counted[-1]
    assert last.score is not None
    parts = [f"{mean_label(last.score.estimate)} on {last.date}"]
    for change in (trend.since_last, trend.since_start):
        if change:
            parts.append(f"{difference_label(change)} since {change.since}")
    return " · ".join(dict.fromkeys(parts))


def _table(table: Table, marks: NightMarks) -> dict[str, Any]:
    """For the template: what stands in each cell, whether it is a number, the page that a date leads to."""
    run = table.columns.index("run")
    addresses = {(name, str(day)): mark.address for (name, day), mark in marks.nights.items() if mark.address}

    def cell(row: Sequence[TableValue], value: TableValue, text: str) -> tuple[str, bool, str]:
        return text, isinstance(value, int | float), addresses.get((str(row[run]), str(value)), "")

    return {
        "title": table.title,
        "note": note_of(table),
        "columns": heads_of(table),
        "rows": [
            [cell(row, value, text) for value, text in zip(row, shown_row(table, row), strict=True)]
            for row in table.rows
        ],
    }


def _red_run(run: str, marks: NightMarks, record: NightRecord) -> dict[str, str]:
    """What the page says first of a run whose last nights were regressions."""
    *_, red = red_nights(record)
    begun = marks.of(run, red.first)
    return {"run": run, "since": str(red.first), "why": red.why, "address": begun.address}


def _last_night(run: str, marks: NightMarks) -> list[dict[str, str]]:
    """Where a run stands: its last night, if that has a verdict."""
    day = max((day for name, day in marks.nights if name == run), default=None)
    if day is None or not (mark := marks.of(run, day)).label:
        return []
    return [{"run": run, "day": str(day), "verdict": mark.label, "address": mark.address}]


def _csv(table: Table) -> dict[str, str]:
    """A file that the page carries in itself."""
    data = base64.b64encode(as_csv(table).encode()).decode()
    return {
        "name": f"{table.name}.csv",
        "title": table.title,
        "href": f"data:text/csv;charset=utf-8;base64,{data}",
    }


def _read(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")
