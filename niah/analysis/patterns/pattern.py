"""One row of the error-pattern table (u-niah, table 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

By = Literal["sizes", "mean score", "context length"]

PatternAnswer = Literal["found", "not found", "too few to tell"]

SIGNIFICANCE = 0.05
"""A pattern is found, and depends on something, where the adjusted p-value is no greater."""

FEWEST_CLUSTERS = 5
"""Of fewer, even an interval without any width rules nothing out."""

MATTERS = 0.1
"""Ten points, as a share of what a behaviour can be: a run that would often miss such a difference is too
small to say that there is none."""


@dataclass(frozen=True)
class Dependence:
    """Whether an effect changes along something.

    Attributes:
        by: "sizes" as given; "mean score" of each reader, over all of its scored trials; "context length".
        slope: the effect at the greatest minus the effect at the least, by a straight line through ranks of
            readers or logarithms of lengths.
        low, high: 95 % interval of the slope; None with fewer than four clusters.
        p, p_adjusted: of a slope of 0; adjusted for the number of patterns asked (Holm).
    """

    by: By
    slope: float
    low: float | None
    high: float | None
    p: float
    p_adjusted: float

    @property
    def found(self) -> bool:
        """Whether the effect is known to change."""
        return self.p_adjusted <= SIGNIFICANCE


@dataclass(frozen=True)
class Pattern:
    """A condition under which readers err more, or the finding that it is not there.

    Trials are compared only with trials of the same cluster (needle set x seed), reader and more, as
    ``niah.analysis.patterns.questions`` says for each pattern; where all of these are on the same side of the
    condition they tell nothing and are not counted.

    Attributes:
        name: "noise distraction".
        condition: with its threshold, in words: "context length > 32,000 to 64,000 tokens" where it lies
            between these two lengths and none between them was tried.
        behaviour: what rises under it.
        answer: "found" where ``p_adjusted`` is at most 5 % and the effect is above 0; "not found" where a
            difference of ten points would have been found in four of five such runs, or the interval lies
            below it.
        effect: mean behaviour under the condition minus without it; None where no trials can be compared.
        low, high: 95 % interval of the effect at this threshold, by cluster bootstrap; None with fewer than
            four clusters.
        base: mean behaviour without the condition; None where nothing is compared with.
        threshold: the cut that was found; None where none is searched.
        threshold_low, threshold_high: 95 % of the cuts found in bootstrap draws of the clusters, out to the
            values that were tried next to them.
        tree_depth: of the regression tree that predicts held-out clusters best, 0 to 3; 0 where none does
            better than no tree, above 1 where one step is not all. None where no threshold is searched.
        n: scored trials that were compared.
        n_condition: how many of them are under the condition.
        clusters: how many clusters they come from.
        p: of no effect at any threshold, two-sided: signs of clusters flipped, the search done again.
        p_adjusted: for the number of patterns tried (Holm).
        power: the chance that a difference of ten points under the condition would have been found.
        detectable: the least difference that would have been found in four of five such runs; None where no
            difference would.
        size_dependence: along readers, the smaller first; None where there is nothing to compare.
        length_dependence: along context length; None where that is the condition itself, or does not vary.
        not_scored: trials of the run without a score, in no count above.
    """

    name: str
    condition: str
    behaviour: str
    answer: PatternAnswer = "too few to tell"
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    base: float | None = None
    threshold: float | None = None
    threshold_low: float | None = None
    threshold_high: float | None = None
    tree_depth: int | None = None
    n: int = 0
    n_condition: int = 0
    clusters: int = 0
    p: float = 1.0
    p_adjusted: float = 1.0
    power: float = 0.0
    detectable: float | None = None
    size_dependence: Dependence | None = None
    length_dependence: Dependence | None = None
    not_scored: int = 0

    @property
    def found(self) -> bool:
        """Whether it is there."""
        return self.answer == "found"

    @property
    def relative(self) -> float | None:
        """The effect as a share of the base (u-niah's "+33.53 %" is 0.3353); None without a base above 0."""
        return self.effect / self.base if self.effect is not None and self.base else None
