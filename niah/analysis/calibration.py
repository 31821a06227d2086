"""A run's judges next to labels by people: agreement, and means corrected by prediction-powered inference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from niah.judges.audit import (
    FEWEST_LABELS,
    LABELS,
    Corrected,
    agreement_within_one,
    cohen_kappa,
    confusion,
    corrected_difference,
    corrected_mean,
    exact_agreement,
    krippendorff_alpha,
    mean_bias,
    score_levels,
)
from niah.judges.verdict import HIGHEST, LOWEST, SCORES

if TYPE_CHECKING:
    from pandas import DataFrame, Series


def label_agreement(frame: DataFrame) -> DataFrame:
    """One row per judge with an answer that is labelled: how far it agrees with the first label."""
    import pandas as pd

    scores = [each or {} for each in frame["judge_scores"]]
    people = [name for name in LABELS if any(name in each for each in scores)]
    judges = sorted({judge for each in scores if LABELS[0] in each for judge in each} - {LABELS[0]})
    rows = []
    for judge in judges if people else ():
        both = [each for each in scores if judge in each and all(name in each for name in people)]
        if len(both) < 2:
            continue
        names = dict.fromkeys((LABELS[0], *people, judge))
        levels = {name: score_levels(each[name] for each in both) for name in names}
        truth, judged = levels[LABELS[0]], levels[judge]
        measures = (exact_agreement, agreement_within_one, cohen_kappa)
        values = [measure(truth, judged) for measure in measures]
        alpha, bias = krippendorff_alpha(list(levels.values())), mean_bias(truth, judged)
        rows.append((judge, len(both), *values, alpha, bias))
    columns = ["judge", "labels", "exact", "within_one", "kappa", "alpha", "bias"]
    return pd.DataFrame(rows, columns=columns)


def label_confusion(frame: DataFrame) -> DataFrame:
    """Counts of the run's own scores, a row for each label."""
    import pandas as pd

    scored = frame[frame["scored"]]
    labels = scored["judge_scores"].map(_label)
    known = labels.notna()
    pairs = (labels[known], scored.loc[known, "score"])
    counts = confusion(*(score_levels(side) for side in pairs)).tolist() if known.any() else []
    table = pd.DataFrame(counts, columns=[f"judged {score}" for score in SCORES])
    table.insert(0, "label", [str(score) for score in SCORES][: len(table)])
    return table


def corrected_means(frame: DataFrame) -> DataFrame:
    """The corrected mean of all answers, and of each reader and strategy with labels enough; rows only with
    labels."""
    import pandas as pd

    rows = []
    for names, made in _corrected(frame):
        cells: tuple[Any, ...] = (None,) * 6
        if made:
            ends = (min(max(made.mean + side * made.half_width, LOWEST), HIGHEST) for side in (-1, 1))
            cells = (made.n, made.labels, made.judged, made.mean, *ends)
        rows.append((*names, *cells))
    columns = ["reader", "strategy", "n", "labels", "judged", "corrected", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def corrected_differences(frame: DataFrame) -> DataFrame:
    """Each strategy's corrected mean minus that of the reader's first one, where both have labels enough."""
    import pandas as pd

    first: dict[str, tuple[str, Corrected]] = {}
    rows = []
    for (reader, strategy), made in _corrected(frame):
        if made is None or reader == "all":
            continue
        other, base = first.setdefault(reader, (strategy, made))
        if other != strategy:
            apart, half = corrected_difference(base, made)
            rows.append((reader, strategy, other, apart, apart - half, apart + half))
    return pd.DataFrame(rows, columns=["reader", "strategy", "minus", "difference", "low", "high"])


def _corrected(frame: DataFrame) -> Iterator[tuple[tuple[str, str], Corrected | None]]:
    scored = frame[frame["scored"]]
    groups: list[tuple[Any, Any]] = [(("all", "all"), scored)]
    for (reader, strategy), own in [*groups, *scored.groupby(["reader", "strategy"], observed=True)]:
        labels: Series[float] = own["judge_scores"].map(_label)
        known = labels.notna()
        if known.any():
            pairs = list(zip(labels[known], own.loc[known, "score"], strict=True))
            enough = len(pairs) >= FEWEST_LABELS
            made = corrected_mean(own.loc[~known, "score"].tolist(), pairs) if enough else None
            yield (str(reader), str(strategy)), made


def _label(scores: dict[str, float] | None) -> float | None:
    """The mean of an answer's labels; None without any."""
    labels = [scores[name] for name in LABELS if name in scores] if scores else []
    return sum(labels) / len(labels) if labels else None
