"""A whole comparison of two runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from niah.analysis.columns import columns_of
from niah.analysis.compare.axes import DEFAULT_AXES, axes_of
from niah.analysis.compare.changes import Change, changes
from niah.analysis.compare.levels import levels, who
from niah.analysis.compare.pairs import Pairs
from niah.analysis.compare.rows import Correction, Row, rows_of
from niah.analysis.compare.verdict import Limits, Verdict, verdict
from niah.errors import UserError
from niah.runs.seeds import FIRST_ROTATING
from niah.runs.trial import TrialRecord


@dataclass(frozen=True)
class Unpaired:
    """Trials of one run that the other did not plan.

    Attributes:
        run: "baseline" or "candidate".
        why: "rotating seeds", "reader gpt-x", "strategy mixpr", "other cases or repeats".
        trials: how many.
    """

    run: str
    why: str
    trials: int


@dataclass(frozen=True)
class Comparison:
    """What two runs come to.

    Attributes:
        baseline, candidate: what they are called.
        by: axes of the table, the coarsest first.
        correction, limits, seed: how it was tested.
        pairs: trials planned in both runs.
        alike: pairs with the same answer, word for word, and the same score.
        scored_before: trials of the baseline that have a score, but for those of rotating seeds.
        verdict: the answer.
        rows: the table.
        changes: what else changed, not tested.
        unpaired: the rest.
        notes: what else differs between the runs, and what was left out for it; one line each.
        untested: why a row without an adjusted p-value was not tested.
    """

    baseline: str
    candidate: str
    by: tuple[str, ...]
    correction: Correction
    limits: Limits
    seed: int
    pairs: int
    alike: int
    scored_before: int
    verdict: Verdict
    rows: tuple[Row, ...]
    changes: tuple[Change, ...]
    unpaired: tuple[Unpaired, ...]
    notes: tuple[str, ...]
    untested: str = "too few clusters to test this row"


def compare(
    pairs: Pairs,
    *,
    names: tuple[str, str] = ("baseline", "candidate"),
    by: Sequence[str] = DEFAULT_AXES,
    correction: Correction = "holm",
    limits: Limits | None = None,
    seed: int = 0,
    notes: Sequence[str] = (),
) -> Comparison:
    """Compare the candidate's trials with the baseline's.

    Args:
        pairs: of the two runs.
        names: of baseline and candidate.
        by: axes that cut the table, the coarsest first; see ``niah.analysis.compare.axes``.
        correction: "holm" (any false alarm) or "bh" (the share of false ones).
        limits: the level, and when there is too little to say.
        seed: of the flips.
        notes: to be told with the result.

    Raises UserError where no trial is in both, and UnknownName for what is no axis.
    """
    if not pairs.baseline:
        raise UserError(
            f"{names[0]} and {names[1]} have no trial in common (case, strategy, reader and repeat).",
            "Compare runs of one suite, or name the two readers with --readers X,Y.",
        )
    chosen = limits or Limits()
    baseline, candidate = columns_of(pairs.baseline), columns_of(pairs.candidate)
    axes = axes_of(baseline, pairs.baseline, by)
    rows = rows_of(baseline, candidate, axes, correction=correction, alpha=chosen.alpha, seed=seed)
    to_find = [*pairs.baseline, *(record for record in pairs.only_baseline if not _rotating(record))]
    alike = _alike(pairs)
    scored_before = sum(record.outcome == "scored" for record in to_find)
    return Comparison(
        baseline=names[0],
        candidate=names[1],
        by=tuple(by),
        correction=correction,
        limits=chosen,
        seed=seed,
        pairs=len(pairs.baseline),
        alike=alike,
        scored_before=scored_before,
        verdict=verdict(rows, scored_before, chosen, nothing_changed=0 < alike == rows[0].n),
        rows=rows,
        changes=changes(pairs, baseline, candidate, who(levels(axes, len(pairs.baseline)))[-1]),
        unpaired=unpaired(pairs),
        notes=tuple(notes),
    )


def unpaired(pairs: Pairs) -> tuple[Unpaired, ...]:
    """What only one of the runs planned, counted by what parts it from all pairs."""
    return (
        *_unpaired("baseline", pairs.only_baseline, pairs.baseline),
        *_unpaired("candidate", pairs.only_candidate, pairs.candidate),
    )


def _alike(pairs: Pairs) -> int:
    both = zip(pairs.baseline, pairs.candidate, strict=True)
    return sum(
        one.answer != "" and _said(one) == _said(other) for one, other in both if one.score is not None
    )


def _said(record: TrialRecord) -> tuple[str, int | None]:
    return record.answer, record.score


def _unpaired(run: str, rest: Sequence[TrialRecord], paired: Sequence[TrialRecord]) -> list[Unpaired]:
    readers, strategies = ({getattr(each, name) for each in paired} for name in ("reader", "strategy"))
    counts: Counter[str] = Counter()
    for record in rest:
        if record.reader not in readers:
            counts[f"reader {record.reader}"] += 1
        elif record.strategy not in strategies:
            counts[f"strategy {record.strategy}"] += 1
        else:
            counts["rotating seeds" if _rotating(record) else "other cases or repeats"] += 1
    return [Unpaired(run, why, trials) for why, trials in sorted(counts.items())]


def _rotating(record: TrialRecord) -> bool:
    return record.seed >= FIRST_ROTATING
