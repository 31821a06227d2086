from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from niah.analysis.tables.retrieval import retrieval_rows, without_needles
from niah.runs.retrieval import RetrievalRecord


def record(completeness: float | None = 1.0, **changes: Any) -> RetrievalRecord:
    plain = RetrievalRecord(
        case_id="c",
        needle_set="pizza",
        haystack="essays",
        context_length=1000,
        depth=0,
        seed=1,
        strategy="tfidf/half/norm",
        needles=4,
        completeness=completeness,
        in_part=0.0,
        element_recall=completeness,
        noise_ratio=0.5,
        needle_ranks=(),
        needle_split=(),
        context_tokens=100,
        retrieved=2,
        available=9,
        seconds=0.1,
    )
    return replace(plain, **changes)


def test_means_of_one_row() -> None:
    records = [
        record(1.0, noise_ratio=0.2, context_tokens=100),
        record(0.5, noise_ratio=0.4, context_tokens=200, in_part=0.25),
        record(0.0, noise_ratio=0.9, context_tokens=300, in_part=0.5),
    ]
    (row,) = retrieval_rows(records)
    assert (row.strategy, row.context_length, row.needles, row.n) == ("tfidf/half/norm", None, None, 3)
    assert row.completeness == pytest.approx(0.5)  # (1 + 0.5 + 0) / 3
    assert row.every_needle == pytest.approx(1 / 3)
    assert row.in_part == pytest.approx(0.25)  # (0 + 0.25 + 0.5) / 3
    assert row.noise_ratio == pytest.approx(0.5)  # (0.2 + 0.4 + 0.9) / 3
    assert row.context_tokens == pytest.approx(200)


def test_rows_rise_and_strategies_keep_the_users_order() -> None:
    records = [
        record(strategy=strategy, context_length=length, needles=needles)
        for needles in (7, 3)
        for length in (2000, 1000)
        for strategy in ("topk", "dos")
    ]
    rows = retrieval_rows(records, per_length=True, per_needles=True)
    assert [(row.needles, row.context_length, row.strategy) for row in rows] == [
        (needles, length, strategy)
        for needles in (3, 7)
        for length in (1000, 2000)
        for strategy in ("topk", "dos")
    ]


def test_lengths_and_needles_are_taken_together_unless_asked_for() -> None:
    records = [record(1.0, context_length=1000, needles=3), record(0.0, context_length=2000, needles=7)]
    assert [(row.context_length, row.needles) for row in retrieval_rows(records, per_length=True)] == [
        (1000, None),
        (2000, None),
    ]
    assert [row.needles for row in retrieval_rows(records, per_needles=True)] == [3, 7]
    assert [row.n for row in retrieval_rows(records)] == [2]


def test_whole_contexts_have_no_noise() -> None:
    (row,) = retrieval_rows([record(strategy="lc", noise_ratio=None)])
    assert row.noise_ratio is None


def test_cases_without_needles_are_left_out_and_counted_once() -> None:
    empty = [record(None, needles=0, case_id="e", strategy=strategy) for strategy in ("topk", "dos")]
    assert retrieval_rows(empty) == ()
    assert [row.n for row in retrieval_rows([*empty, record()])] == [1]
    assert without_needles([*empty, record()]) == 1


def test_lengths_of_given_documents_are_taken_together_up_to_powers_of_two() -> None:
    lengths = (1024, 1025, 1999, 2049)
    records = [record(context_length=length, question_set="mine") for length in lengths]
    rows = retrieval_rows(records, per_length=True)
    assert [(row.context_length, row.n) for row in rows] == [(1024, 1), (2048, 2), (4096, 1)]
