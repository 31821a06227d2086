"""A night that asks no more trials than its verdict needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.verdict import Limits
from niah.analysis.sequential.adaptive import (
    AdaptiveResult,
    adaptive_comparison,
    design_of,
    needed_trials,
)
from niah.analysis.sequential.design import Arm, DesignUnit, SequentialDesign
from niah.api.nights.references import Comparable
from niah.errors import RunFileError
from niah.runs.file.read_model import RunContents, read_run
from niah.runs.trial import TrialRecord


class AdaptiveNight:
    """Which of tonight's trials are needed next, and what they come to.

    Args:
        reference: says what the run of tonight, as it stands, is compared with. Raises RunFileError.
        tonight: the run file that ``chosen`` is asked about.
        limits: of the verdict; its level is the design's.
        seed: of the order of trials.
        nights: records of earlier nights, which tell of luck that clusters share.
        notes: to be told with the comparison.
    """

    def __init__(
        self,
        reference: Callable[[RunContents], Comparable],
        tonight: Path,
        limits: Limits,
        seed: int,
        *,
        nights: Sequence[Sequence[TrialRecord]],
        notes: tuple[str, ...],
    ) -> None:
        self._reference, self._tonight = reference, tonight
        self._nights, self._notes = nights, notes
        self._limits, self._seed = limits, seed
        self._arms: Mapping[Arm, tuple[DesignUnit, ...]] | None = None

    def chosen(self, records: Sequence[TrialRecord]) -> Collection[str]:
        """The ids of the trials that are needed next: all where nothing can be compared.

        Then the night is worth its trials all the same, since the next one can be compared with it. The same
        holds where what was asked no longer compares, such as answers that another judge's version judged.
        """
        planned = {record.trial_id for record in records}
        try:
            design, found = self._design()
        except RunFileError:
            return planned
        if self._arms not in (None, design.arms):
            return planned
        self._arms = design.arms
        return needed_trials(design, found.pairs, self._nights) | (
            planned - {record.trial_id for record in found.pairs.candidate}
        )

    def outcome(self) -> tuple[Comparable, Comparison, AdaptiveResult]:
        """What tonight was compared with, the comparison and its design's verdict.

        Raises RunFileError where the two do not compare.
        """
        design, found = self._design()
        return found, *adaptive_comparison(
            design,
            found.pairs,
            names=(str(found.run.path), str(self._tonight)),
            limits=self._limits,
            notes=(*found.notes, *self._notes),
            nights=self._nights,
        )

    def _design(self) -> tuple[SequentialDesign, Comparable]:
        """The design, and what it compares: the reference and tonight as it stands."""
        found = self._reference(read_run(self._tonight))
        design = design_of(found.pairs, self._limits.alpha, self._seed)
        if not design.arms:
            raise RunFileError(
                f"{found.run.path} has run none of the trials of {self._tonight}.", "Name a run that has."
            )
        return design, found
