"""Trials as arrays: what figures count and average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.cells import Grid, cells
from niah.analysis.frame import category_codes, category_names, numbers, trial_frame
from niah.judges.error_types import ERROR_TYPES
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame


@dataclass(frozen=True)
class Trials:
    """Every trial in one row; arrays have shape (n,), and numbers that are not known are NaN.

    Attributes:
        records: sorted, so that their order changes no figure.
        frame: what tables are made of, in the same order.
        readers, strategies: by name, the whole-context strategies first; ``reader`` and ``strategy`` are
            places in them.
        lengths, depths: rising.
        cluster: see ``niah.analysis.stats.clusters``.
        outcome: places in ``OUTCOMES``.
        score: of scored trials.
        missing, wrong: how many elements, of scored trials.
        error: places in ``ERROR_TYPES``; -1 for none.
        completeness, noise: retrieval's; ``needles`` how many it looked for.
        prompt_tokens: in the reader's tokens. cost: in US dollars.
    """

    records: tuple[TrialRecord, ...]
    frame: DataFrame
    readers: tuple[str, ...]
    strategies: tuple[str, ...]
    lengths: tuple[int, ...]
    depths: tuple[float, ...]
    reader: NDArray[np.int64]
    strategy: NDArray[np.int64]
    length: NDArray[np.int64]
    cluster: NDArray[np.int64]
    outcome: NDArray[np.int64]
    score: NDArray[np.float64]
    missing: NDArray[np.float64]
    wrong: NDArray[np.float64]
    error: NDArray[np.int64]
    completeness: NDArray[np.float64]
    noise: NDArray[np.float64]
    needles: NDArray[np.float64]
    prompt_tokens: NDArray[np.float64]
    cost: NDArray[np.float64]

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Shape (n,)."""
        return ~np.isnan(self.score)

    @cached_property
    def grids(self) -> tuple[Grid, ...]:
        """The heatmaps' numbers, a grid per reader and strategy."""
        return cells(self.frame)

    @cached_property
    def grids_per_set(self) -> tuple[Grid, ...]:
        """The same, a grid per reader, strategy and needle set."""
        return cells(self.frame, per_needle_set=True)


def trials_of(records: Sequence[TrialRecord]) -> Trials:
    """The records as arrays; at least one."""
    rows = sorted(records, key=lambda r: (r.case_id, r.strategy, r.reader, r.repeat, r.trial_id))
    frame = trial_frame(rows)
    errors = {name: place for place, name in enumerate(ERROR_TYPES)}
    return Trials(
        records=tuple(rows),
        frame=frame,
        readers=category_names(frame, "reader"),
        strategies=category_names(frame, "strategy"),
        lengths=tuple(sorted({r.context_length for r in rows})),
        depths=tuple(sorted({r.depth for r in rows})),
        reader=category_codes(frame, "reader"),
        strategy=category_codes(frame, "strategy"),
        length=frame["context_length"].to_numpy(),
        cluster=frame["cluster"].to_numpy(),
        outcome=category_codes(frame, "outcome"),
        score=frame["score"].to_numpy(),
        missing=numbers(len(r.missing) if r.outcome == "scored" else None for r in rows),
        wrong=numbers(len(r.wrong) if r.outcome == "scored" else None for r in rows),
        error=np.array(
            [errors.get(r.error_type, -1) if r.outcome == "scored" else -1 for r in rows]  # type: ignore[call-overload]
        ),
        completeness=numbers(r.retrieval_completeness for r in rows),
        noise=numbers(r.noise_ratio for r in rows),
        needles=numbers(None if r.needle_ranks is None else len(r.needle_ranks) for r in rows),
        prompt_tokens=frame["prompt_tokens"].to_numpy(),
        cost=frame["cost"].to_numpy(),
    )
