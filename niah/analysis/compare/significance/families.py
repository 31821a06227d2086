"""Which rows of a comparison's table are tested, and which of them together, as one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from niah.analysis.compare.axes import Level, reader_strategy_levels


@dataclass(frozen=True)
class RowFamily:
    """Rows that are one question, whose worst is tested: "did this reader's lc get worse anywhere?"

    Attributes:
        name: for people.
        rows: their places in the table.
    """

    name: tuple[str, ...]
    rows: tuple[int, ...]


def row_families(levels: Sequence[Level], clusters: int, alpha: float) -> tuple[RowFamily, ...]:
    """The families of a table whose rows stand level after level, and then level after level of not scored.

    One family for each reader and strategy, if there are clusters enough for Holm; otherwise one for each
    reader, or one for all. The coarser rows are a family too, and so are those of trials not scored. With few
    clusters the finer levels are in no family: they are not tested, and leave the coarse ones their power.
    How many clusters there are does not depend on any answer, so the choice costs no false alarm.
    """
    coarse = reader_strategy_levels(levels)
    # The finest level at which two flips out of all 2^clusters still pass Holm's first step.
    able = [level for level in coarse if 2 * (len(level.names) + 2) <= alpha * 2.0**clusters]
    members = able[-1] if able else coarse[0]
    rows = [(level, name) for level in _tested(levels, clusters, alpha) for name in level.names]
    first_unscored = sum(len(level.names) for level in levels)
    scored = [
        RowFamily(name, tuple(at for at, (_, each) in enumerate(rows) if each[: len(name)] == name))
        for name in members.names
    ]
    coarser = tuple(at for at, (level, _) in enumerate(rows) if len(level.axes) < len(members.axes))
    unscored = sum(len(level.names) for level in _tested(coarse, clusters, alpha))
    return (
        *scored,
        *([RowFamily(("all",), coarser)] if coarser else []),
        RowFamily(("not scored",), tuple(range(first_unscored, first_unscored + unscored))),
    )


def _tested(levels: Sequence[Level], clusters: int, alpha: float) -> Sequence[Level]:
    """The levels that have together no more rows than 2 ``alpha`` of all flips; the first always."""
    rows = list(accumulate(len(level.names) for level in levels))
    return [
        level
        for level, so_far in zip(levels, rows, strict=True)
        if so_far <= max(2 * alpha * 2.0**clusters, 1)
    ]
