"""Trials of two runs next to each other, and the rows that a comparison cuts them into."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from niah.analysis.frame import LENGTH_BANDS, band_places
from niah.errors import UnknownName, UserError
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

Measure = Literal["score", "not scored"]
Values = dict[Measure, "NDArray[np.float64]"]

PLAIN = (
    *("reader", "strategy", "needle_set", "haystack", "context_length", "depth", "seed", "repeat"),
    *("score", "outcome"),
)
"""Columns that a frame must have to be compared; those of ``_MORE`` say more where they are there."""

MEASURED = {
    "retrieval completeness": "retrieval_completeness",
    "prompt tokens": "prompt_tokens",
    "answer tokens": "completion_tokens",
    "cost in $": "cost",
    "latency in s": "latency_s",
}
_MORE = (
    *("case_id", "document_id", "question_set", "trial_id", "answer", "error_type"),
    *("definition", "context_sha256", "judge_version", *MEASURED.values()),
)
DEFAULT_AXES = ("reader", "strategy", "length_band", "depth")
WHO = ("reader", "strategy")
AXES = ("reader", "strategy", "length_band", "context_length", "depth", "needle_set", "question_set")
THIRDS = ("start", "middle", "end")


class Pairs(NamedTuple):
    """Two runs next to each other.

    Attributes:
        baseline, candidate: of the same length; the i-th rows of both were asked the same.
        only_baseline, only_candidate: trials that the other run did not plan.
    """

    baseline: DataFrame
    candidate: DataFrame
    only_baseline: DataFrame
    only_candidate: DataFrame


def plain_frame(trials: DataFrame | Iterable[TrialRecord]) -> DataFrame:
    """The trials as a frame with the columns that a comparison reads."""
    import pandas as pd

    if isinstance(trials, pd.DataFrame):
        return trials
    columns = [*PLAIN, *_MORE]
    return pd.DataFrame(map(attrgetter(*columns), trials), columns=columns)


def pair(
    baseline: DataFrame | Iterable[TrialRecord],
    candidate: DataFrame | Iterable[TrialRecord],
    *,
    other_reader: bool = False,
) -> Pairs:
    """The same case, strategy, model and repeat in both, in the baseline's order; whatever became of them.

    Args:
        baseline, candidate: trials of two runs, or of two models of one run.
        other_reader: models are what is compared, so that their names need not agree.
    """
    sides = plain_frame(baseline), plain_frame(candidate)
    names = ["context_length", "depth", "seed"]
    if all("case_id" in side for side in sides):
        names = ["case_id"]
    # A case id leaves the folders of own files out.
    names += ["needle_set", "haystack", "strategy", "repeat", *([] if other_reader else ["reader"])]
    first, second = (_keys(side, names) for side in sides)
    at = {key: row for row, key in enumerate(second)}
    both = [row for row, key in enumerate(first) if key in at]
    there = [at[first[row]] for row in both]
    return Pairs(
        sides[0].iloc[both],
        sides[1].iloc[there],
        sides[0].drop(sides[0].index[both]),
        sides[1].drop(sides[1].index[there]),
    )


def _keys(frame: DataFrame, names: Sequence[str]) -> list[tuple[object, ...]]:
    """What each row says in these columns; None where it says nothing."""
    columns = ([None if each != each else each for each in frame[name].tolist()] for name in names)
    return list(zip(*columns, strict=True))


def aligned(frame: DataFrame, like: DataFrame) -> Values:
    """Another night's values in the order of ``like``; NaN where it did not ask that."""
    names = ["context_length", "depth", "seed", "needle_set", "haystack", "strategy", "reader", "repeat"]
    if "case_id" in frame and "case_id" in like:
        names[:3] = ["case_id"]
    if "trial_id" in frame and "trial_id" in like:
        names = ["trial_id"]
    at = {key: row for row, key in enumerate(_keys(frame, names))}
    places = np.array([at.get(key, -1) for key in _keys(like, names)])
    return {name: np.append(values, np.nan)[places] for name, values in values_of(frame).items()}


def values_of(frame: DataFrame) -> Values:
    """Scores, NaN without one; and 1 for a trial with another outcome, NaN where it was not run."""
    score = np.where(frame["outcome"] == "scored", frame["score"].astype(float), np.nan)
    run = (frame["outcome"] != "not_run").to_numpy()
    return {"score": score, "not scored": np.where(run, np.isnan(score), np.nan)}


def check_axes(names: Sequence[str]) -> tuple[str, ...]:
    """The names, if each is an axis and is named once. Raises UserError."""
    for name in names:
        if name not in AXES:
            raise UnknownName("axis", name, AXES)
        if names.count(name) > 1:
            raise UserError(f"axis {name!r} is named twice.", "Name each axis once.")
    return tuple(names)


def axis_names(frame: DataFrame, axis: str) -> list[str | None]:
    """Each trial's part of an axis; None where it has none."""
    if axis == "length_band":
        lengths = frame["context_length"].to_numpy(dtype=np.int64)
        bands, known = band_places(lengths), np.unique(lengths)
        # Lengths of one band are told apart where they are few enough to read.
        if len(np.unique(bands)) > 1 or not 1 < len(known) <= len(LENGTH_BANDS) + 1:
            return [LENGTH_BANDS[place] for place in bands]
        return [f"{length:,} tokens" for length in lengths]
    if axis == "context_length":
        return [f"{length:,}" for length in frame[axis]]
    if axis == "depth":
        depths = frame[axis].to_numpy(dtype=np.float64)
        thirds = np.searchsorted([100 / 3, 200 / 3], depths, side="right")
        return [None if np.isnan(depth) else THIRDS[at] for depth, at in zip(depths, thirds, strict=True)]
    if axis not in frame:
        return [None] * len(frame)
    return [None if name is None or name != name else str(name) for name in frame[axis]]


class Level(NamedTuple):
    """Rows that no pair is in twice: each pair's row (-1 for none), and the rows' parts by axis."""

    codes: NDArray[np.int64]
    parts: list[dict[str, str]]
    fine: bool


def levels_of(frame: DataFrame, axes: Sequence[str]) -> list[Level]:
    """All, models, models x strategies; and each further axis within models, and within their strategies."""
    named = {axis: axis_names(frame, axis) for axis in axes}
    orders = {axis: _order(axis, names, frame) for axis, names in named.items()}
    who = [axis for axis in axes if axis in WHO]
    where = [axis for axis in axes if axis not in WHO and len(orders[axis]) > 1]
    groups = [(who[:count], False) for count in range(len(who) + 1)]
    groups += [([*who[:1], axis], True) for axis in where]
    groups += [([*who, axis], True) for axis in where]
    levels: dict[bytes, Level] = {}
    for group, fine in groups:
        codes, parts = np.zeros(len(frame), dtype=np.int64), [dict[str, str]()]
        for axis in group:
            order = orders[axis]
            places = np.array([order.get(name or "", -1) for name in named[axis]], dtype=np.int64)
            finer = np.where((codes < 0) | (places < 0), -1, codes * len(order) + places)
            known = np.unique(finer[finer >= 0])
            parts = [parts[at // len(order)] | {axis: list(order)[at % len(order)]} for at in known]
            codes = np.where(finer < 0, -1, np.searchsorted(known, finer))
        # Of a model and its only strategy there is one row, which names both.
        levels[codes.tobytes()] = Level(codes, parts, fine and levels.get(codes.tobytes()) is None)
    return list(levels.values())


def _order(axis: str, names: Sequence[str | None], frame: DataFrame) -> dict[str, int]:
    """Places of an axis's parts in tables: lengths rising, thirds from the start, names as they come."""
    known = dict.fromkeys(name for name in names if name is not None)
    if axis in ("length_band", "context_length"):
        lengths = dict(zip(names, frame["context_length"], strict=True))
        known = dict.fromkeys(sorted(known, key=lambda name: lengths[name]))
    if axis == "depth":
        known = dict.fromkeys(third for third in THIRDS if third in known)
    return {name: place for place, name in enumerate(known)}
