"""Six causes of worse answers, planted one by one in a simulated reader: each is found, and no other."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import pandas as pd
import pytest

from niah.analysis.context_rot import CAUSES, by_cause, effects, in_places
from niah.cases.case import Case, Placed
from niah.cases.sample import Sample
from niah.cases.samples import key_of
from niah.cases.suite import load_suite
from niah.judges.rubric import judge_by_rubric
from niah.retrieval import registry
from tests.analysis.small_trials import frame_of, trial
from tests.samples import unbuilt


@cache
def samples() -> dict[str, Sample]:
    """The shipped suite at two lengths, with twice its seeds; no context is built."""
    cases = load_suite("context-rot", {"lengths": (1024, 1536)}).cases
    wider = [replace(case, seed=case.seed + more) for case in cases for more in (0, 5)]
    return {each.sample_id: each for each in map(_sample, wider)}


def _sample(case: Case) -> Sample:
    key = key_of(case.needle_set, case.seed)
    needles = tuple(Placed(each.id, each.text, each.elements, 0, 0, 0, 0) for each in key.needles)
    distractors = tuple(
        Placed(each.id, each.text, tuple(one.name for one in each.elements), 0, 0, 0, 0)
        for each in key.distractors[: case.distractors]
    )
    return replace(unbuilt(case, key=key), needles=needles, distractors=distractors)


def is_hard(sample: Sample, strategy: str, cause: str) -> bool:
    """Whether the last condition of a cause holds."""
    case = sample.case
    assert case
    return {
        "wording": "inferred" in case.needle_set,
        "distractors": case.distractors == 4,
        "order": case.haystack_order == "shuffled",
        "likeness": case.haystack == "starlight",
        "focus": strategy == "lc",
        "copying": case.needle_set == "copy@100",
        "none": False,
    }[cause]


@cache
def run(planted: str) -> pd.DataFrame:
    """A simulated reader is right in 95 % of its answers, in 25 % under the last condition of one cause."""
    rng, rows = random.Random(f"{planted} planted"), []
    for sample in samples().values():
        misled = [one.name for item in sample.key.distractors for one in item.elements if item.id == "hard-2"]
        for strategy in ("lc", "oracle"):
            is_right = rng.random() < (0.25 if is_hard(sample, strategy, planted) else 0.95)
            wrong = misled[0] if misled and sample.distractors else "The text does not say."
            verdict = judge_by_rubric(sample.key.answer if is_right else wrong, sample.key)
            told = {"missing": verdict.missing, "wrong": verdict.wrong, "kind": sample.key.kind}
            rows.append(trial(strategy, verdict.score, case=sample.case, **told))
    return frame_of(rows, samples())


@pytest.mark.parametrize("planted", [*CAUSES, "none"])
def test_each_cause_is_found_where_it_is_planted_and_no_other(planted: str) -> None:
    found: Any = effects(run(planted)).set_index("cause")
    assert list(found.index) == list(CAUSES)
    assert {cause for cause in CAUSES if found.loc[cause, "found"]} == {planted} - {"none"}
    assert (found["low"] <= found["effect"]).all()
    assert (found["effect"] <= found["high"]).all()
    assert set(found["clusters"]) == {10}
    if planted in CAUSES:
        assert found.loc[planted, "high"] < 0
    assert found["published"].notna().all()


def test_wordings_are_ordered_by_their_cosine_with_the_needle() -> None:
    rows: Any = by_cause(run("none"), "wording").drop_duplicates("needle_set").sort_values("condition")
    said = [name.removeprefix("surgeon-").partition("@")[0] for name in rows["needle_set"]]
    assert said == ["inferred", "distant", "reworded", "close", "verbatim"]
    assert rows["condition"].between(0.2, 0.9).all()
    likeness: Any = by_cause(run("none"), "likeness").set_index("haystack")["condition"]
    assert likeness["starlight"].iloc[0] > likeness["essays"].iloc[0] + 0.05


def test_a_table_says_which_distractor_misled() -> None:
    rows: Any = by_cause(run("distractors"), "distractors").groupby("condition")
    wrong = rows["n"].sum() - rows["right"].sum()
    assert rows["misled"].sum().to_dict() == {0: 0, 1: 0, 4: wrong[4]}
    assert wrong[4] > 10
    assert set(by_cause(run("distractors"), "distractors")["by"]) - {""} == {
        f"hard-2 {count}" for count in by_cause(run("distractors"), "distractors")["misled"] if count
    }


def test_words_are_in_place_by_tenths_of_the_answer() -> None:
    sample = next(each for each in samples().values() if each.needle_set == "copy@25")
    said = sample.key.answer.split()
    verdict = judge_by_rubric(" ".join([*said[:20], *["another"] * 5]), sample.key)
    told = {"missing": verdict.missing, "wrong": verdict.wrong, "kind": sample.key.kind}
    frame = frame_of([trial("lc", verdict.score, case=sample.case, **told)], {sample.sample_id: sample})
    shares = in_places(frame).groupby("position")["in_place"].agg(["mean", "size"])
    assert shares["mean"].to_dict() == {place: float(place < 80) for place in range(0, 100, 10)}
    assert shares["size"].tolist() == [3, 2, 3, 2, 3, 2, 3, 2, 3, 2]


def test_what_a_run_has_not_got_yet_is_left_out() -> None:
    """A needle asked for in one wording has no table; a run that was stopped has no pairs of some causes."""
    frame = run("wording")
    assert effects(frame[frame["needle_set"] == "course@1"]).empty
    odd = frame["seed"] % 2 == 1
    begun = frame[frame["sends_context"] & (odd == (frame["shuffled"] | (frame["needle_set"] == "copy@100")))]
    assert list(effects(begun)["cause"]) == ["wording", "distractors", "likeness"]


def test_a_report_without_the_embedders_weights_fetches_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "fetched_weights", lambda name: None)
    for cached in (registry._static, registry.likeness):
        cached.cache_clear()
    assert list(effects(run("none"))["cause"]) == ["distractors", "order", "focus", "copying"]
    for cached in (registry._static, registry.likeness):
        cached.cache_clear()
