"""Which rows are one question: "did this reader with this strategy get worse anywhere?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from niah.analysis.compare.levels import Level, who


@dataclass(frozen=True)
class Family:
    """Rows whose worst is tested as one.

    Attributes:
        name: for people.
        rows: their places in the table.
    """

    name: tuple[str, ...]
    rows: tuple[int, ...]


def families(cuts: Sequence[Level], clusters: int, alpha: float) -> tuple[Family, ...]:
    """The families of a table whose rows stand level after level, and then level after level of not scored.

    One family for each reader and strategy, if there are clusters enough for Holm; otherwise one for each
    reader, or one for all. The coarser rows are a family too, and so are those of trials not scored. With few
    clusters the finer levels are in no family: they are not tested, and leave the coarse ones their power.
    How many clusters there are does not depend on any answer, so the choice costs no false alarm.
    """
    grounds = who(cuts)
    members = _finest(grounds, clusters, alpha)
    rows = [(level, name) for level in _tested(cuts, clusters, alpha) for name in level.names]
    first_unscored = sum(len(level.names) for level in cuts)
    scored = [
        Family(name, tuple(at for at, (_, each) in enumerate(rows) if each[: len(name)] == name))
        for name in members.names
    ]
    coarser = tuple(at for at, (level, _) in enumerate(rows) if len(level.axes) < len(members.axes))
    unscored = sum(len(level.names) for level in _tested(grounds, clusters, alpha))
    return (
        *scored,
        *([Family(("all",), coarser)] if coarser else []),
        Family(("not scored",), tuple(range(first_unscored, first_unscored + unscored))),
    )


def _finest(grounds: Sequence[Level], clusters: int, alpha: float) -> Level:
    """The finest level at which two flips out of all 2^clusters still pass Holm's first step."""
    able = [level for level in grounds if 2 * (len(level.names) + 2) <= alpha * 2.0**clusters]
    return able[-1] if able else grounds[0]


def _tested(cuts: Sequence[Level], clusters: int, alpha: float) -> Sequence[Level]:
    """The levels that have together no more rows than 2 ``alpha`` of all flips; the first always."""
    rows = list(accumulate(len(level.names) for level in cuts))
    return [
        level for level, so_far in zip(cuts, rows, strict=True) if so_far <= max(2 * alpha * 2.0**clusters, 1)
    ]
