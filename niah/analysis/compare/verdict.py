"""One answer: no regression, regression, or too little to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from niah.analysis.compare.axes import READER_AND_STRATEGY
from niah.analysis.compare.rows import Row
from niah.judges.verdict import LOWEST

_MOSTLY, _BESIDE = 1 / 2, 1 / 3
"""Worse parts are named in a row's place if they have that share of its change at least, and if its other
trials changed on the average by less than that share of what these did. Of a drop that struck the whole row,
some parts pass the test by luck, and the others dropped too."""

VerdictKind = Literal["no regression", "regression", "incomplete"]


@dataclass(frozen=True)
class Limits:
    """When there is too little to say that nothing got worse.

    Attributes:
        alpha: how often any regression may be found where nothing changed.
        missing: the greatest share of the baseline's scored trials that may have no score in the candidate.
        detectable: the greatest minimum detectable drop of a reader with a strategy, in points of score.
    """

    alpha: float = 0.04
    missing: float = 0.1
    detectable: float = 1.5


@dataclass(frozen=True)
class ComparisonVerdict:
    """What a comparison comes to.

    Attributes:
        kind: a regression outweighs what is missing.
        regressions: the rows that got worse: the parts of a row in its place, unless all of them did, or
            much of the change lies outside them.
        gaps: why there would be too little to say, one line each.
    """

    kind: VerdictKind
    regressions: tuple[Row, ...]
    gaps: tuple[str, ...]


def comparison_verdict(
    rows: Sequence[Row], scored_before: int, limits: Limits, *, nothing_changed: bool = False
) -> ComparisonVerdict:
    """The verdict.

    Args:
        rows: of the whole table.
        scored_before: trials of the baseline that have a score, and should have one in the candidate.
        limits: see there.
        nothing_changed: every answer is the same, word for word: any change would have shown.
    """
    worse = [row for row in rows if row.adjusted is not None and row.adjusted <= limits.alpha]
    widest = [row for row in worse if not any(_inside(row, other) for other in worse)]
    named = tuple(name for row in widest for name in _named(row, worse, rows))
    gaps = tuple(_gaps(rows, scored_before, limits, nothing_changed))
    kind: VerdictKind = "regression" if worse else "incomplete" if gaps else "no regression"
    return ComparisonVerdict(kind, named, gaps)


def row_label(row: Row) -> str:
    """The row's name for people: "simulated · lc · 16-32k · middle"."""
    return " · ".join(row.parts.values()) or "all"


def decisive_rows(rows: Sequence[Row]) -> list[Row]:
    """The tested score rows of readers and strategies, as fine as there were clusters to test."""
    tested = [
        row
        for row in rows
        if row.measure == "score" and row.adjusted is not None and set(row.parts) <= set(READER_AND_STRATEGY)
    ]
    deepest = max((len(row.parts) for row in tested), default=0)
    return [row for row in tested if len(row.parts) == deepest]


def _named(row: Row, worse: Sequence[Row], rows: Sequence[Row]) -> list[Row]:
    """The row that got worse; or those within it that did, if not all did and most is theirs."""
    inside = [other for other in rows if _inside(other, row)]
    parts = [other for other in inside if not any(_inside(other, between) for between in inside)]
    if not parts or all(part in worse for part in parts):
        return [row]
    found = [other for other in inside if other in worse]
    highest = [other for other in found if not any(_inside(other, between) for between in found)]
    return (
        [row]
        if _struck_all(row, highest)
        else [name for other in highest for name in _named(other, worse, rows)]
    )


def _struck_all(row: Row, parts: Sequence[Row]) -> bool:
    """Whether much of the row's change lies outside the parts that are known to be worse."""
    theirs, n = sum(map(_total, parts)), sum(part.n for part in parts)
    if abs(theirs) < _MOSTLY * abs(_total(row)):
        return True
    if row.n == n:
        return False
    return (_total(row) - theirs) / (row.n - n) / (theirs / n) > _BESIDE


def _total(row: Row) -> float:
    return (row.difference or 0.0) * row.n


def _inside(finer: Row, row: Row) -> bool:
    return (
        finer.measure == row.measure
        and len(finer.parts) > len(row.parts)
        and row.parts.items() <= finer.parts.items()
    )


def _gaps(rows: Sequence[Row], scored_before: int, limits: Limits, nothing_changed: bool) -> Iterator[str]:
    missing = scored_before - rows[0].n
    if missing > limits.missing * scored_before:
        yield (
            f"{missing:,} of {scored_before:,} trials ({missing / scored_before:.0%}) that have a score in"
            f" the baseline have none in the candidate; {limits.missing:.0%} may."
        )
    blind = [row for row in decisive_rows(rows) if _is_blind(row, limits.detectable)]
    if blind and not nothing_changed:
        names = ", ".join(row_label(row) for row in blind[:3]) + (" ..." if len(blind) > 3 else "")
        yield (
            f"With {rows[0].clusters} clusters (needle set x seed, or given document) a drop of"
            f" {limits.detectable:g} points would often not be seen in: {names}. More of them help most."
        )


def _is_blind(row: Row, drop: float) -> bool:
    """Whether a drop that there could be would often not be seen."""
    if row.baseline is not None and row.baseline - LOWEST < drop:
        return False
    return row.detectable is None or row.detectable > drop
