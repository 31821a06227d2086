"""The cases that all strategies of a reader have a number for: failing on hard ones gains nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import row_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

_LEAST = 0.2
"""What has fewer in common with the others, as a share of the best-known strategy's cases, is left out."""


@dataclass(frozen=True)
class CommonCases:
    """What strategies of one reader are compared on; a case counts once for each repeat.

    Attributes:
        rows: places in the frame of the trials that count.
        common: how many cases all strategies have a number for.
        cases: how many the reader was asked.
        missing: how many of these a compared strategy has no number for, the most first.
        left_out: strategies that have too few to be compared.
    """

    rows: NDArray[np.intp]
    common: int
    cases: int
    missing: Mapping[str, int]
    left_out: tuple[str, ...]


def common_cases(frame: DataFrame, known: NDArray[np.bool_]) -> dict[str, CommonCases]:
    """By reader; one of whom no trial is known is not here.

    Args:
        frame: of trials.
        known: shape (n,), which trials have what is compared.
    """
    return {
        reader: _of_reader(frame, rows, known)
        for (reader,), rows in row_groups(frame, "reader")
        if known[rows].any()
    }


def _of_reader(frame: DataFrame, rows: NDArray[np.intp], known: NDArray[np.bool_]) -> CommonCases:
    question = frame["question"].to_numpy()
    asked = np.unique(question[rows])
    trials = {name: own for (name,), own in row_groups(frame, "strategy", rows=rows[known[rows]])}
    answered = {name: np.isin(asked, question[own]) for name, own in trials.items()}
    by_count = sorted(answered, key=lambda name: -int(answered[name].sum()))
    enough = _LEAST * answered[by_count[0]].sum()
    kept = list(by_count)
    while len(kept) > 1 and _common(answered, kept).sum() < enough:
        kept.pop()
    common = _common(answered, kept)
    own = np.concatenate([trials[name] for name in kept])
    return CommonCases(
        rows=np.sort(own[np.isin(question[own], asked[common])]),
        common=int(common.sum()),
        cases=len(asked),
        missing={
            name: int(gap) for name in reversed(by_count) if name in kept and (gap := (~answered[name]).sum())
        },
        left_out=tuple(name for name in by_count if name not in kept),
    )


def _common(answered: Mapping[str, NDArray[np.bool_]], names: list[str]) -> NDArray[np.bool_]:
    return np.asarray(np.stack([answered[name] for name in names]).all(axis=0))
