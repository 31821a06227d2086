"""What the verdict on all of a night's trials will be, as far as those that were asked tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.axes import DEFAULT_AXES, axes_of, cut_levels
from niah.analysis.compare.pairs import Pairs
from niah.analysis.compare.rows import Measure, Row, rows_of, table_test
from niah.analysis.compare.significance.earlier_nights import earlier_nights
from niah.analysis.compare.significance.flip_tests import asked_of, least_beyond
from niah.analysis.compare.significance.null_draws import row_statistics
from niah.analysis.frame import category_codes
from niah.analysis.grouping import OUTCOMES
from niah.analysis.row_parts import Coded
from niah.analysis.sequential.completions import AskedSoFar, drawn_failures, drawn_gains
from niah.analysis.sequential.design import Arm
from niah.analysis.trial_columns import TrialColumns, trial_columns
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray

_COMPLETIONS = 200

_TABLES = 5
"""Whole tables that are made to say what could be seen; their median is steady."""


@dataclass(frozen=True)
class Foresight:
    """Chances at a look.

    Attributes:
        regression: that all trials will show one, anywhere in the table.
        arms: of each reader with each strategy, that its row will be found worse, by measure.
    """

    regression: float
    arms: dict[tuple[Arm, Measure], float]


class PlannedTable:
    """The table of a whole night, of which some trials are not asked yet.

    Args:
        pairs: of the baseline and of tonight as it is planned; the baseline has run them all.
        alpha: of the whole table.
        nights: records of earlier nights, which tell of luck that clusters share.

    Attributes:
        luck_is_known: whether they are enough to tell it.
    """

    def __init__(self, pairs: Pairs, alpha: float, nights: Sequence[Sequence[TrialRecord]]) -> None:
        n, both = len(pairs.baseline), trial_columns((*pairs.baseline, *pairs.candidate))
        self._before, self._tonight = both.rows(slice(n)), both.rows(slice(n, None))
        self._axes = axes_of(self._before, DEFAULT_AXES)
        self._earlier = earlier_nights(pairs.candidate, nights)
        self._alpha = alpha
        self.luck_is_known = self._earlier.tell_luck

    def foresee(self, asked: NDArray[np.bool_]) -> Foresight:
        """The chances, from nights that go on as this one began, each judged as a whole night is.

        The predictive probability of Spiegelhalter, Freedman and Blackburn (1986), by draws. All are compared
        with what luck alone makes of one of them.

        Args:
            asked: shape (n,): the pairs that are known.
        """
        so_far, gains, failures = self._completions(asked, _COMPLETIONS)
        whole = self._whole(so_far, gains[0], np.zeros(len(asked)))
        test = table_test(self._before, whole, self._axes, alpha=self._alpha, earlier=self._earlier)
        least, weights = least_beyond(test.drawn, test.weights, self._alpha), test.weights
        beyond = []
        for gain, failed in zip(gains, failures, strict=True):
            scored = np.where(failed > 0, 0.0, gain)
            sums = test.worse_sums({"score": scored, "not scored": failed - so_far.failed_before})
            beyond.append(row_statistics(sums, test.luck) - asked_of(weights, self._alpha))
        found = np.array(beyond) >= least
        places = [(part, name) for part in test.parts for name in part.level.names]
        return Foresight(
            regression=float(found.any(axis=1).mean()),
            arms={
                (Arm(*name), part.measure): float(chance)
                for chance, (part, name) in zip(found.mean(axis=0), places, strict=True)
                if part.level.axes == Arm._fields
            },
        )

    def rows_at_the_end(self, asked: NDArray[np.bool_]) -> Iterator[tuple[Row, ...]]:
        """The tables of a few nights that go on as this one began."""
        so_far, gains, failures = self._completions(asked, _TABLES)
        for gain, failed in zip(gains, failures, strict=True):
            whole = self._whole(so_far, gain, failed)
            yield rows_of(self._before, whole, self._axes, alpha=self._alpha, earlier=self._earlier)

    def _completions(
        self, asked: NDArray[np.bool_], draws: int
    ) -> tuple[AskedSoFar, NDArray[np.float64], NDArray[np.float64]]:
        so_far = self._asked_so_far(asked)
        rng = np.random.default_rng(int(asked.sum()))
        return so_far, drawn_gains(so_far, draws, rng), drawn_failures(so_far, draws, rng)

    def _asked_so_far(self, asked: NDArray[np.bool_]) -> AskedSoFar:
        levels = cut_levels(self._axes, len(self._before))
        readers, strategies = (category_codes(self._before, name) for name in Arm._fields)
        clusters = self._before["cluster"]
        before = self._before["score"]
        after = np.where(asked, self._tonight["score"], np.nan)
        return AskedSoFar(
            gain=after - before,
            failed_before=np.isnan(before).astype(np.float64),
            failed=np.isnan(after).astype(np.float64),
            pending=~asked,
            groups=(*(level.codes for level in levels), clusters, clusters * (readers.max() + 1) + readers),
            readers=readers,
            arms=readers * (strategies.max() + 1) + strategies,
        )

    def _whole(
        self, so_far: AskedSoFar, gain: NDArray[np.float64], failed: NDArray[np.float64]
    ) -> TrialColumns:
        """Tonight's trials, those that are not asked yet as they are drawn."""
        drawn = np.where(failed > 0, np.nan, self._before["score"] + gain)
        score = np.where(so_far.pending, drawn, self._tonight["score"])
        failed_or_not = [OUTCOMES.index(name) for name in ("reader_error", "scored")]
        outcome: Coded[str] = Coded(np.where(np.isnan(score), *failed_or_not), OUTCOMES)
        return self._tonight.assign(score=score, outcome=outcome)
