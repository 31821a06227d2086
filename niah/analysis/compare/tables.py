"""The tables of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from niah.analysis.compare.axes import READER_AND_STRATEGY
from niah.analysis.compare.changes import QuantityChange
from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.rows import UNTESTED, Row
from niah.analysis.compare.verdict import row_label
from niah.analysis.stats.interval import ALIKE, LEAST_CLUSTERS, is_point
from niah.analysis.tables.table import Table, TableValue
from niah.file_mistakes import counted

_NOTE = (
    "difference: candidate minus baseline, over pairs with a score in both; low and high: its two-sided 95 %"
    " interval, by clusters (needle set x seed, or given document). p: one-sided, that the candidate is"
    " worse; p_adjusted: for all rows of the table; not known where the row was not tested. effect:"
    " difference over the pairs' standard deviation. detectable: the worsening found in four nights of five."
    " More: the docs' page Comparing two runs."
)
_SHORT_NOTE = (
    "low, high: the change's 95 % interval; p: one-sided, adjusted for the whole table (–: "
    f"{UNTESTED}){{seen_from}};"
    " +/=/-: pairs that got better, same, worse"
)
_SEEN_FROM = "; seen_from: the drop found in four nights of five"
"""Of a table that has the column: where nothing was tested, it says nothing, and is left out."""

_MODELS_NOTE = (
    "difference: {second} minus {first}, over pairs with a score of both; low and high: its 95 % interval, by"
    " clusters (needle set x seed, or given document). p: two-sided; p_adjusted: for all rows of the table;"
    " not known where the row was not tested. effect: difference over the pairs' standard deviation."
    " detectable: the lead, of either, found in four comparisons of five. More: the docs' page"
    " Comparing two runs."
)
_MODELS_SHORT_NOTE = (
    "change: {second} less {first}; low, high: its 95 % interval; p: two-sided, adjusted for the whole table"
    f" (–: {UNTESTED}){{seen_from}};"
    " +/=/-: pairs in which {second} is better, the same, worse"
)
_MODELS_SEEN_FROM = "; seen_from: the lead found in four comparisons of five"
_BROAD = 2
"""In a terminal rows of more axes are shown only where they got worse."""

_CHANGES_NOTE = "Not tested. Means over the pairs that say in both runs; 95 % intervals, by clusters."


def full_tables(comparison: Comparison) -> tuple[Table, ...]:
    """Every row with all its numbers, and what else changed."""
    tables = (
        Table(
            name=f"compare-{measure.replace(' ', '-')}",
            title=title,
            columns=(
                *by, "n", "clusters", *_sides(comparison, "baseline", "candidate"), "difference",
                "low", "high", "p", "p_adjusted",
                "effect", "detectable", "better", "same", "worse",
            ),
            rows=tuple((*_names(row.parts, by), *_numbers(row)) for row in rows),
            note=_named(_MODELS_NOTE, comparison) if comparison.readers else _NOTE,
        )
        for measure, title, rows in _measures(comparison)
        for by in [_used(comparison.by, [row.parts for row in rows])]
    )  # fmt: skip
    return (*tables, *([changes_table(comparison)] if comparison.changes else []))


def short_tables(comparison: Comparison) -> tuple[Table, ...]:
    """The broader rows, and whatever got worse, narrow enough for terminals."""
    return tuple(
        Table(
            name=f"compare-{measure.replace(' ', '-')}",
            title=title,
            columns=(
                "part",
                *(comparison.readers or ("before", "after")),
                "change",
                "low",
                "high",
                "p",
                *(["seen_from"] if _is_seen(shown) else []),
                "+/=/-",
            ),
            rows=tuple((row_label(row), *_words(row, seen_from=_is_seen(shown))) for row in shown),
            note=_short_note(comparison, shown, len(rows) - len(shown)) if measure == "score" else "",
        )
        for measure, title, rows in _measures(comparison)
        for shown in [[row for row in rows if _is_brief(row, _level(comparison))]]
    )


def _is_brief(row: Row, alpha: float) -> bool:
    return len(row.parts) <= _BROAD or (row.adjusted is not None and row.adjusted <= alpha)


def _short_note(comparison: Comparison, shown: Sequence[Row], left_out: int) -> str:
    models = bool(comparison.readers)
    note, seen_from = (_MODELS_SHORT_NOTE, _MODELS_SEEN_FROM) if models else (_SHORT_NOTE, _SEEN_FROM)
    did_not = "differ" if models else "get worse"
    finer = ""
    if left_out:
        are = "is" if left_out == 1 else "are"
        finer = f"; {counted(left_out, 'finer row')} that did not {did_not} {are} left out here"
    return f"{_named(note, comparison).replace('{seen_from}', seen_from if _is_seen(shown) else '')}{finer}."


def _is_seen(rows: Sequence[Row]) -> bool:
    """Whether any row was tested, so that it is known what would have been seen."""
    return any(row.detectable is not None for row in rows)


def _sides(comparison: Comparison, first: str, second: str) -> tuple[str, str]:
    """What the columns of both means are called: of two models, their names."""
    return comparison.readers or (first, second)


def _named(note: str, comparison: Comparison) -> str:
    first, second = comparison.readers or ("", "")
    return note.replace("{first}", first).replace("{second}", second)


def _level(comparison: Comparison) -> float:
    """What adjusted p-values of the table's rows are found at: of two models theirs are two-sided."""
    return comparison.limits.alpha * (2 if comparison.readers else 1)


def changes_table(comparison: Comparison) -> Table:
    """What else changed: error types, outcomes, retrieval, tokens, cost and time."""
    by = _used(comparison.by, [change.parts for change in comparison.changes])
    return Table(
        name="compare-changes",
        title="What else changed",
        columns=(
            *by,
            "quantity",
            "n",
            *_sides(comparison, "baseline", "candidate"),
            "difference",
            "low",
            "high",
        ),
        rows=tuple((*_names(each.parts, by), each.quantity, *_measured(each)) for each in comparison.changes),
        note=_CHANGES_NOTE,
    )


def short_changes_table(comparison: Comparison) -> Table:
    """Those that differ at all."""
    changed = tuple(each for each in comparison.changes if each.difference)
    table = changes_table(replace(comparison, changes=changed))
    names = {"baseline": "before", "candidate": "after", "difference": "change"}
    return replace(table, columns=tuple(names.get(column, column) for column in table.columns))


def _measured(change: QuantityChange) -> tuple[TableValue, ...]:
    means = change.n, change.baseline, change.candidate, change.difference
    return *means, *_told_bounds(change)


def _told_bounds(found: Row | QuantityChange) -> tuple[float | None, float | None]:
    """The interval where clusters are enough for one."""
    return (found.low, found.high) if found.clusters >= LEAST_CLUSTERS else (None, None)


def _measures(comparison: Comparison) -> list[tuple[str, str, list[Row]]]:
    rows = rows_both_ways(comparison)
    titles = {"score": "Scores, 1 to 10", "not scored": "Trials not scored, as a share"}
    return [
        (measure, title, [row for row in rows if row.measure == measure]) for measure, title in titles.items()
    ]


def _used(by: Sequence[str], parts: Sequence[dict[str, str]]) -> tuple[str, ...]:
    """The axes that cut any of the rows; "reader" or "strategy" at least."""
    used = tuple(axis for axis in by if any(axis in each for each in parts))
    return used or tuple(by[:1]) or READER_AND_STRATEGY[:1]


def _names(parts: dict[str, str], by: Sequence[str]) -> tuple[TableValue, ...]:
    return tuple(parts.get(axis, "all") for axis in by)


def _numbers(row: Row) -> tuple[TableValue, ...]:
    return (
        row.n, row.clusters, row.baseline, row.candidate, row.difference, row.low, row.high,
        row.p, row.adjusted, row.effect, row.detectable, row.better, row.same, row.worse,
    )  # fmt: skip


def _words(row: Row, *, seen_from: bool) -> tuple[TableValue, ...]:
    counts = f"{row.better}/{row.same}/{row.worse}"
    means = (row.baseline, row.candidate, row.difference)
    seen = (row.detectable,) if seen_from else ()
    return *means, *_told_bounds(row), row.adjusted, *seen, counts


def difference(row: Row) -> str:
    """ "-0.52 [-0.91, -0.13]"; the sign is always there. "-3.00 [all alike]" where no two clusters differ."""
    if row.difference is None:
        return "–"
    mean = f"{_rounded(row.difference):+.2f}"
    low, high = _told_bounds(row)
    if low is None or high is None:
        return mean
    if is_point(low, high):
        return f"{mean} [{ALIKE}]"
    return f"{mean} [{_rounded(low):+.2f}, {_rounded(high):+.2f}]"


def _rounded(value: float) -> float:
    """Without a negative zero."""
    return round(value, 2) + 0.0


def rows_both_ways(comparison: Comparison) -> tuple[Row, ...]:
    """The table's rows; of two models p is two-sided, twice the smaller one of both ways.

    What the first could lead by and be seen is the greater of what either way would show, so that a row
    promises no more than both.
    """
    other = comparison.other_way
    if other is None:
        return comparison.rows
    back = {_key(row): row for row in other.rows}
    return tuple(_both(row, back[_key(row)]) for row in comparison.rows)


def _both(row: Row, back: Row) -> Row:
    adjusted = (
        None
        if row.adjusted is None or back.adjusted is None
        else min(1.0, 2 * min(row.adjusted, back.adjusted))
    )
    seen = None if row.detectable is None or back.detectable is None else max(row.detectable, back.detectable)
    return replace(row, p=min(1.0, 2 * min(row.p, back.p)), adjusted=adjusted, detectable=seen)


def _key(row: Row) -> tuple[str, frozenset[tuple[str, str]]]:
    return row.measure, frozenset(row.parts.items())
