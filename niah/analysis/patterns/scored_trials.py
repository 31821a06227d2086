"""Scored trials with the behaviours that patterns are found in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.causes.needles_seen import Planted, planted_names, same_name
from niah.analysis.stats.clusters import codes
from niah.analysis.trial_columns import numbers
from niah.cases.sample import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame


def scored_trials(frame: DataFrame, samples: Mapping[str, Sample]) -> DataFrame:
    """The scored trials whose elements are known, clusters numbered without gaps, with these columns more:

    * missing_share: elements missing, as a share of the most that any answer to the needle set lacks
    * any_wrong: 1 where the answer holds a wrong element, else 0
    * collapsed: 1 where the score is 3 or less, else 0
    * complete: whether nothing is missing and nothing wrong
    * doubt: 1 where it doubts itself, else 0; NaN where nobody looked
    * lured: of its wrong elements, the share that distractors plant minus the share that they do not; NaN
      where nothing is wrong, or nothing known of the distractors
    """
    scored = frame[frame["n_missing"].notna()]
    missing, wrong = scored["n_missing"].to_numpy(), scored["n_wrong"].to_numpy()
    asked = scored["needle_set"].astype(object).where(scored["needle_set"].notna(), scored["case_id"])
    planted = planted_names(samples)
    lured = [
        _lured(wrong_names, planted.get(case_id))
        for wrong_names, case_id in zip(scored["wrong"], scored["case_id"], strict=True)
    ]
    return scored.assign(
        cluster=codes(scored["cluster"].tolist()),
        missing_share=missing / _most(missing, codes(asked.tolist())),
        any_wrong=(wrong > 0).astype(np.float64),
        collapsed=(scored["score"] <= 3).astype(np.float64),
        complete=(missing == 0) & (wrong == 0),
        doubt=scored["self_doubt"].to_numpy(dtype=np.float64, na_value=np.nan),
        lured=numbers(lured),
    )


def _most(counts: NDArray[np.float64], groups: NDArray[np.int64]) -> NDArray[np.float64]:
    """The greatest count in each row's group, at least 1."""
    most = np.ones(int(groups.max(initial=-1)) + 1)
    np.maximum.at(most, groups, counts)
    return most[groups]


def _lured(wrong: tuple[str, ...], planted: Planted | None) -> float | None:
    if not wrong or planted is None:
        return None
    return 2 * sum(same_name(name) in planted for name in wrong) / len(wrong) - 1
