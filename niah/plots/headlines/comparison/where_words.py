"""Where within what got worse, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from niah.analysis.compare.axes import READER_AND_STRATEGY, THIRDS
from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.naming.named_rows import parts_within, worst_part
from niah.analysis.compare.naming.needle_sets import NeedleSets
from niah.analysis.compare.rows import Row
from niah.analysis.compare.significance.weights import clusters_to_test
from niah.analysis.compare.tables import difference
from niah.analysis.compare.verdict import all_of, whole_label
from niah.analysis.stats.interval import LEAST_CLUSTERS

_SEVERAL = {
    "reader": "readers",
    "strategy": "strategies",
    "length_band": "lengths",
    "context_length": "lengths",
    "depth": "depths",
    "needle_set": "needle sets",
    "question_set": "question sets",
}


def where_words(row: Row, comparison: Comparison, *, turned: bool = False) -> Iterator[str]:
    """The part that is clearly worse than the rest, and the needle sets that are, set in.

    Where there is none: what was looked at, or that there is too little to tell.

    Args:
        row: that got worse.
        comparison: whose row it is.
        turned: of two models, whether it is told of the other one, which is better there.
    """
    rows, alpha = comparison.rows, comparison.limits.alpha
    inside = parts_within(row, rows)
    sets = comparison.sets_of(row)
    worst = worst_part(row, inside, alpha)
    if worst:
        part, elsewhere = (
            (turned_row(worst.row), -worst.elsewhere) if turned else (worst.row, worst.elsewhere)
        )
        yield (
            f"  most in {whole_label(part, rows)}: {difference(part)} (n = {part.n:,}),"
            f" elsewhere {elsewhere:+z.2f}"
        )
    if sets:
        yield from _set_lines(sets, rows, turned=turned)
    if worst or (sets and sets.worst) or not (inside or sets):
        return
    if row.clusters < LEAST_CLUSTERS or any(each.adjusted is None for each in inside):
        needed = clusters_to_test(sum(each.measure == row.measure for each in rows), alpha)
        most = max(needed, LEAST_CLUSTERS)
        yield f"  too few clusters to tell which part: {row.clusters}, {most} are needed"
    else:
        yield f"  {_alike(row, inside, sets, 'better' if turned else 'worse')}"


def _set_lines(sets: NeedleSets, rows: Sequence[Row], *, turned: bool) -> Iterator[str]:
    """A line for each needle set that is clearly worse than those that are not."""
    label, sign = whole_label(sets.row, rows), -1 if turned else 1
    for each in sets.worst:
        first, second = (each.baseline, each.candidate)[::sign]
        change, elsewhere = sign * each.difference, sign * sets.elsewhere.difference
        yield (
            f"  most in {label} · needle set {each.name}: {first:.2f} -> {second:.2f}, {change:+z.2f}"
            f" (n = {each.n:,}), elsewhere {elsewhere:+z.2f}"
        )


def _alike(row: Row, inside: Sequence[Row], sets: NeedleSets | None, worse: str) -> str:
    """What was looked at, none of which is clearly worse: everywhere, or within the row's own place."""
    parts = {
        axis: dict.fromkeys(each.parts[axis] for each in inside if axis in each.parts)
        for axis in _SEVERAL
        if axis not in row.parts
    }
    looked = [f"{all_of(len(names))} {_SEVERAL[axis]}" for axis, names in parts.items() if len(names) > 1]
    if sets and sets.is_told:
        looked.append(f"{all_of(len(sets.names))} needle sets")
    none = f"none is clearly {worse} than the rest"
    if sets and not sets.is_told:
        too_few = f"too few clusters to tell {all_of(len(sets.names))} needle sets apart"
        return f"of {_listed(looked)} {none}; {too_few}" if looked else too_few
    places = [
        f"the {name}" if name in THIRDS else name
        for axis, name in row.parts.items()
        if axis not in READER_AND_STRATEGY
    ]
    return f"{f'within {_listed(places)}' if places else 'everywhere'} alike: {_listed(looked)}; {none}"


def _listed(words: Sequence[str]) -> str:
    """ "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def turned_row(row: Row) -> Row:
    """The same seen from the other side: the candidate's means in the baseline's place."""
    low, high = row.low, row.high
    return replace(
        row,
        baseline=row.candidate,
        candidate=row.baseline,
        difference=None if row.difference is None else -row.difference,
        low=None if high is None else -high,
        high=None if low is None else -low,
    )
