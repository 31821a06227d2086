"""The part of the page's data that is read at once: what every trial was, in columns; no long text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from niah.analysis.grouping import OUTCOMES, grouped
from niah.analysis.tables.table import Table
from niah.judges.error_types import ERROR_TYPES
from niah.plots.html.packing import column
from niah.plots.kit.labels import length_labels, outcome_label
from niah.runs.file.read_model import RunContents
from niah.runs.trial import TrialRecord


@dataclass(frozen=True)
class PageTrial:
    """One trial with its run."""

    run: int
    record: TrialRecord


def page_trials(runs: Sequence[RunContents]) -> list[PageTrial]:
    """Every trial; those of a heatmap cell, and of a case, stand together."""
    every = [PageTrial(place, record) for place, run in enumerate(runs) for record in run.records]
    return sorted(every, key=_place)


def _place(entry: PageTrial) -> tuple[int, int, float, str, str, str, int]:
    record = entry.record
    return (
        entry.run,
        record.context_length,
        -1.0 if record.depth is None else record.depth,
        record.case_id,
        record.reader,
        record.strategy,
        record.repeat,
    )


def index_of(runs: Sequence[RunContents], trials: Sequence[PageTrial]) -> dict[str, Any]:
    """What filters and heatmaps need.

    ``columns`` hold one number a trial: places in the lists of names, or, of ``score``, the score, 0 for
    none; of ``error``, 1 more than the place, 0 for none.
    """
    records = [trial.record for trial in trials]
    names: dict[str, list[Any]] = {
        "run": [run.name for run in runs],
        "reader": sorted({record.reader for record in records}),
        "strategy": list(dict.fromkeys(key.strategy for key in grouped(records, per_needle_set=False))),
        "set": sorted({record.needle_set for record in records}),
        "outcome": list(OUTCOMES),
        "error": list(ERROR_TYPES),
        "length": sorted({record.context_length for record in records}),
        "depth": sorted(
            {record.depth for record in records}, key=lambda depth: (depth is not None, depth or 0)
        ),
        "case": list(dict.fromkeys(record.case_id for record in records)),
    }
    at = {key: {name: place for place, name in enumerate(values)} for key, values in names.items()}
    return {
        "names": names,
        "labels": {
            "length": length_labels(names["length"]),
            "outcome": [outcome_label(outcome) for outcome in OUTCOMES],
            "error": [error.replace("_", " ") for error in ERROR_TYPES],
        },
        "ids": [record.trial_id for record in records],
        "columns": {
            "run": column([trial.run for trial in trials]),
            "reader": column([at["reader"][record.reader] for record in records]),
            "strategy": column([at["strategy"][record.strategy] for record in records]),
            "set": column([at["set"][record.needle_set] for record in records]),
            "outcome": column([at["outcome"][record.outcome] for record in records]),
            "error": column([at["error"][r.error_type] + 1 if r.error_type else 0 for r in records]),
            "length": column([at["length"][record.context_length] for record in records]),
            "depth": column([at["depth"][record.depth] for record in records]),
            "case": column([at["case"][record.case_id] for record in records]),
            "score": column([record.score or 0 for record in records]),
            "seed": column([record.seed or 0 for record in records]),
            "repeat": column([record.repeat for record in records]),
        },
    }


def table_data(table: Table) -> dict[str, Any]:
    """A table as the page keeps it."""
    return {
        "name": table.name,
        "title": table.title,
        "columns": table.columns,
        "rows": table.rows,
        "note": table.note,
    }
