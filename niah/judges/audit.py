"""Judges checked against people: agreement, and means corrected by a sample of labels.

Agreement is on levels, the places of scores among 1, 3, 5, 7, 10: the rubric orders its scores, no more.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from math import hypot
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from niah.cases.questions.question_set import csv_rows, line_error
from niah.errors import ConfigError
from niah.files import atomic_write, without_formula
from niah.judges.verdict import SCORES

Levels: TypeAlias = NDArray[np.intp]
_Row = TypeVar("_Row")


def score_levels(scores: Iterable[float]) -> Levels:
    """The level, 0 to 4, of each score; shape (n,). A metric's score has that of the nearest on the scale."""
    far = np.abs(np.array([*scores], dtype=float)[:, None] - np.array(SCORES))
    return np.asarray(far.argmin(axis=1), dtype=np.intp)


def agreement(first: Levels, second: Levels) -> dict[str, float | None]:
    """How far two judges of the same answers agree: share, kappa (Cohen 1960), alpha, and mean bias.

    kappa and alpha are None where both know only one and the same level.
    """
    n, same, apart = len(first), int(np.sum(first == second)), second - first
    said = np.bincount(first, minlength=len(SCORES)), np.bincount(second, minlength=len(SCORES))
    by_chance = int(said[0] @ said[1])  # of n x n pairs of what each said
    return {
        "exact": same / n,
        "kappa": (n * same - by_chance) / (n * n - by_chance) if by_chance < n * n else None,
        "alpha": krippendorff_alpha(first, second),
        "bias": float(np.mean(apart)),
    }


def krippendorff_alpha(first: Levels, second: Levels) -> float | None:
    """Agreement beyond chance for ordered levels (Krippendorff 2011); None where both gave the same level."""
    pairs = np.zeros((len(SCORES), len(SCORES)))
    np.add.at(pairs, ([*first, *second], [*second, *first]), 1)
    given = pairs.sum(axis=0)
    below = np.cumsum(given) - given / 2
    apart = (below[:, None] - below[None, :]) ** 2
    expected = float((np.outer(given, given) * apart).sum()) / (given.sum() - 1)
    return 1 - float((pairs * apart).sum()) / expected if expected else None


class Corrected(NamedTuple):
    """A mean that labels correct."""

    judged: float  # the judge's own mean of all answers
    mean: float
    half_width: float  # of its 95 % interval
    labels: int  # how many answers people labelled


def corrected_mean(judged: Sequence[float], pairs: Sequence[tuple[float, float]]) -> Corrected:
    """The mean by prediction-powered inference (Angelopoulos et al. 2023, Science 382:669).

    It is the judge's mean over all answers, plus the mean of label minus judge over the labelled ones, a
    random sample: ``pairs`` of label and judge's score; ``judged`` are the scores of the others. Its variance
    is that of two-phase samples (Cochran 1977, 12.6): where all are labelled, that of the labels' own mean.
    """
    labels, own = np.array(pairs, dtype=float).T
    every, off = np.array([*judged, *own], dtype=float), labels - own
    variance = labels.var(ddof=1) / every.size + off.var(ddof=1) * (1 / off.size - 1 / every.size)
    half_width = students_quantile(0.975, off.size - 1) * float(variance) ** 0.5
    return Corrected(float(every.mean()), float(every.mean() + off.mean()), half_width, off.size)


def corrected_difference(first: Corrected, second: Corrected) -> tuple[float, float]:
    """``second`` minus ``first``, of different answers, and half the width of its 95 % interval."""
    freedom = first.labels - 1, second.labels - 1
    errors = [each.half_width / students_quantile(0.975, each.labels - 1) for each in (first, second)]
    return second.mean - first.mean, students_quantile(0.975, min(freedom)) * hypot(*errors)


def students_quantile(share: float, freedom: float) -> float:
    """Student's quantile."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, share))


def drift(before: Sequence[float], now: Sequence[float], labels: Sequence[float]) -> tuple[int, int, float]:
    """How many labelled answers a judge lost and won since then; p of McNemar's exact test."""
    from scipy.stats import binomtest

    truth, old, new = (score_levels(scores) for scores in (labels, before, now))
    lost, won = (int(((one == truth) & (other != truth)).sum()) for one, other in ((old, new), (new, old)))
    return lost, won, float(binomtest(lost, lost + won).pvalue) if lost + won else 1.0


LABELS = ("label_1", "label_2")  # the columns for one or two people; the second may be empty


def draw(rows: Sequence[_Row], n: int, stratum: Callable[[_Row], Hashable], seed: int = 1) -> list[_Row]:
    """``n`` of the rows, each equally likely, every stratum with its share (systematic sampling)."""
    rng = random.Random(seed)
    shuffled = rng.sample(list(rows), len(rows))
    ordered = sorted(shuffled, key=lambda row: repr(stratum(row)))
    if n >= len(ordered):
        return ordered
    start, step = rng.random(), len(ordered) / n
    chosen = [ordered[int((start + place) * step)] for place in range(n)]
    return rng.sample(chosen, n)


def write_sheet(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """A CSV file with a row an answer: trial id, question, reference, answer, two empty labels; no score."""
    import pandas as pd

    sheet = pd.DataFrame(rows, columns=["trial_id", "question", "reference", "answer"]).map(without_formula)
    with atomic_write(path) as file:
        # Where lines end so, a carriage return in an answer is quoted.
        sheet.assign(**dict.fromkeys(LABELS, "")).to_csv(file, index=False, lineterminator="\r\n")


def read_labels(path: Path, known: Collection[str]) -> dict[str, tuple[float, ...]]:
    """The scores of one or two people by trial id, of those ``known`` to have an answer.

    Raises ConfigError with the line for what cannot be right.
    """
    labels: dict[str, tuple[float, ...]] = {}
    for number, cells in csv_rows(path):
        trial, *said = (cells.get(name, "").strip() for name in ("trial_id", *LABELS))
        given = said if said[1] else said[:1]
        if trial not in known:
            remedy = "Take the sheet of --sample."
            raise line_error(path, number, "trial_id", f"{trial!r} is no answer of this run.", remedy)
        if trial in labels:
            raise line_error(path, number, "trial_id", f"{trial!r} is there twice.", "Leave one out.")
        for name, label in zip(LABELS, given, strict=False):
            if label not in map(str, SCORES):
                problem = f"{label!r} is no score." if label else "is missing."
                remedy = f"Write one of {', '.join(map(str, SCORES))}, or leave the row out."
                raise line_error(path, number, name, problem, remedy)
        labels[trial] = tuple(map(float, given))
    if len(labels) < 2:
        raise ConfigError(path, "label_1", "fewer than two answers are labelled.", "Label some 50.")
    return labels
