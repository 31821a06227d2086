"""A whole comparison of two runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from niah.analysis.compare.axes import DEFAULT_AXES, Axis, axes_of, cut_levels, reader_strategy_levels
from niah.analysis.compare.changes import QuantityChange, quantity_changes
from niah.analysis.compare.naming.needle_sets import NeedleSets, set_drops
from niah.analysis.compare.pairs import Pairs
from niah.analysis.compare.pooled import pooled_frame
from niah.analysis.compare.rows import Row, rows_of
from niah.analysis.compare.significance.earlier_nights import (
    MODELS_LUCK,
    EarlierNights,
    earlier_nights,
    luck_note,
)
from niah.analysis.compare.significance.flip_tests import Correction
from niah.analysis.compare.verdict import ComparisonVerdict, Limits, comparison_verdict
from niah.analysis.trial_columns import Trials, trial_columns
from niah.errors import UserError
from niah.runs.seeds import is_anchor_seed
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
        readers: the two models that are compared, rather than two nights of the same ones; None of nights.
        other_way: of two models the same comparison with the first in the candidate's place, which says where
            the second is better; its rows are those of this one. None of nights.
        sets: of each row that the verdict names and that has several needle sets, what these lost.
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
    verdict: ComparisonVerdict
    rows: tuple[Row, ...]
    changes: tuple[QuantityChange, ...]
    unpaired: tuple[Unpaired, ...]
    notes: tuple[str, ...]
    readers: tuple[str, str] | None = None
    other_way: Comparison | None = None
    sets: tuple[NeedleSets, ...] = ()

    def sets_of(self, row: Row) -> NeedleSets | None:
        """What the needle sets of a row that the verdict names lost; None where it has but one."""
        return next((each for each in self.sets if each.row == row), None)

    def worst_sets(self, row: Row) -> tuple[str, ...]:
        """The needle sets that a row's drop sits in, by name; none where it sits in all alike."""
        sets = self.sets_of(row)
        return tuple(each.name for each in sets.worst) if sets else ()


def compare_models(
    pairs: Pairs,
    readers: tuple[str, str],
    *,
    names: tuple[str, str],
    by: Sequence[str],
    correction: Correction = "holm",
    limits: Limits | None = None,
    seed: int = 0,
    notes: Sequence[str] = (),
) -> Comparison:
    """Compare two models both ways, each at half of the level.

    Args:
        pairs: of the first model's trials and the second's.
        readers: what the models are called.
        names: of the runs that they are in, or of the models where that is one.
        by, correction, limits, seed, notes: as of ``compare_pairs``.

    Raises UserError where no trial is of both.
    """
    whole = limits or Limits()
    half = replace(whole, alpha=whole.alpha / 2)
    turned = Pairs(pairs.candidate, pairs.baseline, pairs.only_candidate, pairs.only_baseline)
    there, back = (
        compare_pairs(
            each, names=called, by=by, correction=correction, limits=half, seed=seed, readers=models
        )
        for each, called, models in ((pairs, names, readers), (turned, names[::-1], readers[::-1]))
    )
    return replace(
        there,
        notes=(*notes, *there.notes),
        other_way=replace(back, changes=(), unpaired=(), notes=()),
    )


def compare_pairs(
    pairs: Pairs,
    *,
    names: tuple[str, str] = ("baseline", "candidate"),
    by: Sequence[str] = DEFAULT_AXES,
    correction: Correction = "holm",
    limits: Limits | None = None,
    seed: int = 0,
    notes: Sequence[str] = (),
    earlier: Sequence[Sequence[TrialRecord]] = (),
    pool: Sequence[Sequence[TrialRecord]] = (),
    readers: tuple[str, str] | None = None,
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
        earlier: the records of whole nights before the candidate's, which tell of luck that clusters share.
        pool: the records of nights that are the baseline together with its own: each trial's mean counts.
        readers: two models, rather than two nights of the same ones.

    Raises UserError where no trial is in both, and UnknownName for what is no axis.
    """
    _check_any(pairs, names)
    chosen, sides = limits or Limits(), _sides(pairs, by, earlier, pool)
    rows = rows_of(
        *(sides.reference, sides.candidate, sides.axes),
        correction=correction,
        alpha=chosen.alpha,
        seed=seed,
        earlier=sides.earlier,
        reference_nights=1 + sides.pooled,
    )
    scored_before, alike = _scored_before(pairs), _alike(pairs)
    verdict = comparison_verdict(
        *(rows, scored_before, chosen),
        # Against a mean of several nights the same answers as in one of them are no proof.
        nothing_changed=0 < alike == rows[0].n and not sides.pooled,
        luck_is_known=sides.earlier.tell_luck,
        models=readers,
    )
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
        verdict=verdict,
        rows=rows,
        changes=sides.changes,
        unpaired=_unpaired_of(pairs),
        notes=(*notes, MODELS_LUCK if readers else luck_note(len(sides.earlier))),
        readers=readers,
        sets=sides.set_drops(verdict.regressions, seed),
    )


@dataclass(frozen=True)
class _Sides:
    """What is compared with what; the i-th rows of all are one pair.

    Attributes:
        baseline, candidate: of the two runs.
        reference: the baseline, or the mean of the nights that are it together.
        axes: that cut the table.
        earlier: what nights before the candidate's tell of luck.
        pooled: how many nights the reference has beside the baseline.
    """

    baseline: Trials
    candidate: Trials
    reference: Trials
    axes: tuple[Axis, ...]
    earlier: EarlierNights
    pooled: int

    @property
    def changes(self) -> tuple[QuantityChange, ...]:
        """What else changed between the two runs."""
        level = reader_strategy_levels(cut_levels(self.axes, len(self.baseline)))[-1]
        return quantity_changes(self.baseline, self.candidate, level)

    def set_drops(self, regressions: Sequence[Row], seed: int) -> tuple[NeedleSets, ...]:
        """Of each row that got worse and has several needle sets, what these lost."""
        drops = (set_drops(row, self.axes, self.reference, self.candidate, seed=seed) for row in regressions)
        return tuple(found for found in drops if found)


def _sides(
    pairs: Pairs,
    by: Sequence[str],
    earlier: Sequence[Sequence[TrialRecord]],
    pool: Sequence[Sequence[TrialRecord]],
) -> _Sides:
    """The pairs as columns, and what other nights add to them. Raises UnknownName."""
    n, both = len(pairs.baseline), trial_columns((*pairs.baseline, *pairs.candidate))
    baseline, candidate = both.rows(slice(n)), both.rows(slice(n, None))
    nights, others = (earlier_nights(pairs.candidate, each) for each in (earlier, pool))
    reference = pooled_frame(baseline, others) if len(others) else baseline
    return _Sides(baseline, candidate, reference, axes_of(baseline, by), nights, len(others))


def _check_any(pairs: Pairs, names: tuple[str, str]) -> None:
    """Raises UserError where no trial is in both runs."""
    if not pairs.baseline:
        raise UserError(
            f"{names[0]} and {names[1]} have no trial in common (case, strategy, reader and repeat).",
            "Compare runs of one suite, or two readers.",
        )


def _scored_before(pairs: Pairs) -> int:
    """Trials of the baseline that have a score, and that the candidate is to have too."""
    to_find = [*pairs.baseline, *(one for one in pairs.only_baseline if is_anchor_seed(one.seed))]
    return sum(record.outcome == "scored" for record in to_find)


def _alike(pairs: Pairs) -> int:
    """Pairs with the same answer, word for word, and the same score."""
    return sum(
        one.answer != "" and (one.answer, one.score) == (other.answer, other.score)
        for one, other in zip(pairs.baseline, pairs.candidate, strict=True)
        if one.score is not None
    )


def _unpaired_of(pairs: Pairs) -> tuple[Unpaired, ...]:
    """What each of the runs planned alone."""
    return (
        *_unpaired("baseline", pairs.only_baseline, pairs.baseline),
        *_unpaired("candidate", pairs.only_candidate, pairs.candidate),
    )


def _unpaired(run: str, rest: Sequence[TrialRecord], paired: Sequence[TrialRecord]) -> list[Unpaired]:
    """What only one of the runs planned, counted by what parts it from all pairs."""
    readers, strategies = ({getattr(each, name) for each in paired} for name in ("reader", "strategy"))
    counts: Counter[str] = Counter()
    for record in rest:
        if record.reader not in readers:
            counts[f"reader {record.reader}"] += 1
        elif record.strategy not in strategies:
            counts[f"strategy {record.strategy}"] += 1
        else:
            counts["other cases or repeats" if is_anchor_seed(record.seed) else "rotating seeds"] += 1
    return [Unpaired(run, why, trials) for why, trials in sorted(counts.items())]
