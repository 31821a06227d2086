"""The error-pattern table: every question of ``niah.analysis.patterns.questions``, answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from niah.analysis.patterns.contrasts import contrast
from niah.analysis.patterns.dependence import dependence, length_places, reader_places
from niah.analysis.patterns.pattern import SIGNIFICANCE, By, Dependence, Pattern
from niah.analysis.patterns.questions import Question, questions
from niah.analysis.patterns.scored_trials import scored_trials
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
        sizes: of readers by name, in any unit, such as billions of parameters; a reader without one is left
            out there. Without sizes readers stand in the order of their mean scores.
    """
    trials = scored_trials(frame, samples or {})
    places = _Places("sizes" if sizes else "mean score", reader_places(trials, sizes), length_places(trials))
    patterns = [
        _answered(question, places, seed + 3 * number) for number, question in enumerate(questions(trials))
    ]
    not_scored = int((~frame["scored"]).sum())
    return [replace(pattern, not_scored=not_scored) for pattern in _corrected(patterns)]


@dataclass(frozen=True)
class _Places:
    """Where each scored trial stands among readers, and among lengths; shape (n,)."""

    by: By
    readers: NDArray[np.float64]
    lengths: NDArray[np.float64]


def _answered(question: Question, places: _Places, seed: int) -> Pattern:
    """The pattern, its p-values not yet adjusted."""
    untried = Pattern(question.name, question.condition.partition(" {")[0], question.behaviour)
    told = contrast(question, seed)
    if told is None:
        return untried
    clusters = told.cluster
    effect = ratio_interval(told.y * told.d, told.d**2, clusters, draws=_DRAWS, seed=seed + 1)

    def along(by: By, where: NDArray[np.float64]) -> Dependence | None:
        return dependence(by, where[told.rows], told.y, told.d, clusters, draws=_DRAWS, seed=seed + 2)

    others = told.raw[~told.under]
    cut = told.threshold
    return replace(
        untried,
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
        p=told.p,
        size_dependence=along(places.by, places.readers),
        length_dependence=None if question.asks_of_length else along("context length", places.lengths),
    )


def _corrected(patterns: Sequence[Pattern]) -> list[Pattern]:
    """All p-values adjusted: each kind for the patterns that were tried."""
    tried = [pattern for pattern in patterns if pattern.n]
    adjusted = iter(holm([pattern.p for pattern in tried]))
    by_size = _adjusted([pattern.size_dependence for pattern in patterns])
    by_length = _adjusted([pattern.length_dependence for pattern in patterns])
    out = []
    for pattern, size, length in zip(patterns, by_size, by_length, strict=True):
        p = float(next(adjusted)) if pattern.n else 1.0
        found = p <= SIGNIFICANCE and pattern.effect is not None and pattern.effect > 0
        out.append(
            replace(pattern, p_adjusted=p, found=found, size_dependence=size, length_dependence=length)
        )
    return out


def _adjusted(dependences: Sequence[Dependence | None]) -> list[Dependence | None]:
    adjusted = iter(holm([one.p for one in dependences if one is not None]))
    return [one and replace(one, p_adjusted=float(next(adjusted))) for one in dependences]
