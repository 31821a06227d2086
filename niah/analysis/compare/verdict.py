"""One answer: no regression, regression, or too little to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from niah.analysis.compare.axes import READER_AND_STRATEGY
from niah.analysis.compare.naming.named_rows import named_rows
from niah.analysis.compare.rows import Row
from niah.judges.verdict import LOWEST
from niah.strategies.strategy import spoken

VerdictKind = Literal["no regression", "regression", "incomplete"]

_MOST = 3 / 4
"""Of what a reader could lose: where shared luck would hide even that, nothing can be said of it."""


@dataclass(frozen=True)
class Limits:
    """When there is too little to say that nothing got worse.

    Attributes:
        alpha: how often any regression may be found where nothing changed.
        missing: the greatest share of the baseline's scored trials that may have no score in the candidate.
        detectable: the drop that must be seen in a reader, in points of score.
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
        unseen: readers that shared luck hides such a drop of, and readers with strategies in which alone it
            would often not be seen, each with what would be; that is no gap.
    """

    kind: VerdictKind
    regressions: tuple[Row, ...]
    gaps: tuple[str, ...]
    unseen: tuple[str, ...] = ()


def comparison_verdict(
    rows: Sequence[Row],
    scored_before: int,
    limits: Limits,
    *,
    nothing_changed: bool = False,
    luck_is_known: bool = False,
    models: tuple[str, str] | None = None,
) -> ComparisonVerdict:
    """The verdict.

    Args:
        rows: of the whole table.
        scored_before: trials of the baseline that have a score, and should have one in the candidate.
        limits: see there.
        nothing_changed: every answer is the same, word for word: any change would have shown.
        luck_is_known: luck that clusters share is counted in. What a bad night hides is not for want of
            trials, so it is a gap only where it hides most of what there is to lose.
        models: that are compared, rather than two nights.
    """
    worse = [row for row in rows if row.adjusted is not None and row.adjusted <= limits.alpha]
    blind = [] if nothing_changed else list(_blind_readers(rows, limits.detectable))
    dark = list(_blind_readers(rows, limits.detectable, _MOST)) if luck_is_known and blind else blind
    gaps = tuple(_gaps(rows, scored_before, limits, [whole_label(row, rows) for row in dark], models))
    hidden = [row for row in blind if row not in dark]
    alone = [] if nothing_changed else list(_unseen(rows, limits.detectable))
    unseen = tuple(dict.fromkeys(_seen_from(row, rows) for row in [*hidden, *alone]))
    kind: VerdictKind = "regression" if worse else "incomplete" if gaps else "no regression"
    return ComparisonVerdict(kind, named_rows(worse, rows), gaps, unseen)


def row_label(row: Row) -> str:
    """The row's name for people: "simulated · full context · 16-32k · middle"."""
    parts = (spoken(name) if axis == "strategy" else name for axis, name in row.parts.items())
    return " · ".join(parts) or "all"


def whole_label(row: Row, rows: Sequence[Row]) -> str:
    """The row's name where no table stands around it: "boreal · all 6 strategies · middle".

    Args:
        row: which, unless it names them, is over all readers and strategies of the rows within it.
        rows: of the whole table.
    """
    inside = [other.parts for other in rows if row.parts.items() <= other.parts.items()]
    words = []
    for axis, several in (("reader", "readers"), ("strategy", "strategies")):
        names = dict.fromkeys(parts[axis] for parts in inside if axis in parts)
        if len(names) > 1 and axis not in row.parts:
            words.append(f"{all_of(len(names))} {several}")
        elif names:
            (name, *_) = names
            words.append(spoken(name) if axis == "strategy" else name)
    words += [name for axis, name in row.parts.items() if axis not in READER_AND_STRATEGY]
    return " · ".join(words) or "all"


def all_of(count: int) -> str:
    """ "both", "all 3"."""
    return "both" if count == 2 else f"all {count}"


def _gaps(
    rows: Sequence[Row],
    scored_before: int,
    limits: Limits,
    blind: Sequence[str],
    models: tuple[str, str] | None,
) -> Iterator[str]:
    missing, (first, second) = scored_before - rows[0].n, models or ("the baseline", "the candidate")
    if missing > limits.missing * scored_before:
        yield (
            f"{missing:,} of {scored_before:,} trials ({missing / scored_before:.0%}) that have a score in"
            f" {first} have none in {second}; {limits.missing:.0%} may."
        )
    if blind:
        names = ", ".join(blind[:3]) + (" ..." if len(blind) > 3 else "")
        several = "cluster" if rows[0].clusters == 1 else "clusters"
        change = (
            f"a lead of {limits.detectable:g} points would often not be seen, even if it were everywhere"
            if models
            else f"a drop of {limits.detectable:g} points would often not be seen, even if all of a reader"
            " dropped"
        )
        yield (
            f"With {rows[0].clusters} {several} (needle set x seed, or given document) {change}, in:"
            f" {names}. More of them help most."
        )


def _blind_readers(rows: Sequence[Row], drop: float, share: float = 0.0) -> Iterator[Row]:
    """Readers (or all, where the table does not part them) in which nothing can be said of such a drop.

    A drop of a reader is one of its strategies too: it is seen if any tested row of these would show it. With
    a ``share``, a drop by that part of what the reader could lose, where that is more.
    """
    of_scores = [row for row in rows if row.measure == "score" and set(row.parts) <= set(READER_AND_STRATEGY)]
    readers = [row for row in of_scores if "reader" in row.parts]
    fewest = min((len(row.parts) for row in readers), default=0)
    for whole in [row for row in readers if len(row.parts) == fewest] or of_scores[:1]:
        own = [row for row in of_scores if whole.parts.items() <= row.parts.items()]
        tested = [row for row in own if row.adjusted is not None]
        sought = max(drop, share * ((whole.baseline or LOWEST) - LOWEST))
        if not _cannot_drop(whole, drop) and not any(_shows(row, sought) for row in tested):
            yield whole


def _unseen(rows: Sequence[Row], drop: float) -> Iterator[Row]:
    """Readers with strategies in which alone such a drop may stay unseen."""
    for row in rows:
        is_one = (
            row.measure == "score" and set(row.parts) <= set(READER_AND_STRATEGY) and "strategy" in row.parts
        )
        if is_one and not _cannot_drop(row, drop) and not _shows(row, drop):
            yield row


def _seen_from(row: Row, rows: Sequence[Row]) -> str:
    is_known = row.adjusted is not None and row.detectable is not None
    return f"{whole_label(row, rows)} ({f'from {row.detectable:.1f} on' if is_known else 'none'})"


def _shows(row: Row, drop: float) -> bool:
    return row.adjusted is not None and row.detectable is not None and row.detectable <= drop


def _cannot_drop(row: Row, drop: float) -> bool:
    return row.baseline is not None and row.baseline - LOWEST < drop
