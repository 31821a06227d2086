"""A table's words for people: heads, cells and note; CSV files keep names and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from niah.analysis.stats import ALIKE, LEAST_CLUSTERS, is_point
from niah.analysis.tables.table import Table, TableValue
from niah.strategies.strategy import spoken

_HEADS = {
    "win_rate": "wins or ties",
    "rag_better": "RAG better",
    "lc_better": "full context better",
    "only_rag": "only RAG",
    "only_lc": "only full context",
    "not_paired": "without a pair",
    "p_adjusted": "adjusted p",
}
"""What columns are called where the name in CSV files, without its underscores, says too little."""

_SIDES = {"lc": "full context", "rag": "RAG"}
_SIDE = re.compile(r"\b(lc|rag)\b")
_MONEY = " in $"
"""Ends the name of a quantity that is money."""

_WHOLE_SCALES = {(0, 1), (1, 10), (-1, 1), (-9, 9)}
"""Of shares, of scores, and of differences between either: an interval as wide says nothing."""

_BAND = re.compile(r"(?<=\d)-(?=\d+k$)")
"""Of a band of lengths, "16-32k" in CSV files."""

TOO_FEW = "too few"
_TOO_FEW_NOTE = (
    f" {TOO_FEW}: of fewer than {LEAST_CLUSTERS} clusters, or where it would be the whole scale, an interval"
    " tells nothing."
)
_ALIKE_NOTE = (
    f" {ALIKE}: every cluster came to the same value, so nothing tells how far others may be from it. That"
    " is no proof that there is no difference."
)
_BOUNDS = {"low": ("clusters", "documents"), "low_other_sets": ("sets",)}
"""Columns of lower bounds, whose upper ones are called alike, with those that may count clusters."""


def heads_of(table: Table) -> list[str]:
    """The columns as people read them: "wins or ties" for win_rate."""
    return [_head(column) for column in table.columns]


def note_of(table: Table) -> str:
    """The note, which calls columns as their heads do, and says what "too few" means where it stands."""
    note = table.note
    for name in sorted(
        {*_HEADS, *(column for column in table.columns if "_" in column)}, key=len, reverse=True
    ):
        note = re.sub(rf"\b{re.escape(name)}\b(?! in CSV)", _head(name), note)
    notes = [
        words
        for words, columns in ((_TOO_FEW_NOTE, _vague_columns), (_ALIKE_NOTE, _alike_columns))
        if any(columns(table, row) for row in table.rows)
    ]
    if not notes:
        return note
    return f"{note}{'' if not note or note.endswith('.') else '.'}{''.join(notes)}".strip()


def shown_row(table: Table, row: Sequence[TableValue]) -> list[str]:
    """The cells of a row as people read them, such as "too few" for bounds that say nothing."""
    vague, alike = _vague_columns(table, row), _alike_columns(table, row)

    def shown(column: str, value: TableValue) -> str:
        if column in vague:
            return TOO_FEW
        if column in alike:
            return ALIKE
        if column == "strategy" and isinstance(value, str):
            return spoken(value)
        if column == "what" and isinstance(value, str) and "_" in value:  # the name of a column elsewhere
            return _head(value)
        said = _money(value) if is_money and isinstance(value, float) else format_value(value)
        return _BAND.sub("–", said) if column in ("length", "band") else said

    is_money = any(isinstance(cell, str) and cell.endswith(_MONEY) for cell in row)
    return [shown(column, value) for column, value in zip(table.columns, row, strict=True)]


def words_in_row(table: Table, row: Sequence[TableValue]) -> dict[str, str]:
    """What cells of bounds say in place of a number, by the place of their column: "too few", "all alike"."""
    said = dict.fromkeys(_alike_columns(table, row), ALIKE) | dict.fromkeys(
        _vague_columns(table, row), TOO_FEW
    )
    return {str(table.columns.index(column)): words for column, words in said.items()}


def _alike_columns(table: Table, row: Sequence[TableValue]) -> set[str]:
    """The columns of bounds that are one number, though of clusters enough."""
    if _BOUNDS.keys().isdisjoint(table.columns):
        return set()
    values = dict(zip(table.columns, row, strict=True))
    bounds = ((lower, lower.replace("low", "high")) for lower in _BOUNDS if lower in values)
    found = {name for pair in bounds if _is_point(*(values.get(name) for name in pair)) for name in pair}
    return found - _vague_columns(table, row)


def _is_point(low: TableValue, high: TableValue) -> bool:
    return isinstance(low, float) and isinstance(high, float) and is_point(low, high)


def _vague_columns(table: Table, row: Sequence[TableValue]) -> set[str]:
    """The columns of bounds that say nothing in this row."""
    if _BOUNDS.keys().isdisjoint(table.columns):
        return set()
    values = dict(zip(table.columns, row, strict=True))
    vague: set[str] = set()
    for lower, counted in _BOUNDS.items():
        upper = lower.replace("low", "high")
        if lower in values and upper in values and _is_vague(table, values, lower, upper, counted):
            vague |= {lower, upper}
    return vague


def _is_vague(
    table: Table, values: Mapping[str, TableValue], lower: str, upper: str, counted: Sequence[str]
) -> bool:
    low, high = values[lower], values[upper]
    clusters = next((values[name] for name in counted if name in values), None)
    if isinstance(clusters, int):
        return 0 < clusters < LEAST_CLUSTERS or (low, high) in _WHOLE_SCALES
    if low is None and high is None:
        at = table.columns.index(lower)
        return at > 0 and isinstance(values[table.columns[at - 1]], int | float)
    return (low, high) in _WHOLE_SCALES


def format_value(value: TableValue) -> str:
    """A value for people: "–" for None, thousands with commas, at most two decimals.

    A number nearer to 0 than 0.01 keeps two significant digits instead, and a whole one of a thousand or more
    has no decimals: it is a count of tokens.
    """
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case str():
            return value
        case int():
            return f"{value:,}"
    if abs(value) >= 1000 and value.is_integer():
        return f"{value:,.0f}"
    # Written out: people read 0.000086 sooner than 8.6e-05.
    return f"{Decimal(f'{value:.2g}'):f}" if 1e-9 < abs(value) < 0.01 else f"{value:,.2f}"


def _money(value: float) -> str:
    """A cent is much for a small run: below a dollar three significant digits."""
    return f"{Decimal(f'{value:.3g}'):f}" if 1e-9 < abs(value) < 1 else format_value(value)


def _head(column: str) -> str:
    return _HEADS.get(column) or _SIDE.sub(lambda side: _SIDES[side[1]], column.replace("_", " "))
