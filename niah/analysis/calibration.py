"""Judges next to each other and next to labels by people: agreement, and means that labels correct."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pandas as pd
from pandas import DataFrame

from niah.analysis.tables import FEWEST_LABELS
from niah.judges import audit
from niah.judges.registry import rules_and_model
from niah.judges.verdict import HIGHEST, LOWEST, SCORES


def judge_agreement(frame: DataFrame) -> DataFrame:
    """A row a pair of judges over all readers, then one for each reader; people's labels come first."""
    given = _given(frame)
    names = sorted(given.columns, key=lambda name: (name not in audit.LABELS, name))
    rows = []
    for first, second in combinations(names, 2):
        both = given[first].notna() & given[second].notna()
        if rules_and_model(second)[0] == first:  # asked about the unsure ones alone
            both &= frame["unsure"]
        by_reader = given[both].groupby(frame["reader"][both], observed=True)
        for reader, own in [("all", given[both]), *by_reader]:
            if len(own) > 1:
                row = {"judge": first, "other_judge": second, "reader": reader, "n": len(own)}
                levels = (audit.score_levels(own[name]) for name in (first, second))
                rows.append(row | audit.agreement(*levels))
    return DataFrame(rows)


def label_confusion(frame: DataFrame) -> DataFrame:
    """Counts of the run's own scores, a row for each label; of two people's each counts."""
    given = _given(frame).reindex(columns=audit.LABELS)[frame["scored"]].assign(judged=frame["score"])
    both = given.melt("judged", value_name="label").drop(columns="variable").dropna()
    if both.empty:
        return both
    levels, places = both.apply(audit.score_levels), range(len(SCORES))
    counts = pd.crosstab(levels["label"], levels["judged"]).reindex(places, columns=places, fill_value=0)
    named = counts.set_axis([f"judged {score}" for score in SCORES], axis=1)
    return named.set_axis([*map(str, SCORES)]).rename_axis("label").reset_index()


def corrected_means(frame: DataFrame) -> DataFrame:
    """The corrected mean of all answers, and of each reader and strategy with a label.

    Its difference is from the reader's first strategy. None with fewer than ``FEWEST_LABELS``.
    """
    scored = frame[frame["scored"]].assign(label=_given(frame).reindex(columns=audit.LABELS).mean(axis=1))
    by_strategy: Any = scored.groupby(["reader", "strategy"], observed=True)
    first: dict[str, audit.Corrected] = {}
    rows = []
    for (reader, strategy), own in [(("all", "all"), scored), *by_strategy]:
        known = own["label"].notna()
        row: dict[str, Any] = {"reader": reader, "strategy": strategy, "n": len(own), "labels": known.sum()}
        if known.sum() >= FEWEST_LABELS:
            pairs = list(zip(own["label"][known], own["score"][known], strict=True))
            made = audit.corrected_mean(own["score"][~known].tolist(), pairs)
            low, high = max(made.mean - made.half_width, LOWEST), min(made.mean + made.half_width, HIGHEST)
            row |= {"judged": made.judged, "corrected": made.mean, "low": low, "high": high}
            if (base := first.setdefault(reader, made)) is not made:
                apart, half = audit.corrected_difference(base, made)
                row |= {"difference": apart, "difference_low": apart - half, "difference_high": apart + half}
        rows += [row] if known.any() else []
    return pd.DataFrame(rows)


def _given(frame: DataFrame) -> DataFrame:
    """The scores of each answer, a column a judge or person; NaN without one."""
    return pd.DataFrame([scores or {} for scores in frame["judge_scores"]], frame.index, dtype=float)
