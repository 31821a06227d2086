"""Whether two strategies are correct on the same questions (long-context-vs-rag, section 5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import row_groups
from niah.analysis.tables.rag_papers.both_sides import correct_answers
from niah.analysis.tables.table import Table, TableValue

if TYPE_CHECKING:
    from pandas import DataFrame

_NOTE = (
    "Questions over given documents that both strategies have a score for, by reader and repeat. overlap: of"
    " the questions that either is correct on, the share that both are."
)


def overlaps(frame: DataFrame) -> Table:
    """One row per reader and two strategies: what both, either one alone, and neither get right."""
    return Table(
        name="overlaps",
        title="Questions that two strategies are correct on",
        columns=(
            *("reader", "strategy", "other_strategy", "questions"),
            *("both", "only_strategy", "only_other_strategy", "neither", "overlap"),
        ),
        rows=tuple(_rows(frame[frame["origin"] == "given"])),
        note=_NOTE,
    )


def _rows(frame: DataFrame) -> Iterator[tuple[TableValue, ...]]:
    correct, question = correct_answers(frame), frame["question"].to_numpy()
    known = np.flatnonzero(~np.isnan(correct) & ~frame["is_floor"].to_numpy())
    for (reader,), rows in row_groups(frame, "reader", rows=known):
        own = {
            strategy: dict(zip(question[at].tolist(), (correct[at] == 1).tolist(), strict=True))
            for (strategy,), at in row_groups(frame, "strategy", rows=rows)
        }
        for first, second in combinations(own, 2):
            common = own[first].keys() & own[second].keys()
            pairs = [(own[first][each], own[second][each]) for each in common]
            both, one, other = (pairs.count(pair) for pair in ((True, True), (True, False), (False, True)))
            either = both + one + other
            share = both / either if either else None
            yield reader, first, second, len(pairs), both, one, other, len(pairs) - either, share
