"""A table's words for people: heads, cells and note; CSV files keep names and numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

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
_WHOLE_SCALES = {(0, 1), (1, 10), (-1, 1), (-9, 9)}
"""Of shares, of scores, and of differences between either: an interval as wide says nothing."""

_BAND = re.compile(r"(?<=\d)-(?=\d+k$)")
"""Of a band of lengths, "16-32k" in CSV files."""

TOO_FEW = "too few"
_TOO_FEW_NOTE = f" {TOO_FEW}: of so few clusters no interval tells anything."


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
    vague = any(has_vague_interval(table, row) for row in table.rows)
    return (note + _TOO_FEW_NOTE).strip() if vague else note


def shown_row(table: Table, row: Sequence[TableValue]) -> list[str]:
    """The cells of a row as people read them, such as "too few" for bounds that say nothing."""
    vague = has_vague_interval(table, row)

    def shown(column: str, value: TableValue) -> str:
        if vague and column in ("low", "high"):
            return TOO_FEW
        if column == "strategy" and isinstance(value, str):
            return spoken(value)
        said = format_value(value)
        return _BAND.sub("–", said) if column in ("length", "band") else said

    return [shown(column, value) for column, value in zip(table.columns, row, strict=True)]


def has_vague_interval(table: Table, row: Sequence[TableValue]) -> bool:
    """Whether the row has an estimate whose interval is the whole scale, or could not be told."""
    if "low" not in table.columns or "high" not in table.columns:
        return False
    at = table.columns.index("low")
    low, high, estimate = row[at], row[table.columns.index("high")], row[at - 1] if at else None
    if low is None and high is None:
        return isinstance(estimate, float)
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


def _head(column: str) -> str:
    return _HEADS.get(column) or _SIDE.sub(lambda side: _SIDES[side[1]], column.replace("_", " "))
