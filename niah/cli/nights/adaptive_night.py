"""A night that asks its trials look by look, against a run that has been made before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.pairs import Pairs
from niah.analysis.compare.verdict import Limits
from niah.analysis.sequential import Arm, SequentialDesign, Unit, units_of
from niah.analysis.sequential.adaptive import Adaptive, adaptive_comparison, design_of, wanted
from niah.cli.nights.side_by_side import Side, comparable_pairs, read_side
from niah.errors import RunFileError
from niah.runs.trial import TrialRecord


class AdaptiveNight:
    """Which of tonight's trials are needed next, and what they come to.

    Args:
        reference: the run file to compare with.
        tonight: tonight's, which ``chosen`` is asked about.
        limits: of the verdict; its level is the design's.
        seed: of the order of trials.
        common: where the two differ, compare what they have in common.

    Raises RunFileError where the reference cannot be read.
    """

    def __init__(self, reference: Path, tonight: Path, limits: Limits, seed: int, *, common: bool) -> None:
        self._before = read_side(reference)
        self._names = str(reference), str(tonight)
        self._tonight = tonight
        self._limits, self._seed, self._common = limits, seed, common
        self._arms: Mapping[Arm, tuple[Unit, ...]] | None = None

    def chosen(self, records: Sequence[TrialRecord]) -> Collection[str]:
        """The ids of the trials that are needed next: all where nothing can be compared.

        Then the night is worth its trials all the same, since the next one can be compared with it. The same
        holds where what was asked no longer compares, such as answers that another judge's version judged.
        """
        planned = {record.trial_id for record in records}
        try:
            pairs, _ = self._pairs(read_side(self._tonight))
        except RunFileError:
            return planned
        design = self._designed(pairs)
        if self._arms not in (None, design.arms):
            return planned
        self._arms = design.arms
        return wanted(design, pairs) | (planned - {record.trial_id for record in pairs.candidate})

    def outcome(self) -> tuple[Comparison, Adaptive]:
        """The comparison and its design's verdict. Raises RunFileError where the two do not compare."""
        pairs, notes = self._pairs(read_side(self._tonight))
        return adaptive_comparison(
            self._designed(pairs), pairs, names=self._names, limits=self._limits, notes=notes
        )

    def _pairs(self, tonight: Side) -> tuple[Pairs, tuple[str, ...]]:
        pairs, notes = comparable_pairs(self._before, tonight, common=self._common)
        if not units_of(pairs):
            raise RunFileError(
                f"{self._names[0]} has run none of the trials of {self._names[1]}.", "Name a run that has."
            )
        return pairs, notes

    def _designed(self, pairs: Pairs) -> SequentialDesign:
        return design_of(pairs, self._limits.alpha, self._seed)
