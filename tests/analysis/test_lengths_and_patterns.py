"""Effective length, crossover and error patterns, each planted."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from pandas import DataFrame

from niah.analysis.crossover import crossovers, overall_choice
from niah.analysis.effective_length import effective_lengths
from niah.analysis.patterns import find_patterns
from tests.analysis.small_trials import frame_of, given_sample, given_trial, row

LENGTHS = (1000, 2000, 4000, 8000)


def run(scores: dict[str, tuple[float, ...]], seeds: int = 10) -> DataFrame:
    """One score for each strategy and length; full context is 3 points lower at depth 50 of the longest."""
    records = []
    for (strategy, own), depth, seed in product(scores.items(), (0.0, 50.0, 100.0), range(seeds)):
        for length, score in zip(LENGTHS, own, strict=False):
            middle = 3 if (strategy, length, depth) == ("lc", LENGTHS[-1], 50.0) else 0
            case = f"keys_{length}_{depth}_{seed}"
            records.append(
                row(
                    **{"trial_id": f"{case}_{strategy}", "case_id": case, "needle_set": "keys"},
                    **{"haystack": "essays", "context_length": length, "depth": depth, "seed": seed},
                    **{"strategy": strategy, "reader": "m", "repeat": 0, "outcome": "scored"},
                    score=score - middle,
                    prompt_tokens=length if strategy == "lc" else 500,
                )
            )
    return frame_of(records)


def test_the_mean_over_depths_holds_and_the_worst_depth_is_named() -> None:
    (found,) = effective_lengths(run({"lc": (10, 10, 9, 8)}))
    # 85 % of 10; at 8,000 the mean is 7, at 4,000 it is 9.
    assert (found.base, found.length, found.low, found.high) == (10, 4000, 4000, 4000)
    (whole,) = effective_lengths(run({"lc": (10, 10, 10, 10)}))
    assert (whole.length, whole.worst_depth, whole.worst_score) == (8000, 50, 7)


def test_strategies_share_the_whole_contexts_base() -> None:
    found = {
        each.strategy: each for each in effective_lengths(run({"lc": (10, 9, 9, 9), "topk": (7, 7, 7, 7)}))
    }
    assert (found["topk"].base, found["topk"].length) == (10, None)


def test_a_switch_is_found_where_retrievals_lead_begins() -> None:
    (found,) = crossovers(run({"lc": (10, 10, 6, 4), "topk": (9, 9, 9, 9)}))
    assert found.length == 4000
    assert overall_choice(found) == "switch"


def test_nothing_is_recommended_from_a_tie() -> None:
    (found,) = crossovers(run({"lc": (3.7,) * 3, "topk": (3.7,) * 4, "oracle": (3.7,) * 4}))
    assert overall_choice(found) == "either"


def lucky(distraction: float, doubts: float = 0, seed: int = 5) -> DataFrame:
    """Trials of 32 needle sets and seeds, each with luck of its own.

    Wrong elements are more likely by ``distraction`` above a noise ratio of 44 %; self-doubt over complete
    answers by ``doubts`` at 32,000 tokens.
    """
    draw, records = np.random.default_rng(seed), []
    strategies = ("lc", "topk", "topk-rev", "half", "half-rev", "full", "dos")
    for name, number in product("abcd", range(8)):
        luck = draw.normal(0.12, 0.04)
        for length, depth, strategy in product((2_000, 8_000, 32_000), (10.0, 50.0, 90.0), strategies):
            case = f"{name}_{length}_{depth}_{number}"
            noise = None if strategy == "lc" else draw.uniform(0, 0.79)
            missing, doubt = draw.random(2) < luck
            wrong = draw.random() < luck + distraction * ((noise or 0) > 0.44)
            if doubts and length == 32_000 and not (missing or wrong):
                doubt = draw.random() < doubts
            records.append(
                row(
                    **{"trial_id": f"{case}_{strategy}", "case_id": case, "needle_set": name},
                    **{"haystack": "essays", "context_length": length, "depth": depth, "seed": number},
                    **{"strategy": strategy, "reader": "m", "repeat": 0, "outcome": "scored"},
                    **{"noise_ratio": noise, "retrieval_completeness": None if noise is None else 1.0},
                    **{"missing": ("element",) * int(missing), "wrong": ("lure",) * int(wrong)},
                    **{"score": 10 - 5 * missing - 3 * wrong, "self_doubt": bool(doubt)},
                )
            )
    return frame_of(records)


def test_a_planted_noise_threshold_is_found_and_nothing_where_nothing_is() -> None:
    def found(frame: DataFrame) -> dict[Any, float]:
        patterns = find_patterns(frame)
        shown = patterns[patterns["answer"] == "found"]
        return shown.set_index(["pattern", "behaviour"])["threshold"].to_dict()

    assert found(lucky(0)) == {}
    planted = found(lucky(0.2))
    assert planted == {("noise distraction", "wrong elements"): pytest.approx(0.44, abs=0.05)}
    ((pattern, tokens),) = found(lucky(0, 0.4)).items()
    assert pattern == ("self-consistency", "self-doubt")
    assert 8_000 < tokens <= 32_000


def test_no_pattern_is_sought_in_what_nobody_has_written_down() -> None:
    samples = {f"q{at}": given_sample(f"q{at}", f"document {at // 2}") for at in range(6)}
    asked = product(samples.values(), {"lc": 5.5, "topk": 10, "topk-rev": 10, "dos": 1}.items())
    records = [given_trial(sample, name, score) for sample, (name, score) in asked]
    assert find_patterns(frame_of(records, samples)).empty
