"""The part of the page's data that is read at once: what every trial was, in columns; no long text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from niah.analysis.causes.causes import CAUSE_MEANINGS, CAUSES, Cause
from niah.analysis.grouping import OUTCOMES
from niah.analysis.lengths import length_labels, octave, octave_label
from niah.analysis.tables.table import Table
from niah.judges.error_types import error_types_among
from niah.plots.html.packing import column
from niah.plots.kit.labels import outcome_words
from niah.plots.kit.styles import ERRORS
from niah.plots.table_words import heads_of, note_of, words_in_row
from niah.runs.file.read_model import RunContents
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import spoken, strategy_of, strategy_place

_LONGEST_QUESTION = 90
"""Letters of a given question in a row of the page; what is asked whole stands with the trial."""
_FACETS = {"kind": "kind", "source": "source", "document": "document_id"}


@dataclass(frozen=True)
class PageTrial:
    """One trial with its run."""

    run: int
    record: TrialRecord


def page_trials(runs: Sequence[RunContents]) -> list[PageTrial]:
    """Every trial; those of a heatmap cell, and of a case, stand together."""
    every = [PageTrial(place, record) for place, run in enumerate(runs) for record in run.records]
    return sorted(every, key=_place)


def _place(entry: PageTrial) -> tuple[Any, ...]:
    record = entry.record
    return (
        entry.run,
        _length(record),
        -1.0 if record.depth is None else record.depth,
        record.case_id,
        record.reader,
        record.strategy,
        record.repeat,
    )


def index_of(
    runs: Sequence[RunContents],
    trials: Sequence[PageTrial],
    causes: Sequence[Mapping[str, Cause]],
    like_sets: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """What filters and heatmaps need.

    Args:
        runs: as they stand on the page.
        trials: as ``page_trials`` sorts them.
        causes: of each run, by trial id, why its answers went wrong.
        like_sets: the needle sets that are asked at the same lengths and depths, by the name of their group;
            none where all are asked alike. Each group has heatmaps of its own.

    ``columns`` hold one number a trial: places in the lists of names, or, of ``score``, the score, 0 for
    none; of ``seed``, -1 for none; of what a trial may lack, 1 more than the place, 0 for none. Given
    documents are as long as they are: their lengths are bands. ``questions`` has id and words of each case's
    given question, cut to a line; "" of a case of needles, and no list where all are.
    """
    records = [trial.record for trial in trials]
    found = [causes[trial.run].get(trial.record.trial_id) for trial in trials]
    why = [cause.kind if cause else None for cause in found]
    names = _names(runs, records, why)
    names["alike"], alike = _groups(names["set"], like_sets)
    given = {record.origin for record in records} == {"given"}
    return {
        "names": names | {"length": [octave_label(n) if banded else n for n, banded in names["length"]]},
        "alike": alike,
        "questions": _questions(runs, names["case"]),
        "titles": {"set": "Question set" if given else "Needle set"},
        "labels": _labels(names),
        "deployable": [strategy_of(strategy).is_deployable for strategy in names["strategy"]],
        "meanings": {kind: CAUSE_MEANINGS[kind] for kind in names["cause"]},
        "ids": [record.trial_id for record in records],
        "columns": _columns(trials, why, names),
    }


def _names(
    runs: Sequence[RunContents], records: Sequence[TrialRecord], why: Sequence[str | None]
) -> dict[str, list[Any]]:
    """What each column may hold, in the order of the page; lengths as ``_length`` has them."""
    return {
        "run": [run.name for run in runs],
        "reader": sorted({record.reader for record in records}),
        "strategy": sorted({record.strategy for record in records}, key=strategy_place),
        "set": sorted({_set_name(record) for record in records}),
        **{key: _known(records, name) for key, name in _FACETS.items()},
        "outcome": list(OUTCOMES),
        "error": list(error_types_among({record.error_type for record in records})),
        "cause": [kind for kind in CAUSES if kind in set(why)],
        "length": sorted({_length(record) for record in records}),
        "depth": sorted({r.depth for r in records}, key=lambda depth: (depth is not None, depth or 0)),
        "case": list(dict.fromkeys(record.case_id for record in records)),
    }


def _labels(names: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
    """What the page calls the names that are no words themselves."""
    grid = [length for length, banded in names["length"] if not banded]
    length_names = dict(zip(grid, length_labels(grid), strict=True))
    return {
        "strategy": [spoken(strategy) for strategy in names["strategy"]],
        "length": [octave_label(n) if banded else length_names[n] for n, banded in names["length"]],
        "outcome": [outcome_words(outcome) for outcome in OUTCOMES],
        "error": [ERRORS[error][1] for error in names["error"]],
    }


def _columns(
    trials: Sequence[PageTrial], why: Sequence[str | None], names: Mapping[str, Sequence[Any]]
) -> dict[str, Any]:
    """One number a trial, see ``index_of``."""
    records = [trial.record for trial in trials]
    at = {key: {name: place for place, name in enumerate(values)} for key, values in names.items()}
    optional = {"error": "error_type", **_FACETS}
    return {
        "run": column([trial.run for trial in trials]),
        "reader": column([at["reader"][record.reader] for record in records]),
        "strategy": column([at["strategy"][record.strategy] for record in records]),
        "set": column([at["set"][_set_name(record)] for record in records]),
        "outcome": column([at["outcome"][record.outcome] for record in records]),
        **{
            key: column([at[key].get(getattr(record, name), -1) + 1 for record in records])
            for key, name in optional.items()
        },
        "cause": column([0 if kind is None else at["cause"][kind] + 1 for kind in why]),
        "length": column([at["length"][_length(record)] for record in records]),
        "depth": column([at["depth"][record.depth] for record in records]),
        "case": column([at["case"][record.case_id] for record in records]),
        "score": column([record.score or 0 for record in records]),
        "seed": column([-1 if record.seed is None else record.seed for record in records]),
        "repeat": column([record.repeat for record in records]),
    }


def _questions(runs: Sequence[RunContents], cases: Sequence[str]) -> list[str]:
    """What is asked of given documents, by the place of its case."""
    given = {id: each.key for run in runs for id, each in run.samples.items() if each.origin == "given"}
    if not given:
        return []
    return [f"{key.name}: {_one_line(key.question)}" if (key := given.get(case)) else "" for case in cases]


def _one_line(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST_QUESTION else f"{words[: _LONGEST_QUESTION - 1].rstrip()}…"


def _known(records: Sequence[TrialRecord], name: str) -> list[str]:
    """What the records have in a field, sorted, without None."""
    return sorted({value for record in records if (value := getattr(record, name)) is not None})


def _groups(sets: Sequence[str], like_sets: Mapping[str, Sequence[str]]) -> tuple[list[str], list[int]]:
    """The names of groups, and in which of them each set is; sets without a group together in one more."""
    of_set = {one: place for place, members in enumerate(like_sets.values()) for one in members}
    others = [name for name in sets if name not in of_set]
    names = [*like_sets, *([", ".join(others)] if others else [])]
    return names, [of_set.get(name, len(like_sets)) for name in sets]


def _length(record: TrialRecord) -> tuple[int, bool]:
    """The context length, or the upper border of its band; and whether it is one."""
    if record.origin == "given":
        return octave(record.context_length), True
    return record.context_length, False


def _set_name(record: TrialRecord) -> str:
    return record.needle_set or record.question_set or ""


def table_data(table: Table) -> dict[str, Any]:
    """A table as the page keeps it."""
    return {
        "name": table.name,
        "title": table.title,
        "columns": table.columns,
        "heads": heads_of(table),
        "rows": table.rows,
        "words": {
            str(place): words for place, row in enumerate(table.rows) if (words := words_in_row(table, row))
        },
        "note": note_of(table),
    }
