from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from niah.analysis.frame import trial_frame
from niah.analysis.tables.question_words import FEWEST, question_words
from niah.analysis.tables.table import Table
from niah.analysis.trial_columns import Trials, trial_columns
from niah.cases.sample import Sample
from niah.runs.trial import TrialRecord
from tests.analysis.small_trials import at, near, samples_of_cases, trial

(PIZZA,) = samples_of_cases([trial("lc", 1)]).values()
ANIMALS = ("lynx", "otter", "heron", "stoat", "raven")
PLANTS = ("sedge", "alder", "briar", "clover", "nettle")


def asked(words: tuple[str, ...], first: int) -> dict[int, str]:
    """A question per word, "Where is the lynx?", by seed."""
    return {first + at: f"Where is the {word}?" for at, word in enumerate(words)}


def samples_of(questions: dict[int, str]) -> dict[str, Sample]:
    return {
        at(1000, seed).case_id: replace(PIZZA, key=replace(PIZZA.key, question=question))
        for seed, question in questions.items()
    }


def table(questions: dict[int, str], scores: dict[int, tuple[int, int]]) -> Table:
    records: list[TrialRecord] = []
    for seed, (lc, rag) in scores.items():
        records += [trial("lc", lc, case=at(1000, seed)), trial("topk", rag, case=at(1000, seed))]
    return question_words(trial_frame(records), samples_of(questions))


def test_each_side_has_its_own_words() -> None:
    questions = asked(ANIMALS, 1) | asked(PLANTS, 11)
    scores = dict.fromkeys(range(1, 6), (10, 1)) | dict.fromkeys(range(11, 16), (1, 10))
    rows = table(questions, scores).rows
    # "where", "is" and "the" are stop words: one word is left of each question, with weight 1, and each side
    # has five questions: 1 / 5 for its own words, 0 for the other's.
    assert {row[1]: row[2:] for row in rows} == {
        **{word: (near(0.2), 0.0, 5, 5) for word in ANIMALS},
        **{word: (0.0, near(0.2), 5, 5) for word in PLANTS},
    }
    assert [row[1] for row in rows] == sorted(ANIMALS + PLANTS)


def test_a_question_weighs_as_often_as_one_side_alone_answers_it() -> None:
    questions = asked(ANIMALS, 1) | asked(PLANTS, 11)
    scores = dict.fromkeys(range(1, 6), (10, 1)) | dict.fromkeys(range(11, 16), (1, 10))
    records = [
        trial(strategy, score, case=at(1000, seed), repeat=repeat)
        for seed, both in scores.items()
        for repeat in range(6 if seed == 1 else 1)
        for strategy, score in zip(("lc", "topk"), both, strict=True)
    ]
    # Of lc's ten pairs six are the lynx's.
    rows = question_words(trial_frame(records), samples_of(questions)).rows
    assert rows[0][1:3] == ("lynx", near(0.6))


def test_too_few_questions_have_no_words() -> None:
    questions = asked(ANIMALS, 1) | asked(PLANTS[: FEWEST - 1], 11)
    scores = dict.fromkeys(range(1, 6), (10, 1)) | dict.fromkeys(range(11, 15), (1, 10))
    found = table(questions, scores)
    assert found.rows == (("topk", None, None, None, 5, 4),)
    assert "too few" in found.note


@pytest.mark.parametrize("of_trials", [trial_frame, trial_columns])
def test_where_a_run_holds_exact_match_that_says_what_is_correct(
    of_trials: Callable[[list[TrialRecord]], Trials],
) -> None:
    records = [
        trial(strategy, 7, case=at(1000, 1), judge_scores={"rubric": 7, "exact-match": exact})
        for strategy, exact in (("lc", 10), ("topk", 1))
    ]
    found = question_words(of_trials(records), samples_of(asked(ANIMALS[:1], 1)))
    assert found.rows == (("topk", None, None, None, 1, 0),)


def test_questions_without_a_sample_are_left_out() -> None:
    assert table({}, {1: (10, 1)}).rows == ()


def test_what_both_sides_answer_has_no_part() -> None:
    questions = asked(ANIMALS, 1)
    assert table(questions, {1: (10, 10), 2: (1, 1), 3: (7, 5)}).rows == (("topk", None, None, None, 0, 0),)
