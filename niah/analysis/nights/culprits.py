"""Behind each thing that got worse, one trial to look at first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from niah.analysis.compare.axes import axes_of
from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.pairs import Pairs
from niah.analysis.compare.rows import Row
from niah.analysis.trial_columns import trial_columns
from niah.judges.verdict import LOWEST
from niah.runs.trial import TrialRecord


def worst_trials(comparison: Comparison, pairs: Pairs) -> tuple[str, ...]:
    """For each row that got worse, in order, the id of its trial that fell most; the first of several.

    A trial without a score counts as one with the lowest where the row is of trials not scored, and is left
    out where it is of scores. "" where no trial of a row fell. Where the drop sits in some needle sets, it is
    one of theirs.

    Args:
        comparison: whose verdict names the rows.
        pairs: that were compared.
    """
    regressions = comparison.verdict.regressions
    if not regressions:
        return ()
    axes = axes_of(trial_columns(pairs.candidate), comparison.by)
    parts = [{axis.name: axis.names[axis.codes[at]] for axis in axes} for at in range(len(pairs.candidate))]
    return tuple(_worst(row, _places(row, comparison, parts, pairs), pairs) for row in regressions)


def _places(row: Row, comparison: Comparison, parts: Sequence[Mapping[str, str]], pairs: Pairs) -> list[int]:
    """The places of a row's pairs: those of its worst needle sets, if it has any."""
    sets = comparison.worst_sets(row)
    return [
        at
        for at, part in enumerate(parts)
        if row.parts.items() <= part.items() and (not sets or pairs.candidate[at].needle_set in sets)
    ]


def _worst(row: Row, places: list[int], pairs: Pairs) -> str:
    falls = [
        (fall, pairs.candidate[at].trial_id)
        for at in places
        for fall in _falls(row, pairs.baseline[at], pairs.candidate[at])
    ]
    return falls[int(np.argmax([fall for fall, _ in falls]))][1] if falls else ""


def _falls(row: Row, before: TrialRecord, after: TrialRecord) -> Iterator[float]:
    """By how much the trial fell, if it did: at most one."""
    if row.measure == "score":
        fell = before.score is not None and after.score is not None and before.score > after.score
    else:
        fell = before.score is not None and after.outcome not in ("scored", "not_run")
    if fell:
        yield float(before.score or 0) - float(after.score or LOWEST)
