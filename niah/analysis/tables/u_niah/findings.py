"""Table 3, and the numbers that the text of sections 5.1 to 5.3 prints: what the run has, counted alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import row_groups
from niah.analysis.patterns import Pattern
from niah.analysis.tables.score_tables import mean_and_sd
from niah.analysis.tables.table import Table, TableValue
from niah.analysis.tables.u_niah.settings import (
    PAPER_ORDERS,
    dataset_name,
    nested,
    organised,
    printed,
    rag_strategies,
    rows_with,
    whole_context,
)
from niah.reference.numbers import ReferenceNumber

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

_NOISE, _CRITICAL, _LONG = 0.44, 0.97, 16 * 1024
_TABLE_3_NOTE = (
    "printed: the paper's effect, in %. same_condition: the run's, counted plainly under the paper's own"
    " condition; noise is looked at where every needle was retrieved, missing elements as a share of those"
    " asked for. These compare trials of different lengths and needle sets, as the paper does. condition,"
    " answer, effect: what this run shows by itself, among trials of the same needle set, seed and reader,"
    " the threshold searched anew; see error-patterns, which has intervals. Small readers are those below the"
    " middle of the sizes that the config states, or all."
)
_FINDINGS_NOTE = (
    "What the text prints in single numbers, and the run's, counted alike: RAG is the few best chunks, best"
    " first; errors are counted among wrong answers whose prompt held every needle; norm to reverse is the"
    " change of the mean score over the lengths. The paper's readers, judge and texts are others."
)


def table_3(frame: DataFrame, patterns: Sequence[Pattern], numbers: Sequence[ReferenceNumber]) -> Table:
    """The five error patterns: the paper's condition and effect, the run's, and what the run itself shows."""
    rows = tuple(_pattern_row(frame, one, patterns, numbers) for one in _PATTERNS)
    return Table(
        "u-niah-table-3",
        "u-niah, table 3: error patterns",
        (
            *("pattern", "printed_condition", "behaviour", "printed", "same_condition", "n"),
            *("condition", "answer", "effect"),
        ),
        rows if any(row[4] is not None for row in rows) else (),
        _TABLE_3_NOTE,
    )


def findings(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> Table:
    """One row per number of the text that the run has a counterpart of."""
    return Table(
        "u-niah-findings",
        "u-niah, sections 5.1 to 5.3: single numbers",
        ("source", "finding", "needle_set", "reader", "printed", "ours", "n"),
        tuple(
            row for part in (_scores, _retrieval, _errors, _reversal, _doubt) for row in part(frame, numbers)
        ),
        _FINDINGS_NOTE,
    )


@dataclass(frozen=True)
class _Printed:
    """A row of the paper's table 3."""

    pattern: str
    behaviour: str
    condition: str
    metric: str


_PATTERNS = (
    _Printed("retrieval bottleneck", "missing elements", "recall < 1", "cases with incomplete retrieval %"),
    _Printed(
        "noise distraction",
        "missing elements",
        "noise ratio > 44 %",
        "change of missing elements above the noise threshold %",
    ),
    _Printed(
        "noise critical",
        "wrong elements",
        "context > 16k, noise ratio > 97 %",
        "change of wrong elements above the critical noise %",
    ),
    _Printed(
        "position sensitivity",
        "missing elements",
        "context < 16k, reverse order",
        "change of missing elements in reverse order %",
    ),
    _Printed("self-consistency", "self-doubt", "small reader, context > 16k, reverse order", "self-doubt %"),
)


def _pattern_row(
    frame: DataFrame, row: _Printed, patterns: Sequence[Pattern], numbers: Sequence[ReferenceNumber]
) -> tuple[TableValue, ...]:
    own, n = _SAME_CONDITION[row.pattern](frame)
    found = next(
        (
            one
            for one in patterns
            if (one.name, one.behaviour) == (row.pattern, row.behaviour) and "depth" not in one.condition
        ),
        None,
    )
    told: tuple[TableValue, ...] = (None,) * 3
    if found is not None and found.effect is not None:
        effect = None if found.relative is None else 100 * found.relative
        told = (found.condition, found.answer, effect)
    paper = printed(numbers, "table 3", row.metric)
    return (row.pattern, row.condition, row.behaviour, paper, own, n, *told)


def _missing_share(frame: DataFrame) -> NDArray[np.float64]:
    """Shape (n,): missing elements as a share of those asked for; NaN where either is not known."""
    return (frame["n_missing"] / frame["n_elements"]).to_numpy(dtype=np.float64)


def _any_wrong(frame: DataFrame) -> NDArray[np.float64]:
    wrong = frame["n_wrong"].to_numpy(dtype=np.float64)
    return np.where(np.isnan(wrong), np.nan, (wrong > 0).astype(np.float64))


def _doubts(frame: DataFrame) -> NDArray[np.float64]:
    """Shape (n,): 1 where a complete answer doubts itself, else 0; NaN where nobody looked."""
    doubt = frame["self_doubt"].to_numpy(dtype=np.float64, na_value=np.nan)
    complete = (frame["n_missing"] == 0) & (frame["n_wrong"] == 0)
    return np.where(np.isnan(doubt) | frame["n_missing"].isna(), np.nan, doubt * complete)


def _complete(frame: DataFrame) -> NDArray[np.bool_]:
    """Shape (n,): which rows of section 5.2 retrieved every needle."""
    return organised(frame) & (frame["retrieval_completeness"] == 1).to_numpy(dtype=np.bool_)


def _retrievals(frame: DataFrame) -> NDArray[np.intp]:
    """Rows of section 5.2, each case and strategy once, whoever read it."""
    known = frame["retrieval_completeness"].notna() & ~frame.duplicated(["case_id", "strategy"])
    return np.flatnonzero(organised(frame) & known)


def _rise(
    values: NDArray[np.float64], which: NDArray[np.bool_], under: NDArray[np.bool_]
) -> tuple[float | None, int]:
    """By how many % the mean is higher under a condition, among some rows; and how many these are."""
    known = which & ~np.isnan(values)
    there, elsewhere = values[known & under], values[known & ~under]
    if not len(there) or not len(elsewhere) or not elsewhere.mean() > 0:
        return None, int(known.sum())
    return 100 * float(there.mean() / elsewhere.mean() - 1), int(known.sum())


def _share(values: NDArray[np.float64], which: NDArray[np.bool_]) -> tuple[float | None, int]:
    known = values[which & ~np.isnan(values)]
    return (100 * float(known.mean()) if len(known) else None), len(known)


def _bottleneck(frame: DataFrame) -> tuple[float | None, int]:
    """Of cases and strategies, whoever read them, how many miss a needle."""
    asked = frame["retrieval_completeness"].to_numpy()[_retrievals(frame)]
    return (100 * float((asked < 1).mean()) if len(asked) else None), len(asked)


def _distraction(frame: DataFrame) -> tuple[float | None, int]:
    noise = frame["noise_ratio"].to_numpy(dtype=np.float64)
    return _rise(_missing_share(frame), _complete(frame) & ~np.isnan(noise), noise > _NOISE)


def _critical(frame: DataFrame) -> tuple[float | None, int]:
    noise, length = frame["noise_ratio"].to_numpy(dtype=np.float64), frame["context_length"].to_numpy()
    which = _complete(frame) & ~np.isnan(noise) & (length > _LONG)
    return _rise(_any_wrong(frame), which, noise > _CRITICAL)


def _position(frame: DataFrame) -> tuple[float | None, int]:
    reverse = frame["best_last"].to_numpy(dtype=np.bool_)
    short = frame["context_length"].to_numpy() <= _LONG
    return _rise(_missing_share(frame), organised(frame) & short, reverse)


def _self_doubt(frame: DataFrame) -> tuple[float | None, int]:
    reverse = frame["best_last"].to_numpy(dtype=np.bool_)
    small, _ = _by_size(frame)
    return _share(
        _doubts(frame), organised(frame) & reverse & small & (frame["context_length"].to_numpy() > _LONG)
    )


_SAME_CONDITION = {
    "retrieval bottleneck": _bottleneck,
    "noise distraction": _distraction,
    "noise critical": _critical,
    "position sensitivity": _position,
    "self-consistency": _self_doubt,
}


def _by_size(frame: DataFrame) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Shape (n,) each: rows of small readers and of large ones; all are small where no two sizes differ."""
    size = frame["reader_size"].to_numpy(dtype=np.float64)
    known = np.unique(size[~np.isnan(size)])
    if len(known) < 2:
        return np.ones(len(size), dtype=np.bool_), np.zeros(len(size), dtype=np.bool_)
    middle = float(np.sqrt(known[0] * known[-1]))
    return size < middle, size >= middle


_Rows = Iterator[tuple[TableValue, ...]]


def _scores(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> _Rows:
    score, inside = frame["score"].to_numpy(), nested(frame)
    rag = rows_with(frame, rag_strategies(frame))
    for which, source, dataset in (
        (~inside, "section 5.1", None),
        (inside, "section 5.3.1", "needle-in-needle"),
    ):
        for name, strategy, side in (("full context", "lc", whole_context(frame)), ("RAG", "topk", rag)):
            mean, _, n, _ = mean_and_sd(score[which & side])
            if n:
                paper = printed(numbers, source, "score", dataset=dataset, strategy=strategy)
                yield (source, f"mean score of {name}", dataset, None, paper, mean, n)


def _retrieval(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> _Rows:
    cases = _retrievals(frame)
    completeness, length = frame["retrieval_completeness"].to_numpy(), frame["context_length"].to_numpy()
    for (needle_set,), rows in row_groups(frame, "needle_set", rows=cases):
        name, source = dataset_name(needle_set), "section 5.2.1"
        paper = printed(numbers, source, "retrieval completeness %", dataset=name)
        own = 100 * float(completeness[rows].mean())
        yield (source, "retrieval completeness %", needle_set, None, paper, own, len(rows))
        longest = rows[length[rows] == length[rows].max()]
        paper = printed(numbers, source, "lowest retrieval recall %", dataset=name)
        own = 100 * float(completeness[longest].min())
        yield (source, "lowest recall at the longest length %", needle_set, None, paper, own, len(longest))


def _errors(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> _Rows:
    missing, wrong = (frame[name].to_numpy(dtype=np.float64) for name in ("n_missing", "n_wrong"))
    doubt = frame["self_doubt"].to_numpy(dtype=np.float64, na_value=0.0)
    errs = _complete(frame) & ((missing > 0) | (wrong > 0) | (doubt > 0)) & ~np.isnan(missing)
    only = ((missing > 0) & (wrong == 0) & (doubt == 0), "share of errors that miss elements only %")
    invents = (wrong > 0, "share of errors with a hallucination %")
    for (needle_set,), rows in row_groups(frame, "needle_set", rows=np.flatnonzero(errs)):
        for holds, metric in (only, invents):
            paper = printed(numbers, "section 5.2.2", metric, dataset=dataset_name(needle_set))
            yield (
                "section 5.2.2",
                metric,
                needle_set,
                None,
                paper,
                100 * float(holds[rows].mean()),
                len(rows),
            )


def _reversal(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> _Rows:
    """The change of each reader's mean score, over the lengths, from norm to reverse order."""
    score, order = frame["score"].to_numpy(), frame["order"].astype(object).to_numpy()
    metric = "change of score from norm to reverse %"
    scored = np.flatnonzero(organised(frame) & ~np.isnan(score))
    for (reader,), rows in row_groups(frame, "reader", rows=scored):
        means: dict[str, list[float]] = {name: [] for name in PAPER_ORDERS}
        for _, own in row_groups(frame, "length_band", rows=rows):
            both = [score[own[order[own] == name]] for name in PAPER_ORDERS]
            if all(map(len, both)):
                for name, values in zip(PAPER_ORDERS, both, strict=True):
                    means[name].append(float(values.mean()))
        if means["norm"]:
            norm, reverse = (float(np.mean(means[name])) for name in PAPER_ORDERS)
            paper = printed(numbers, "section 5.2.3", metric, reader=reader)
            yield ("section 5.2.3", metric, None, reader, paper, 100 * (reverse / norm - 1), len(rows))


def _doubt(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> _Rows:
    small, large = _by_size(frame)
    own, n = _rise(_doubts(frame), organised(frame) & (small | large), small)
    if own is not None and large.any():
        metric = "self-doubt of smaller models against larger, more by %"
        yield ("table 3", metric, None, None, printed(numbers, "table 3", metric), own, n)
