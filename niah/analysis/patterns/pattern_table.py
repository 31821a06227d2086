"""Error patterns, found or not (u-niah, table 3)."""

from __future__ import annotations

from collections.abc import Iterable

from niah.analysis.patterns.pattern import Dependence, Pattern
from niah.analysis.tables.table import Table, TableValue

_NOTE = (
    "threshold: the condition's cut, a share of noise, a depth in % or tokens; threshold_low and"
    " threshold_high: 95 % of the cuts found where clusters are resampled, out to the values tried next to"
    " them; between 32k and 64k nobody knows where a cut lies. effect: mean behaviour under"
    " the condition minus without it, among trials of the same needle set, seed and reader; relative: the"
    " same as a share of the mean without it; low and high: 95 % interval at this threshold, clusters"
    " (needle set × seed) resampled as if each had luck of its own. p_adjusted: for the number of patterns"
    " tried (Holm). answer: found where it is at most 5 %, in the pattern's direction; not found where ten"
    " points would have been found in four of five such runs, or low and high rule them out;"
    " elsewhere, and of fewer than five clusters, there is too little to tell. power: the chance that ten"
    " points would have been found; detectable: what would"
    " have been in four of five, empty where nothing would. n: scored trials"
    " compared, n_condition of them under the condition. by_reader, by_length: the effect at the greatest"
    " minus at the smallest, empty where that is not known to differ from 0; readers go by their sizes, or,"
    " where no config states two that differ, by their mean scores."
)


def pattern_table(patterns: Iterable[Pattern]) -> Table:
    """One row per pattern that was tried and had trials to compare."""
    return Table(
        name="error-patterns",
        title="Error patterns",
        columns=(
            *("pattern", "condition", "threshold", "threshold_low", "threshold_high"),
            *("behaviour", "answer", "effect", "low", "high", "relative", "p_adjusted"),
            *("power", "detectable", "n", "n_condition", "by_reader", "by_length"),
        ),
        rows=tuple(_row(p) for p in patterns if p.effect is not None),
        note=_NOTE,
    )


def _row(p: Pattern) -> tuple[TableValue, ...]:
    what = (p.name, p.condition, p.threshold, p.threshold_low, p.threshold_high, p.behaviour, p.answer)
    how_much = (p.effect, p.low, p.high, p.relative, p.p_adjusted, p.power, p.detectable)
    slopes = (_slope(p.size_dependence), _slope(p.length_dependence))
    return (*what, *how_much, p.n, p.n_condition, *slopes)


def _slope(dependence: Dependence | None) -> float | None:
    return dependence.slope if dependence is not None and dependence.found else None
