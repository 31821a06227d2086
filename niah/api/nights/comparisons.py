"""Tonight beside the night it is compared with, and beside a baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from niah.analysis.compare.comparison import Comparison, compare_pairs
from niah.analysis.compare.verdict import Limits
from niah.analysis.nights.culprits import worst_trials
from niah.analysis.sequential.adaptive import AdaptiveResult
from niah.api.nights.adaptive_night import AdaptiveNight
from niah.api.nights.references import BASELINE, Comparable, EarlierRuns
from niah.errors import RunFileError
from niah.runs.file.read_model import RunContents, read_run
from niah.runs.trial import TrialRecord

SAME_REFERENCE = (
    "nights that are compared with the same run share its luck: a false alarm of one is likelier on the next"
)


@dataclass(frozen=True)
class NightOutcome:
    """What tonight's comparisons come to, each by what tonight is compared with.

    Attributes:
        before: the records of those runs; the night's first, the baseline's last.
        comparisons: of tonight with them.
        hindrances: why one could not be compared with.
        worst_trials: for each row that got worse, the trial that fell most.
        adaptive: how a night went that asked no more trials than it needed.
    """

    before: Mapping[str, Sequence[TrialRecord]]
    comparisons: Mapping[str, Comparison]
    hindrances: Mapping[str, str]
    worst_trials: Mapping[str, tuple[str, ...]]
    adaptive: AdaptiveResult | None


@dataclass(frozen=True)
class _Side:
    """A run that tonight is compared with.

    Attributes:
        role: what it is, in words.
        run: what it holds.
        find: says how it compares with tonight's run, or another in its place. Raises RunFileError.
    """

    role: str
    run: RunContents
    find: Callable[[RunContents], Comparable]


class NightComparisons:
    """Everything that tonight is compared with.

    Args:
        earlier: what there is.
        path: of tonight's run file.
        limits: the level of the night, whatever it is compared with.
        nights: records of earlier nights, which tell of luck that clusters share.
        common: where tonight and an earlier run differ, compare what they have in common.

    Raises RunFileError where an earlier run cannot be read.
    """

    def __init__(
        self,
        earlier: EarlierRuns,
        path: Path,
        limits: Limits,
        nights: Sequence[Sequence[TrialRecord]],
        *,
        common: bool,
    ) -> None:
        self._earlier, self._path, self._limits, self._nights = earlier, path, limits, nights
        self._sides: list[_Side] = []
        if earlier.night_run and not earlier.baseline_is_night:
            self._sides.append(
                _Side(earlier.role, earlier.night_run, lambda run: earlier.comparable_night(run, common))
            )
        if earlier.baseline_run:
            self._sides.append(
                _Side(BASELINE, earlier.baseline_run, lambda run: earlier.comparable_baseline(run, common))
            )

    def adaptive(self, seed: int) -> AdaptiveNight | None:
        """A night that asks no more trials than it needs against the baseline, or else the last whole night.

        None where there is neither. ``seed`` is of the order of trials.
        """
        side = next(reversed(self._sides), None)
        if side is None or (side.role != BASELINE and not self._earlier.is_whole):
            return None
        return AdaptiveNight(
            side.find, self._path, self._limits, seed, nights=self._nights, notes=self._notes(side)
        )

    def outcome(self, looks: AdaptiveNight | None) -> NightOutcome:
        """What tonight comes to, once it is run."""
        tonight = read_run(self._path)
        before = {side.role: side.run.records for side in self._sides}
        comparisons: dict[str, Comparison] = {}
        hindrances: dict[str, str] = {}
        worst: dict[str, tuple[str, ...]] = {}
        adaptive = None
        for side in self._sides[-1:] if looks else self._sides:
            try:
                if looks:
                    found, comparison, adaptive = looks.outcome()
                else:
                    found = side.find(tonight)
                    comparison = self._compared(side, found)
            except RunFileError as error:  # of another config, say: the night is run, and only this is lost
                hindrances[side.role] = str(error)
                continue
            comparisons[found.role] = comparison
            worst[found.role] = worst_trials(comparison, found.pairs)
            before = {
                (found.role if role == side.role else role): (
                    found.run.records if role == side.role else records
                )
                for role, records in before.items()
            }
        return NightOutcome(before, comparisons, hindrances, worst, adaptive)

    def _compared(self, side: _Side, found: Comparable) -> Comparison:
        """All of tonight against one run, or the mean of nights of which it is the latest."""
        pooled = self._earlier.pooled if side.role != BASELINE else None
        return compare_pairs(
            found.pairs,
            names=(str(found.run.path), str(self._path)),
            limits=replace(self._limits, alpha=self._limits.alpha / len(self._sides)),
            notes=(*found.notes, *self._notes(side), *([pooled.note] if pooled else [])),
            earlier=self._nights,
            pool=[run.records for run in pooled.runs[1:]] if pooled else (),
        )

    def _notes(self, side: _Side) -> tuple[str, ...]:
        again = side.role == BASELINE or self._earlier.refused_since
        return (SAME_REFERENCE,) if again else ()
