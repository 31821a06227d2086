from __future__ import annotations

from dataclasses import replace

from niah.analysis.frame import trial_frame
from niah.analysis.grouping import OUTCOMES
from niah.analysis.tables.summary import outcome_table, resource_table, summarise
from tests.analysis.small_trials import trial

SCORED = trial(
    "bm25/half/norm",
    10,
    reader="smollm2",
    prompt_tokens=500,
    completion_tokens=20,
    cached_tokens=100,
    latency_s=1.5,
    retrieval_completeness=1.0,
)
POOR = replace(
    SCORED, score=5, prompt_tokens=700, cached_tokens=None, latency_s=2.25, retrieval_completeness=0.5
)
TRUNCATED = replace(
    SCORED, outcome="truncated", score=None, completion_tokens=256, latency_s=4.0, retrieval_completeness=None
)
NOT_RUN = trial("bm25/half/norm", None, reader="smollm2", outcome="not_run")


def test_a_row_worked_by_hand() -> None:
    (row,) = summarise(trial_frame([SCORED, POOR, TRUNCATED, NOT_RUN]))
    assert (row.reader, row.strategy) == ("smollm2", "bm25/half/norm")
    assert (row.score, row.n, row.trials) == (7.5, 2, 4)
    assert {name: count for name, count in row.outcomes.items() if count} == {
        "scored": 2,
        "truncated": 1,
        "not_run": 1,
    }
    assert row.prompt_tokens == 500 + 700 + 500
    assert row.completion_tokens == 20 + 20 + 256
    assert row.cached_tokens == 100 + 100
    assert row.seconds == 1.5 + 2.25 + 4
    assert row.retrieval_completeness == 0.75


def test_unknown_is_none_and_never_zero() -> None:
    (row,) = summarise(trial_frame([NOT_RUN]))
    assert (row.score, row.n) == (None, 0)
    assert (row.prompt_tokens, row.completion_tokens, row.cached_tokens) == (None, None, None)
    assert (row.seconds, row.retrieval_completeness) == (None, None)


def test_one_row_per_reader_and_strategy() -> None:
    records = [replace(SCORED, strategy=s, reader=r) for r in ("b", "a") for s in ("mixpr/half/norm", "lc")]
    rows = [(row.reader, row.strategy) for row in summarise(trial_frame(records))]
    assert rows == [("a", "lc"), ("a", "mixpr/half/norm"), ("b", "lc"), ("b", "mixpr/half/norm")]


def test_every_outcome_is_counted() -> None:
    records = [trial("lc", 10), trial("lc", None), trial("lc", None), trial("topk", None, outcome="overflow")]
    table = outcome_table(trial_frame(records))
    assert table.columns == ("reader", "strategy", "trials", *OUTCOMES)
    assert table.rows == (
        ("simulated", "lc", 3, 1, 2, 0, 0, 0, 0, 0, 0),
        ("simulated", "topk", 1, 0, 0, 0, 1, 0, 0, 0, 0),
    )


def test_tokens_cost_and_latency_by_hand() -> None:
    # 20 latencies, 1 to 20 s: half do not exceed 10, 95 % do not exceed 19; the sum is 20 * 21 / 2.
    records = [trial("lc", 10, repeat=second, latency_s=float(second)) for second in range(1, 21)]
    records += [trial("lc", None, prompt_tokens=100, cached_tokens=40), trial("lc", 1, prompt_tokens=300)]
    assert resource_table(trial_frame(records)).rows == (
        ("simulated", "lc", "prompt tokens", 100.0, 300.0, 400.0, 2, 20),
        ("simulated", "lc", "cached tokens", 40.0, 40.0, 40.0, 1, 21),
        ("simulated", "lc", "answer tokens", None, None, None, 0, 22),
        ("simulated", "lc", "cost in $", None, None, None, 0, 22),
        ("simulated", "lc", "latency in s", 10.0, 19.0, 210.0, 20, 2),
    )


def test_what_was_paid_leaves_kept_answers_out() -> None:
    paid = replace(SCORED, cost=0.5)
    table = resource_table(trial_frame([paid, replace(paid, case_id="other", from_cache=True)]))
    totals = {row[2]: row[5] for row in table.rows}
    assert totals["cost in $"] == 0.5
