"""What figures are drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from niah.cases.case import Case
from niah.plots.figures.trials import Trials, trials_of
from niah.plots.kit.styles import Style, strategy_styles
from niah.reference.numbers import ReferenceNumber
from niah.runs.trial import TrialRecord


@dataclass(frozen=True)
class FigureData:
    """All trials, and what else figures need.

    Attributes:
        trials: as arrays.
        styles: of the strategies, in their order.
        cases: recipes by case id; may lack some, or all.
        nested: names of the needle sets whose needles stand inside long passages.
        published: numbers of papers, to stand beside the run's.
    """

    trials: Trials
    styles: Mapping[str, Style]
    cases: Mapping[str, Case]
    nested: frozenset[str]
    published: Sequence[ReferenceNumber] = ()

    def key(self, strategies: Iterable[float]) -> list[tuple[str, Style]]:
        """The key to the strategies at some places, in their order."""
        present = {int(place) for place in strategies}
        return [item for place, item in enumerate(self.styles.items()) if place in present]


def figure_data(
    records: Sequence[TrialRecord],
    cases: Mapping[str, Case],
    nested: frozenset[str],
    published: Sequence[ReferenceNumber] = (),
) -> FigureData:
    """The data of at least one record."""
    trials = trials_of(records)
    return FigureData(trials, strategy_styles(trials.strategies), cases, nested, published)
