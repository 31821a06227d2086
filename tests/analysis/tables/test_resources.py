from __future__ import annotations

from niah.analysis.frame import trial_frame
from niah.analysis.grouping import OUTCOMES
from niah.analysis.tables.summary import outcome_table, resource_table
from tests.analysis.small_trials import trial


def test_every_outcome_is_counted() -> None:
    records = [trial("lc", 10), trial("lc", None), trial("lc", None), trial("topk", None, outcome="overflow")]
    table = outcome_table(trial_frame(records))
    assert table.columns == ("reader", "strategy", "trials", *OUTCOMES)
    assert table.rows == (
        ("simulated", "lc", 3, 1, 2, 0, 0, 0, 0, 0),
        ("simulated", "topk", 1, 0, 0, 0, 1, 0, 0, 0),
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
