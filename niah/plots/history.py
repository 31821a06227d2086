"""The history of nights: a page with the list of nights and one chart for each run and model."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

from niah.analysis.nights import open_regression, red_nights
from niah.analysis.tables.table import Table
from niah.files import atomic_write
from niah.plots.table_files import write_tables
from niah.runs.file.night_record import NightRecord
from niah.runs.file.nights import Skipped
from niah.strategies.strategy import spoken

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:62rem;padding:0 1rem}"
    "img{max-width:100%}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "td,th{padding:.15rem .6rem;text-align:left;border-bottom:1px solid #ddd}.regression{color:#b3261e}"
    ".scroll{overflow-x:auto}"
)


@dataclass(frozen=True)
class HistoryFiles:
    """What was written: the page, the files in ``figures/``, and the table of every night."""

    page: Path
    figures: tuple[Path, ...]
    table: Table


def write_history(
    table: Table,
    skipped: Sequence[Skipped],
    title: str,
    folder: Path,
    records: Mapping[str, NightRecord],
) -> HistoryFiles:
    """Write the history into ``folder``, which is made if need be.

    Args:
        table: of ``niah.analysis.nights.history_table``.
        skipped: files that are named as left out.
        title: of the page.
        folder: of all files.
        records: by run, what nights came to, and where their pages are.
    """
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    write_tables([table], folder / "tables")
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    figures, parts = [], []
    for run, reader in dict.fromkeys((row["run"], row["reader"]) for row in rows):
        own = [row for row in rows if (row["run"], row["reader"]) == (run, reader)]
        drawn = _draw(own, records.get(str(run)))
        stem = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in f"{run}--{reader}")
        for ending, data in drawn.items():
            path = folder / "figures" / f"history-{stem}.{ending}"
            with atomic_write(path) as file:
                file.write(data)
            figures.append(path)
        picture = base64.b64encode(drawn["svg"]).decode()
        parts.append(
            f"<h2>{escape(f'{run}: {reader}')}</h2>"
            f'<img alt="Mean score by night" src="data:image/svg+xml;base64,{picture}">'
        )
    for run, record in records.items():
        if red := open_regression(record):
            since = f"{escape(run)}: regression since {red.first}"
            parts.insert(0, f'<p class="regression"><b>{since}</b>, {escape(red.why)}.</p>')
    left_out = "".join(f"<li>{escape(one.path.name)}: {escape(one.reason)}</li>" for one in skipped)
    if left_out:
        parts.insert(0, f"<p>Left out:</p><ul>{left_out}</ul>")
    parts.append(_list(rows, table, records, folder))
    page = folder / "index.html"
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head += f"<title>{escape(title)}</title>"
    with atomic_write(page) as file:
        file.write(
            f"<!doctype html><html lang=en><head>{head}<style>{_STYLE}</style></head><body>"
            f"<h1>{escape(title)}</h1>{''.join(parts)}</body></html>\n".encode()
        )
    return HistoryFiles(page, tuple(figures), table)


def _list(
    rows: Sequence[Mapping[str, Any]], table: Table, records: Mapping[str, NightRecord], folder: Path
) -> str:
    """Every night, the latest first, each with its verdict and a link to its report."""
    body = []
    for row in sorted(rows, key=lambda row: str(row["date"]), reverse=True):
        cells = [f"{row['run']}", row["reader"], spoken(row["strategy"])]
        cells.append("-" if row["mean"] is None else f"{row['mean']:.2f}")
        cells.append(
            ""
            if row["low"] is None or row["low"] == row["high"]
            else f"{row['low']:.2f} to {row['high']:.2f}"
        )
        cells.append(
            f"{row['right']} of {row['n']}"
            + (f", {row['trials'] - row['n']} not scored" if row["trials"] > row["n"] else "")
        )
        day = escape(str(row["date"]))
        if row["page"] and row["run"] in records:
            address = os.path.relpath(records[row["run"]].path.parent / str(row["page"]), folder)
            day = f'<a href="{escape(Path(address).as_posix())}">{day}</a>'
        verdict = escape(
            " ".join(filter(None, (row["verdict"], row["accepted"] and f"(accepted {row['accepted']})")))
        )
        look = f' class="{verdict.split()[0]}"' if verdict else ""
        shown = "".join(f"<td>{escape(str(cell))}</td>" for cell in cells)
        body.append(f"<tr><td>{day}</td>{shown}<td{look}>{verdict}</td></tr>")
    heads = ("night", "run", "model", "strategy", "mean", "95 %", "right", "verdict")
    head = "".join(f"<th>{name}</th>" for name in heads)
    whole = f'<div class="scroll"><table><tr>{head}</tr>{"".join(body)}</table></div>'
    return f"<h2>{table.title}</h2>{whole}<p>{escape(table.note)}</p>"


def _draw(rows: Sequence[Mapping[str, Any]], record: NightRecord | None) -> dict[str, bytes]:
    """Mean scores by night, a line a strategy, broken where something else was asked; SVG and PNG."""
    import seaborn
    from matplotlib import dates
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    axes = figure.subplots()
    strategies = list(dict.fromkeys(row["strategy"] for row in rows))
    for colour, strategy in zip(
        seaborn.color_palette("colorblind", len(strategies)), strategies, strict=True
    ):
        own = [row for row in rows if row["strategy"] == strategy and row["mean"] is not None]
        name: str | None = spoken(strategy)
        for asked in dict.fromkeys(row["asked"] for row in own):
            part = [row for row in own if row["asked"] == asked]
            days = [dates.date2num(date.fromisoformat(row["date"])) for row in part]
            means = [row["mean"] for row in part]
            axes.plot(days, means, "o-", color=colour, markersize=4, label=name)
            name = None
            bounds = [row for row in part if row["low"] is not None and row["low"] < row["high"]]
            if len(bounds) == len(part):
                lows, highs = ([row[side] for row in bounds] for side in ("low", "high"))
                axes.fill_between(days, lows, highs, color=colour, alpha=0.15, linewidth=0)
    for red in red_nights(record) if record else ():
        axes.axvspan(
            dates.date2num(red.first), dates.date2num(red.last), color="#b3261e", alpha=0.12, linewidth=4
        )
    axes.set(ylabel="mean score of anchor cases", ylim=(0.8, 10.2))
    axes.xaxis_date()
    axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(axes.xaxis.get_major_locator()))
    axes.legend(loc="best", frameon=False, fontsize=9)
    made = {}
    for ending in ("svg", "png"):
        file = BytesIO()
        figure.savefig(file, format=ending, dpi=150)
        made[ending] = file.getvalue()
    return made
