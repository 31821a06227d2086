"""Run files of before have 0 for kept answers: what these cost is reckoned, or unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from niah.runs.cost.kept_answers import price_kept
from niah.runs.provenance import Invocation
from niah.runs.trial import TrialRecord

PAID = TrialRecord(
    *("paid", "case", "set", "essays", 512, 50.0, 1, "lc", "r", 0, "scored"),
    prompt_tokens=300,
    completion_tokens=10,
    cost=0.00034,  # 300 x 1e-6 + 10 x 4e-6
)
KEPT = replace(PAID, trial_id="kept", from_cache=True, cost=0.0, prompt_tokens=200)
SERVED = {"r": {"provider": "openai-compatible", "api_base": "http://127.0.0.1:9/v1"}}


def priced(*rates: tuple[str, str]) -> list[Invocation]:
    """Invocations with those prices of input and output for a million tokens."""
    prices = [{"r": {"input": fresh, "cached_input": fresh, "output": output}} for fresh, output in rates]
    return [Invocation("2026-11-24", {"prompts": {}, "prices": {"value": each}}, {}) for each in prices]


@pytest.mark.parametrize(
    ("records", "rates", "cost"),
    [
        ([PAID, KEPT], [("1", "4")], 0.00024),  # 200 x 1e-6 + 10 x 4e-6
        ([KEPT], [("1", "4"), ("1", "4")], 0.00024),
        # The first price gives what was paid; the second came later.
        ([PAID, KEPT], [("1", "4"), ("2", "8")], 0.00024),
        # None of them does, and without a paid trial nobody knows which it was.
        ([PAID, KEPT], [("2", "8")], None),
        ([KEPT], [("1", "4"), ("2", "8")], None),
        ([replace(KEPT, prompt_tokens=None)], [("1", "4")], None),
        # A server of one's own is free.
        ([KEPT], [], 0.0),
    ],
)
def test_what_a_kept_answer_cost(
    records: list[TrialRecord], rates: list[tuple[str, str]], cost: float | None
) -> None:
    *paid, kept = price_kept(records, priced(*rates), SERVED)
    assert kept.cost == (None if cost is None else pytest.approx(cost))
    assert kept.from_cache
    assert paid == records[:-1]


def test_without_a_price_the_cost_is_unknown() -> None:
    paid, kept = price_kept([PAID, KEPT], [], {"r": {"api_base": "https://example.com/v1"}})
    assert (paid.cost, kept.cost) == (0.00034, None)


def test_what_a_systems_kept_answer_cost_is_known_of_a_free_one_alone() -> None:
    asked = replace(PAID, strategy="system:py:my_app:answer", cost=0.0)
    kept = replace(asked, from_cache=True)
    assert price_kept([asked, kept], [], SERVED)[1].cost == 0
    assert price_kept([replace(asked, cost=0.5), kept], [], SERVED)[1].cost is None
    assert price_kept([kept], [], SERVED)[0].cost is None
