"""One night: ask what the run config says, compare it with earlier runs, and come to one verdict."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from niah.analysis.compare.comparison import Comparison, compare_pairs
from niah.analysis.compare.pairs import Pairs
from niah.analysis.compare.verdict import Limits
from niah.analysis.nights.night_verdict import NightVerdict, assess_night
from niah.analysis.nights.pooled_nights import LOOKED_AT, PooledNights, pooled_nights
from niah.analysis.sequential.adaptive import (
    AdaptiveResult,
    adaptive_comparison,
    design_of,
    needed_trials,
)
from niah.analysis.sequential.design import Arm, DesignUnit, SequentialDesign
from niah.api.compare import comparable_pairs, nights_to_learn_from
from niah.errors import RunFileError, UserError
from niah.runs.config import RunConfig
from niah.runs.cost.budget import Budget
from niah.runs.execution.session import RunOptions, RunResult, Shown, conduct
from niah.runs.file.nights import Skipped, night_before, whole_night_before, whole_nights_before
from niah.runs.file.read_model import read_run
from niah.runs.trial import TrialRecord

BASELINE = "the baseline"

SAME_REFERENCE = (
    "nights that are compared with the same run share its luck: a false alarm of one is likelier on the next"
)


@dataclass(frozen=True)
class NightlyResult:
    """What came of a night.

    Attributes:
        run: what the run file holds afterwards.
        verdict: None where the run was stopped: nothing can be said of a part.
    """

    run: RunResult
    verdict: NightVerdict | None


@dataclass(frozen=True)
class EarlierRuns:
    """What tonight may be compared with.

    Attributes:
        role: what the latest night is: "last night", or "the last whole night" where later ones are not.
        night: its run file; None in the first night.
        is_whole: whether it has run all its trials.
        baseline: the run that the user named.
    """

    role: str
    night: Path | None
    is_whole: bool
    baseline: Path | None

    @property
    def by_role(self) -> dict[str, Path]:
        """The run files, by what tonight's verdict calls them."""
        named = {self.role: self.night, BASELINE: self.baseline}
        return {role: path for role, path in named.items() if path is not None}

    @property
    def reference(self) -> tuple[str, Path] | None:
        """The one run that an adaptive night is compared with, and its role."""
        if self.baseline:
            return BASELINE, self.baseline
        return (self.role, self.night) if self.night and self.is_whole else None


def run_night(
    config: RunConfig,
    tonight: date,
    path: Path,
    *,
    progress: Shown,
    say: Callable[[str], None],
    settings: dict[str, Any],
    baseline: Path | None = None,
    budget: Budget | None = None,
    cache: bool = False,
    on: Literal["local", "ray"] = "local",
    limits: Limits | None = None,
    common: bool = False,
    adaptive: bool = False,
    pool: int | None = None,
    accepted_since: date | None = None,
) -> NightlyResult:
    """Run a config for one night, and compare it with the night before and with a baseline.

    The same night again goes on where it was stopped.

    Args:
        config: resolved for that date.
        tonight: the night's date.
        path: its run file; nights before it are looked for in the same folder.
        progress: makes the progress display.
        say: is called with what the user should know meanwhile, one line each.
        settings: as resolved, with their sources, for the run file.
        baseline: the run file of a run to compare with besides last night's.
        budget: of the night; the config's without it.
        cache: take answers of earlier runs. A model that changed behind its name must be asked.
        on: this process, or a Ray cluster.
        limits: the level of the night, whatever it is compared with, and when there is too little to say.
        common: where tonight and an earlier run differ, compare what they have in common.
        adaptive: ask no more trials than the verdict needs, against the baseline or the last whole night.
        pool: compare with the mean of so many accepted nights in place of last night; see
            ``niah.analysis.nights.pooled_nights``.
        accepted_since: the night from which on a lasting change was accepted: earlier ones are not pooled.

    Raises UserError, before anything is asked, for mistakes in the config, for a baseline that cannot be
    read, and for options that do not go together.
    """
    limits = limits or Limits()
    earlier = earlier_runs(config.name, path, tonight, baseline, say)
    pooled = _pooled(pool, accepted_since, config.name, path, tonight, limits, say, adaptive=adaptive)
    if pooled:
        earlier = replace(earlier, role=pooled.role, night=pooled.runs[0].path)
    before = {role: read_run(other).records for role, other in earlier.by_role.items()}
    nights = nights_to_learn_from(path.parent, config.name, tonight)
    others, looks = earlier.by_role, None
    if adaptive and earlier.reference:
        others = dict([earlier.reference])
        notes = (SAME_REFERENCE,) if earlier.baseline else ()
        looks = AdaptiveNight(
            *(earlier.reference[1], path, limits, tonight.toordinal()),
            common=common,
            nights=nights,
            notes=notes,
        )
    elif adaptive:
        say("no whole night to compare with yet: all trials are asked.")
    options = RunOptions(
        path, budget=budget or config.budget, cache=cache, on=on, choose=looks.chosen if looks else None
    )
    run = conduct(config, options, settings, progress, say)
    if run.stopped or run.ledger.stopped:
        return NightlyResult(run, None)
    shared = replace(limits, alpha=limits.alpha / max(len(others), 1))
    comparisons: dict[str, Comparison] = {}
    hindrances: dict[str, str] = {}
    looked: AdaptiveResult | None = None
    for role, other in others.items():
        try:
            if looks:
                comparisons[role], looked = looks.outcome()
            else:
                comparisons[role] = _compared(
                    *(other, path, shared, None if role == BASELINE else pooled),
                    common=common,
                    nights=nights,
                    notes=(SAME_REFERENCE,) if role == BASELINE else (),
                )
        except RunFileError as error:  # of another config, say: the night is run, and only this is lost
            hindrances[role] = str(error)
    verdict = assess_night(
        str(tonight), run.records, before, config.seeds.anchor, comparisons, hindrances, looked
    )
    return NightlyResult(run, verdict)


def _compared(
    reference: Path,
    tonight: Path,
    limits: Limits,
    pooled: PooledNights | None,
    *,
    common: bool,
    nights: Sequence[Sequence[TrialRecord]],
    notes: tuple[str, ...],
) -> Comparison:
    """All of tonight against one run, or the mean of nights of which it is the latest.

    Raises RunFileError where the two do not compare.
    """
    pairs, own = comparable_pairs(read_run(reference), read_run(tonight), common=common)
    return compare_pairs(
        pairs,
        names=(str(reference), str(tonight)),
        limits=limits,
        notes=(*own, *notes, *([pooled.note] if pooled else [])),
        earlier=nights,
        pool=[run.records for run in pooled.runs[1:]] if pooled else (),
    )


def _pooled(
    count: int | None,
    since: date | None,
    name: str,
    path: Path,
    tonight: date,
    limits: Limits,
    say: Callable[[str], None],
    *,
    adaptive: bool,
) -> PooledNights | None:
    """The nights whose mean tonight is compared with; None where that is not asked for, or there are none."""
    if count is None:
        if since:
            raise UserError(
                "--accepted-since says from when on nights are pooled, and none are.",
                "Name how many: --pool N.",
            )
        return None
    if adaptive:
        raise UserError(
            "an adaptive night is compared with one run, and not with the mean of several.",
            "Leave out --pool or --adaptive.",
        )
    nights = whole_nights_before(path.parent, name, tonight, LOOKED_AT * count)
    pooled = pooled_nights(nights, count, limits, since)
    if not pooled.runs:
        say("no whole night to pool yet.")
        return None
    return pooled


def earlier_runs(
    name: str, path: Path, tonight: date, baseline: Path | None, say: Callable[[str], None]
) -> EarlierRuns:
    """What there is to compare with tonight, which will be ``path``, of the run called ``name``.

    ``say`` is called with one line for each earlier night that cannot be used. Raises RunFileError for a
    baseline that is tonight's own file.
    """
    if baseline and baseline.resolve() == path.resolve():
        raise RunFileError(f"{baseline} is tonight's own run file.", "Name another run as --baseline.")
    if not path.parent.is_dir():
        return EarlierRuns("last night", None, False, baseline)

    def say_skipped(skipped: Skipped) -> None:
        named = str(skipped.path) in skipped.reason
        say(skipped.reason if named else f"{skipped.path}: {skipped.reason}")

    last = night_before(path.parent, name, tonight, say_skipped)
    whole = whole_night_before(path.parent, name, tonight)
    chosen = whole or last
    role = "last night" if chosen == last else "the last whole night"
    return EarlierRuns(role, chosen.path if chosen else None, whole is not None, baseline)


class AdaptiveNight:
    """Which of tonight's trials are needed next, and what they come to.

    Args:
        reference: the run file to compare with.
        tonight: tonight's, which ``chosen`` is asked about.
        limits: of the verdict; its level is the design's.
        seed: of the order of trials.
        common: where the two differ, compare what they have in common.
        nights: records of earlier nights, which tell of luck that clusters share.
        notes: to be told with the comparison.

    Raises RunFileError where the reference cannot be read.
    """

    def __init__(
        self,
        reference: Path,
        tonight: Path,
        limits: Limits,
        seed: int,
        *,
        common: bool,
        nights: Sequence[Sequence[TrialRecord]],
        notes: tuple[str, ...],
    ) -> None:
        self._before, self._nights, self._notes = read_run(reference), nights, notes
        self._names = str(reference), str(tonight)
        self._tonight = tonight
        self._limits, self._seed, self._common = limits, seed, common
        self._arms: Mapping[Arm, tuple[DesignUnit, ...]] | None = None

    def chosen(self, records: Sequence[TrialRecord]) -> Collection[str]:
        """The ids of the trials that are needed next: all where nothing can be compared.

        Then the night is worth its trials all the same, since the next one can be compared with it. The same
        holds where what was asked no longer compares, such as answers that another judge's version judged.
        """
        planned = {record.trial_id for record in records}
        try:
            design, pairs, _ = self._design()
        except RunFileError:
            return planned
        if self._arms not in (None, design.arms):
            return planned
        self._arms = design.arms
        return needed_trials(design, pairs, self._nights) | (
            planned - {record.trial_id for record in pairs.candidate}
        )

    def outcome(self) -> tuple[Comparison, AdaptiveResult]:
        """The comparison and its design's verdict. Raises RunFileError where the two do not compare."""
        design, pairs, notes = self._design()
        notes = (*notes, *self._notes)
        return adaptive_comparison(
            design, pairs, names=self._names, limits=self._limits, notes=notes, nights=self._nights
        )

    def _design(self) -> tuple[SequentialDesign, Pairs, tuple[str, ...]]:
        """The design, with the pairs of the baseline and of tonight as it stands, and notes on the others."""
        pairs, notes = comparable_pairs(self._before, read_run(self._tonight), common=self._common)
        design = design_of(pairs, self._limits.alpha, self._seed)
        if not design.arms:
            raise RunFileError(
                f"{self._names[0]} has run none of the trials of {self._names[1]}.", "Name a run that has."
            )
        return design, pairs, notes
