"""The error-pattern table: every question of ``niah.analysis.patterns.questions``, answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from niah.analysis.patterns.contrasts import Contrast, contrast
from niah.analysis.patterns.dependence import dependence, known_sizes, length_places, reader_places
from niah.analysis.patterns.pattern import (
    FEWEST_CLUSTERS,
    MATTERS,
    SIGNIFICANCE,
    By,
    Dependence,
    Pattern,
    PatternAnswer,
)
from niah.analysis.patterns.questions import Question, questions
from niah.analysis.patterns.scored_trials import scored_trials
from niah.analysis.patterns.sensitivity import SURE_ENOUGH, sensitivity
from niah.analysis.stats.bootstrap import ratio_interval
from niah.analysis.stats.corrections import holm
from niah.cases.sample import Sample

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pandas import DataFrame

# Of fewer clusters the standard error may come out as nearly nothing, and its reach then spans anything.
_FEWEST = 4
_DRAWS = 1999


def find_patterns(
    frame: DataFrame,
    samples: Mapping[str, Sample] | None = None,
    *,
    seed: int = 0,
    sizes: Mapping[str, float] | None = None,
) -> list[Pattern]:
    """Every pattern that was tried, found or not, in the order of the table of questions.

    Args:
        frame: of one run's trials; only those with a score count.
        samples: by sample id; without them nothing is known of distractor choice.
        seed: of bootstrap draws and flipped signs.
        sizes: of readers by name, in any unit, such as billions of parameters, in place of the frame's; a
            reader without one is left out there. Where no two differ, readers stand in the order of their
            mean scores.
    """
    trials = scored_trials(frame, samples or {})
    sizes = known_sizes(frame) if sizes is None else sizes
    places = _Places("sizes" if sizes else "mean score", reader_places(trials, sizes), length_places(trials))
    asked = questions(trials)
    told = [contrast(question, seed + 3 * number) for number, question in enumerate(asked)]
    patterns = [
        _described(question, own, places, seed + 3 * number) if own else _untried(question)
        for number, (question, own) in enumerate(zip(asked, told, strict=True))
    ]
    not_scored = int((~frame["scored"]).sum())
    answered = _answered(_corrected(patterns), told)
    return [replace(pattern, not_scored=not_scored) for pattern in answered]


@dataclass(frozen=True)
class _Places:
    """Where each scored trial stands among readers, and among lengths; shape (n,)."""

    by: By
    readers: NDArray[np.float64]
    lengths: NDArray[np.float64]


def _untried(question: Question) -> Pattern:
    return Pattern(question.name, question.condition.partition(" {")[0], question.behaviour)


def _described(question: Question, told: Contrast, places: _Places, seed: int) -> Pattern:
    """The pattern, its p-values not yet adjusted."""
    clusters = told.cluster
    effect = ratio_interval(told.y * told.d, told.d**2, clusters, draws=_DRAWS, seed=seed + 1)

    def along(by: By, where: NDArray[np.float64]) -> Dependence | None:
        return dependence(by, where[told.rows], told.y, told.d, clusters, draws=_DRAWS, seed=seed + 2)

    others = told.raw[~told.under]
    cut = told.threshold
    return replace(
        _untried(question),
        condition=told.condition,
        effect=effect.estimate,
        low=effect.low if effect.clusters >= _FEWEST else None,
        high=effect.high if effect.clusters >= _FEWEST else None,
        base=float(others.mean()) if len(others) else None,
        threshold=cut.cut if cut else None,
        threshold_low=cut.low if cut else None,
        threshold_high=cut.high if cut else None,
        tree_depth=cut.tree_depth if cut else None,
        n=len(told.rows),
        n_condition=int(told.under.sum()),
        clusters=effect.clusters,
        p=told.test.p,
        size_dependence=along(places.by, places.readers),
        length_dependence=None if question.asks_of_length else along("context length", places.lengths),
    )


def _corrected(patterns: Sequence[Pattern]) -> list[Pattern]:
    """All p-values adjusted: each kind for the patterns that were tried."""
    tried = [pattern for pattern in patterns if pattern.n]
    adjusted = iter(holm([pattern.p for pattern in tried]))
    by_size = _adjusted([pattern.size_dependence for pattern in patterns])
    by_length = _adjusted([pattern.length_dependence for pattern in patterns])
    return [
        replace(
            pattern,
            p_adjusted=float(next(adjusted)) if pattern.n else 1.0,
            size_dependence=size,
            length_dependence=length,
        )
        for pattern, size, length in zip(patterns, by_size, by_length, strict=True)
    ]


def _answered(patterns: Sequence[Pattern], told: Sequence[Contrast | None]) -> list[Pattern]:
    """The patterns with what would have been found, and whether they were."""
    missed = sum(pattern.n > 0 and pattern.p_adjusted > SIGNIFICANCE for pattern in patterns)
    level = SIGNIFICANCE / max(missed, 1)
    return [
        _answer(pattern, own, level) if own else pattern for pattern, own in zip(patterns, told, strict=True)
    ]


def _answer(pattern: Pattern, told: Contrast, level: float) -> Pattern:
    """Found; or not there, where ten points would mostly have been found, or are ruled out."""
    seen = sensitivity(told, level)
    matters = MATTERS * (told.ends[1] - told.ends[0])
    power = seen.power(matters)
    answer: PatternAnswer = "too few to tell"
    if pattern.p_adjusted <= SIGNIFICANCE and pattern.effect is not None and pattern.effect > 0:
        answer = "found"
    elif pattern.clusters >= FEWEST_CLUSTERS and (
        power >= SURE_ENOUGH or (pattern.high is not None and pattern.high < matters)
    ):
        answer = "not found"
    return replace(pattern, answer=answer, power=power, detectable=seen.detectable())


def _adjusted(dependences: Sequence[Dependence | None]) -> list[Dependence | None]:
    adjusted = iter(holm([one.p for one in dependences if one is not None]))
    return [one and replace(one, p_adjusted=float(next(adjusted))) for one in dependences]
