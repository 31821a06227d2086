"""What a guesser gets, where it is shown, and cells at an end of the scale."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from io import StringIO
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import niah
from niah.analysis.compare import compare_frames
from niah.analysis.pairs import ends_of
from niah.analysis.summary import summary
from niah.analysis.tables import make_table
from niah.cases.sample import AnswerKey, _score, answer_key
from niah.cases.samples import key_of, question_samples
from niah.judges.rubric import judge_by_rubric, rubric_score
from niah.needles.families.load import family_names, load_family
from niah.needles.families.schema import choices_of
from niah.needles.load import load_needle_set, needle_set_names
from niah.needles.needle_set import NeedleSet, QuestionKind
from niah.plots.drawing import draw_difference, figure_of
from niah.plots.terminal import print_summary
from niah.plots.theme import themed
from niah.plots.verdicts import comparison_markdown
from niah.runs.trial import rows_of
from tests.analysis.small_trials import at, frame_of, trial
from tests.analysis.test_compare import nights
from tests.conftest import SimulatedServer

SEEDS = range(1001, 1025)  # of none is a draw that the floor is made of


@cache
def usual_count(name: str) -> str:
    """The count that most of some other seeds have."""
    return Counter(key_of(name, seed).elements[0].name for seed in range(2001, 2041)).most_common(1)[0][0]


def told(drawn: NeedleSet) -> list[str]:
    """What a story's question lists, or its facts tell, of the kind of its answer; nothing of its traps."""
    right, family = drawn.elements[0].name, load_family(drawn.name.partition("@")[0])[1]
    names = [name for name in drawn.cast if name[0].isupper() == right[0].isupper()]
    kin = next((each for slot in family.each.values() if right in (each := choices_of(slot))), names)
    if right in (listed := [name for name in kin if name in drawn.question]):
        return [*listed]
    facts = " ".join(needle.text for needle in drawn.needles)
    found = [name for name in dict.fromkeys(kin) if name in facts and name not in listed]
    return found if {each.name for each in drawn.elements}.issubset(found) else [*kin]


def guess(drawn: NeedleSet, key: AnswerKey, rng: random.Random) -> str:
    """The answer of one who knows the kind of question, and takes any of what is offered."""
    right, wrong = [each.name for each in key.elements], [each.name for each in key.traps]
    counts = len(right) == 1 and right[0].isdigit()
    if drawn.kind == "recall":  # a whole reply
        replies = [right, *(wrong[at : at + len(right)] for at in range(0, len(wrong), len(right)))]
        return ", ".join(rng.choice(replies))
    if drawn.kind == "copy":  # the word that is repeated, without the one that is changed
        return " ".join(Counter(key.answer.split()).most_common(1)[0][:1] * len(right))
    if drawn.kind == "conflicting":
        older = [each.elements[0].name for each in drawn.distractors[: len(right)]]
        pairs = zip(key.elements, older, strict=True)
        return "; ".join(f"{one.key}: {rng.choice([one.name, other])}" for one, other in pairs)
    if counts and drawn.kind == "aggregation":
        return str(rng.randint(2, len(drawn.needles) - 1))
    if counts and drawn.kind == "story":
        return usual_count(drawn.name)
    if drawn.kind == "story" and not drawn.options:
        return ", ".join(rng.sample(told(drawn), len(right)))
    if drawn.ordered and drawn.kind == "aggregation":
        return ", ".join(rng.sample(right, len(right)))
    if wrong and (drawn.options or (drawn.kind == "aggregation" and len(right) == 1)):
        return ", ".join(rng.sample(sorted({*right, *wrong}), len(right)))
    return "Quillverence"  # a value, and any


def sets_by_kind() -> dict[str, list[str]]:
    """Every written set, and of each family that of seven needles or nearly."""
    found: dict[str, list[str]] = {}
    for name in needle_set_names():
        found.setdefault(load_needle_set(name, 1).kind, []).append(name)
    for name in family_names():
        family = load_family(name)[1]
        size = max(family.fewest, min(7, family.most))
        found.setdefault(family.kind, []).append(f"{name}@{size}")
    return found


@pytest.mark.parametrize("kind", [kind for part in get_args(QuestionKind) for kind in get_args(part)])
def test_a_guesser_is_within_two_standard_errors_of_its_line(kind: str) -> None:
    gaps: list[float] = []
    for name in sets_by_kind()[kind]:
        rng = random.Random(name)
        for seed in SEEDS:
            drawn = load_needle_set(name, seed)
            key = answer_key(drawn)
            scores = [judge_by_rubric(guess(drawn, key, rng), key).score for _ in range(4)]
            gaps.append(float(np.mean(scores)) - key.floor)
            if key.floor == 1 == scores[0] and seed > SEEDS[0]:
                break  # nothing is offered
    assert abs(np.mean(gaps)) <= 2 * np.std(gaps, ddof=1) / len(gaps) ** 0.5


STORIES = [f"babilong-qa{number}@7" for number in (1, 2, 3, 4, 5, 8, 11, 12, 13, 14, 15, 16, 19, 20)]


@pytest.mark.parametrize("name", [*STORIES, "in-order@4"])
def test_a_line_is_the_mean_over_all_that_a_guesser_may_say(name: str) -> None:
    for seed in SEEDS[:6]:
        drawn = load_needle_set(name, seed)
        key, many = answer_key(drawn), len(drawn.elements)
        names = told(drawn) if drawn.kind == "story" else [each.name for each in drawn.elements]
        answers = (permutations if drawn.ordered else combinations)(names, many)
        scores = [judge_by_rubric(", ".join(answer), key).score for answer in answers]
        assert key.floor == pytest.approx(np.mean(scores)), (seed, names)


def test_options_and_replies_of_given_questions_are_chances(tmp_path: Path) -> None:
    row: dict[str, object] = {"document": "Nim sells figs.", "question": "What?", "answers": ["figs"]}
    rows: list[dict[str, object]] = [
        {"id": "free"},
        {"id": "four", "options": ["figs", "ham", "oil", "tea"]},
        {"id": "two", "options": ["figs", "ham", "oil", "tea"], "answers": ["figs", "ham"]},
        {"id": "mrcr", "kind": "8 needles", "source": "MRCR"},
    ]
    path = tmp_path / "asked.jsonl"
    path.write_text("".join(json.dumps(row | each) + "\n" for each in rows))
    floors = {each.key.name: each.key.floor for each in question_samples(path, "cl100k", "u-niah")}
    assert floors == {"free": 1, "four": 3.25, "two": pytest.approx((10 + 4 * 5 + 1) / 6), "mrcr": 1 + 9 / 8}


def test_the_rubrics_scores_make_the_line() -> None:
    for asked in range(1, 9):
        for found in range(asked + 1):
            wrong = asked - found
            assert _score(found, asked) == rubric_score(found, wrong, wrong)


def test_cells_at_either_end_are_counted_and_not_called_no_regression() -> None:
    """Full context: right at 1,000 tokens and a guesser's score at 2,000; between them at 4,000."""
    before = nights().assign(floor=3.0)
    middle = before[before["context_length"] == 1000].assign(
        context_length=4000, score=lambda rows: np.where(rows["seed"] % 2, 8.0, 6)
    )
    low = before["context_length"] == 2000
    before = pd.concat([before.assign(score=np.where(low, 3.0 + before["seed"] % 2 / 9, 10.0)), middle])
    told = before.assign(answer="Nim")
    found = compare_frames(before, before)
    assert (found.ends, found.verdict.kind) == ({"": 6, "floor": 6, "ceiling": 6}, "no regression")
    said = "6 of 18 cells between the ends of the scale (6 at the floor, 6 at the ceiling)"
    assert f"every answer is the same; {said}" in comparison_markdown(compare_frames(told, told))
    fallen = compare_frames(before, before.assign(score=before["score"] - 1))
    assert fallen.verdict.kind == "regression"
    assert "cells" not in comparison_markdown(fallen).partition("<details>")[0]


def test_a_difference_map_dots_cells_whose_baseline_lies_at_an_end() -> None:
    """Of two lengths the first is right throughout; an answer without a score is no end."""
    scores = [(1000, 10), (1000, 10), (2000, 4), (2000, 8), (4000, None)]
    trials = [trial("lc", score, case=at(length, seed)) for seed, (length, score) in enumerate(scores)]
    later = frame_of([trial("lc", 5, case=at(length, seed)) for seed, (length, _) in enumerate(scores)])
    found = compare_frames(earlier := frame_of(trials), later)
    with themed():
        drawn = draw_difference([earlier], later, found)
    assert drawn is not None
    assert drawn.numbers.set_index("context_length")["at_end"].to_dict() == {1000: 1, 2000: 0, 4000: 0}
    assert "Dots: the earlier score" in drawn.caption


def test_a_difference_map_is_from_the_mean_of_the_nights_that_are_compared_with() -> None:
    later, *nights = (
        frame_of([trial("lc", score, case=at(1000, seed)) for seed in (1, 2)]) for score in (5, 10, 6)
    )
    compared = compare_frames(nights[0], later, reference=nights[1:])
    found = replace(compared, reference=("nightly-2026-11-01.sqlite",))
    with themed():
        drawn = draw_difference(nights, later, found)
    assert drawn is not None
    assert drawn.numbers["difference"].tolist() == [-3]
    assert "minus the mean of the last 2 accepted nights" in drawn.title
    assert (found.ends, drawn.numbers["at_end"].tolist()) == ({"": 1}, [False])  # the last alone: the ceiling
    before = "the mean of the last 2 accepted nights (nightly-2026-11-01.sqlite to baseline)"
    assert f"candidate against {before}" in comparison_markdown(found)


def test_oracle_is_the_ceiling_where_it_ran() -> None:
    """With the right text alone the model gets 5, so that 5 cannot be told from the best there is."""
    records = [trial(name, score) for name, score in (("lc", 5), ("oracle", 5), ("dos", 3))]
    frame: Any = frame_of([*records, trial("lc", 5, case=at(2000))])
    assert frame["ceiling"].fillna(0).tolist() == [5, 0, 5, 0]
    assert ends_of(frame)["end"].tolist() == ["ceiling", "", "", ""]
    rows: Any = make_table("mean-scores", frame)
    assert [dict(zip(rows.columns, row, strict=True))["ceiling"] for row in rows.rows] == [5, None, 5]


def test_a_run_has_its_line_in_frame_terminal_and_figure(
    simulated_server: SimulatedServer, in_folder: Path
) -> None:
    names = ["how-many@7", "babilong-qa1@5", "recall@4", "ferry-lanterns"]
    grid: dict[str, Any] = {"needle_sets": names, "lengths": [1500], "depths": [0]}
    reader = {"model": "simulated", "api_base": simulated_server.base_url}
    run = niah.run("single", readers=[reader], strategies=["lc", "oracle"], progress=False, **grid)
    frame = run.trials()
    floors = {row.case_id: key_of(row.needle_set, int(row.seed)).floor for row in rows_of(frame)}
    assert frame["floor"].tolist() == [floors[case] for case in frame["case_id"]]
    console = Console(width=120, record=True, file=StringIO())
    print_summary(summary(frame), console)
    assert "mean floor ceiling tokens" in " ".join(console.export_text().split())
    with themed():
        drawing = figure_of(frame, Path("x"), "score-by-tokens").drawing
    labels = [each.get_text() for each in drawing.legends[0].get_texts()]
    assert labels.count("a guesser") == 1
