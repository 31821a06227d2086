"""Two runs, effective length, crossover and error patterns: on frames whose answer is known."""

from __future__ import annotations

import warnings
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas import DataFrame
from scipy import stats

import niah
from niah.analysis.compare import compare_frames
from niah.analysis.crossover import crossover_rows, crossovers, overall_choice
from niah.analysis.effective_length import effective_lengths
from niah.analysis.nights import seed_gaps
from niah.analysis.patterns import find_patterns
from niah.plots.verdicts import comparison_markdown
from tests.analysis.small_trials import at, frame_of, given_sample, given_trial, row, trial

COLUMNS = ["reader", "strategy", "needle_set", "haystack", "context_length", "depth", "seed", "repeat"]


def nights(seeds: int = 12, strategies: tuple[str, ...] = ("lc", "dos")) -> pd.DataFrame:
    """All right: one needle set, two lengths, three depths."""
    asked = product("m", strategies, ["keys"], ["essays"], [1000, 2000], [0.0, 50, 100], range(seeds), [0])
    return pd.DataFrame(asked, columns=COLUMNS).assign(score=10.0, outcome="scored")


def test_the_worst_row_is_named_and_its_worst_cell() -> None:
    before = nights()
    hit = (before["strategy"] == "lc") & (before["depth"] == 50)
    found = compare_frames(before, before.assign(score=np.where(hit, 1.0, 10.0)))
    (row,), (cell,) = found.verdict.regressions, found.verdict.cells
    assert (row.parts, row.n, row.clusters, row.difference) == ({"reader": "m", "strategy": "lc"}, 72, 12, -3)
    assert cell is not None
    assert (cell.parts["depth"], cell.difference) == ("middle", -9)
    # One of 4,096 flips is as bad; both rows with the drop are found with it.
    assert (row.p, row.adjusted) == (1 / 4096, 1 / 4096)
    (cell,) = compare_frames(before, before.assign(score=np.where(hit, 9.4, 10.0))).verdict.cells
    assert cell is not None


def test_lengths_and_depths_of_too_few_clusters_are_named() -> None:
    before = nights().assign(score=5.0)
    few = before[(before["context_length"] == 1000) | (before["seed"] < 3)]
    told = comparison_markdown(compare_frames(few, few.assign(score=5.0 + few["seed"] % 2)))
    assert "\n* not tested, too few clusters: m · 2,000 tokens\n" in told
    assert "not tested" not in comparison_markdown(compare_frames(before, before.assign(score=6.0)))


def test_what_dropped_everywhere_is_named_as_a_whole() -> None:
    before = nights()
    hit = before["seed"] % 2 == 0
    found = compare_frames(before, before.assign(score=np.where(hit, 4.0, 8.0)))
    assert [row.parts for row in found.verdict.regressions] == [{"reader": "m"}]
    assert found.verdict.cells == (None,)


def test_trials_that_lose_their_score_are_counted_not_averaged() -> None:
    before = nights()
    lost = before["strategy"] == "dos"
    after = before.assign(score=np.where(lost, np.nan, 10), outcome=np.where(lost, "reader_error", "scored"))
    (row,) = compare_frames(before, after).verdict.regressions
    assert (row.measure, row.parts["strategy"], row.baseline, row.candidate) == ("not scored", "dos", 0, 1)


def test_a_usual_night_is_no_regression() -> None:
    """Means that go up and down by a point from night to night hide a drop of one."""
    before = nights()
    history = [before.assign(score=score) for score in (10.0, 8.0, 9.0, 7.5, 9.5)]
    after = before.assign(score=np.where(before["seed"] < 11, 8.0, 9.0))
    alone, known = compare_frames(before, after), compare_frames(before, after, history=history)
    assert (alone.verdict.kind, known.verdict.kind) == ("regression", "no regression")
    assert known.nights == 5


def test_the_same_answers_as_last_night_hide_no_drop_from_the_nights_before() -> None:
    before = nights(seeds=4).assign(score=5.0, answer="Nim")
    found = compare_frames(before, before, reference=[before.assign(score=9.0)])
    assert (found.verdict.kind, found.rows[0].difference) == ("incomplete", -2)
    assert "every answer is the same" not in comparison_markdown(found)
    assert compare_frames(before, before).verdict.kind == "no regression"


@pytest.mark.parametrize("none", [{}, {"answer": None}, {"answer": ""}, {"answer": pd.NA}])
def test_nothing_is_said_of_answers_where_there_are_none(none: dict[str, Any]) -> None:
    found = compare_frames(nights().assign(**none), nights().assign(**none))
    assert "144 pairs, 144 scored in both, 12 clusters\n" in comparison_markdown(found)
    assert "answer" not in comparison_markdown(found)
    one = compare_frames(nights().assign(answer="Nim"), nights().assign(answer="Nam"))
    assert "12 clusters; 0 with the same answer" in comparison_markdown(one)


def test_five_clusters_are_too_few_and_say_so() -> None:
    before = nights(seeds=5)
    noisy = before.assign(score=np.where(before["seed"] == 0, 1.0, 10.0))
    found = compare_frames(before, noisy).verdict
    assert found.kind == "incomplete"
    assert "5 clusters" in found.gaps[0]


def test_a_model_that_lost_all_is_not_green_for_its_rows_at_the_floor() -> None:
    right = nights(4, ("lc", "closed-book"))
    before = right.assign(score=np.where(right["strategy"] == "lc", 10.0, 1.0))
    after = right.assign(score=1.0)
    found = niah.compare(before, after).verdict
    assert (found.kind, "4 clusters" in found.gaps[0]) == ("incomplete", True)
    assert niah.compare(after, before).verdict.kind == "no regression"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"trial_id": "one"}, r"candidate: \d+ rows have the trial_id of an earlier one. Tell them apart"),
        ({"score": 0.5}, "candidate: score: a scored trial has one from 1 to 10"),
        ({"depth": 100.5}, "candidate: depth: one is not from 0 to 100. Give it in %"),
        ({"depth": -np.inf}, "candidate: depth: one is not from 0 to 100. Give it in %"),
        ({"score": "ten"}, "candidate: could not convert string to float: 'ten'"),
        ({"outcome": "ok"}, "candidate: outcome: 'ok' is none. Known: scored,"),
        ({"seed": 1}, r"candidate: \d+ rows have the .*seed.* of an earlier one. Tell them apart"),
    ],
)
def test_frames_that_cannot_be_compared_say_why(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(niah.UserError, match=says):
        niah.compare(nights(), nights().assign(**wrong))
    with pytest.raises(niah.UserError, match="no column seed"):
        niah.compare(nights().drop(columns="seed"), nights())


def test_numbers_that_are_text_in_one_frame_pair_with_numbers_in_the_other() -> None:
    """As where one frame was read from a CSV file without types, or has gaps."""
    frame = nights(seeds=6).assign(score=5.0)
    text, keys = frame.copy(), ["context_length", "depth", "seed", "repeat", "score"]
    text[keys] = text[keys].astype(str)
    gaps = frame.astype({"seed": float, "repeat": "Int64"})
    for before, after in product([frame, text, gaps], repeat=2):
        found = niah.compare(before, after, history=[text, frame, gaps])
        assert (found.pairs, found.nights, found.notes) == (72, 3, ())
    named = frame.assign(case_id=range(72))
    assert niah.compare(named, text.assign(case_id=named["case_id"].astype(str))).pairs == 72
    worded = frame.assign(seed=frame["seed"].map({0: "0", 1: 1}).fillna("s" + frame["seed"].astype(str)))
    assert niah.compare(worded, worded[worded["seed"] != "s5"]).pairs == 60


def test_ours_agrees_with_the_paired_t_test_and_mcnemar_where_designs_are_simple() -> None:
    """One trial a cluster: p within a factor of three of SciPy's, and the same direction."""
    rng = np.random.default_rng(7)
    compared = 0
    for _ in range(10):
        before = nights(seeds=60, strategies=("lc",))
        before = before[(before["context_length"] == 1000) & (before["depth"] == 50)]
        first = np.where(rng.random(60) < 0.8, 10.0, 1.0)
        second = np.where(rng.random(60) < 0.2, 11.0 - first, first)
        row = compare_frames(before.assign(score=first), before.assign(score=second)).rows[0]
        paired = stats.ttest_rel(first, second, alternative="greater")
        worse, better = int((second < first).sum()), int((second > first).sum())
        mcnemar = stats.binomtest(worse, worse + better, alternative="greater").pvalue
        assert np.sign(-(row.difference or 0.0)) == np.sign(paired.statistic)
        for theirs in (paired.pvalue, mcnemar):
            if 0.003 < theirs < 0.9:
                compared += 1
                assert theirs / 3 < row.p < theirs * 3
    assert compared >= 10


def test_anchors_that_are_all_right_are_better_than_fresh_seeds() -> None:
    fresh = {seed: 1.0 + seed % 2 for seed in range(101, 107)}
    trials = [
        trial("lc", score, case=at(1000, seed))
        for seed, score in (dict.fromkeys(range(6), 10.0) | fresh).items()
    ]
    with warnings.catch_warnings(action="error"):
        (gap,) = seed_gaps(frame_of(trials), range(6))
    assert (gap["difference"], gap["anchors"], gap["fresh"]) == (8.5, 6, 6)
    assert gap["p"] < 0.001 < gap["low"]


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
    (found,) = effective_lengths(run({"lc": (10, 10, 9, 8)})).itertuples()
    # 85 % of 10; at 8,000 the mean is 7, at 4,000 it is 9.
    assert (found.base, found.length, found.length_low, found.length_high) == (10, 4000, 4000, 4000)
    (whole,) = effective_lengths(run({"lc": (10, 10, 10, 10)})).itertuples()
    assert (whole.length, whole.worst_depth, whole.worst_score) == (8000, 50, 7)


def test_an_effective_length_of_four_clusters_has_no_interval() -> None:
    for seeds, bounds in ((4, (None, None)), (5, (4000, 4000))):
        (found,) = effective_lengths(run({"lc": (10, 10, 9, 8)}, seeds=seeds)).itertuples()
        assert (found.length, found.length_low, found.length_high) == (4000, *bounds)


def test_strategies_share_the_whole_contexts_base() -> None:
    found: Any = effective_lengths(run({"lc": (10, 9, 9, 9), "topk": (7, 7, 7, 7)})).set_index("strategy")
    assert found.loc["topk", ["base", "length"]].tolist() == [10, None]


def test_a_switch_is_found_where_retrievals_lead_begins() -> None:
    frame = run({"lc": (10, 10, 6, 4), "topk": (9, 9, 9, 9)})
    (found,) = crossovers(frame)
    assert (found.length, overall_choice(found)) == (4000, "switch")
    assert [*crossover_rows(frame)["send"]] == ["everything", "everything", "topk", "topk"]
    assert [*crossover_rows(run({"lc": (9, 10), "topk": (10, 9)}))["send"]] == ["topk", "everything"]


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
