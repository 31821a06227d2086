from __future__ import annotations

from niah.analysis.frame import trial_frame
from niah.analysis.tables.judge_tables import agreement_table, unsure_table
from niah.judges.verdict import Unsure
from tests.analysis.small_trials import near, trial


def test_agreement_by_hand() -> None:
    records = [
        trial("lc", 10, judge_scores={"rubric": 10, "gpt": 10}),
        trial("lc", 1, repeat=1, judge_scores={"rubric": 1, "gpt": 3}),
        trial("lc", 1, repeat=2, reader="other", judge_scores={"rubric": 1, "gpt": 10}),
        trial("lc", 7, repeat=3, judge_scores={"rubric": 7}),
        trial("lc", None, repeat=4),
    ]
    # In names' order, gpt comes first. Levels of gpt 4, 1, 4 and of rubric 4, 0, 0.
    # Squared differences 0 + 1 + 16 = 17; all 9 pairings: 0+16+16 + 9+1+1 + 0+16+16 = 75.
    # kappa = 1 - 17 * 3 / 75 = 0.32; bias = (0 - 1 - 4) / 3.
    every, other, simulated = agreement_table(trial_frame(records)).rows
    assert every[:4] == ("gpt", "rubric", "all", 3)
    assert every[4:] == near((1 / 3, 2 / 3, 0.32, -5 / 3))
    assert other == ("gpt", "rubric", "other", 1, 0.0, 0.0, near(0.0), -4.0)
    assert simulated[2:6] == ("simulated", 2, 0.5, 1.0)


def test_of_a_cascade_only_answers_count_about_which_both_spoke() -> None:
    name, open_question = "rubric+gpt", Unsure("two answers", 1, 10)
    records = [
        trial("lc", 7, unsure=open_question, judge_scores={"rubric": 5, name: 7}),
        *(trial("lc", 10, repeat=n, judge_scores={"rubric": 10, name: 10}) for n in range(1, 4)),
    ]
    rows = agreement_table(trial_frame(records)).rows
    assert [row[:6] for row in rows] == [
        ("rubric", name, "all", 1, 0.0, 1.0),
        ("rubric", name, "simulated", 1, 0.0, 1.0),
    ]


def test_what_hangs_on_the_unsure_by_hand() -> None:
    records = [
        trial("lc", 7, unsure=Unsure("a paraphrase", 5, 10)),
        trial("lc", 10, repeat=1),
        trial("lc", None, repeat=2),
        trial("topk", 1),
    ]
    table = unsure_table(trial_frame(records))
    # (7 + 10) / 2, (5 + 10) / 2, (10 + 10) / 2; a trial without a score is in no mean.
    assert table.rows == (
        ("simulated", "lc", 2, 1, 0.5, 8.5, 7.5, 10.0),
        ("simulated", "topk", 1, 0, 0.0, 1.0, 1.0, 1.0),
    )
    assert unsure_table(trial_frame(records[1:])).rows == ()


def test_judges_that_never_met_have_no_row() -> None:
    records = [
        trial("lc", 10, judge_scores={"a": 10, "b": 10}),
        trial("lc", 10, judge_scores={"b": 10, "c": 7}),
    ]
    assert [row[:3] for row in agreement_table(trial_frame(records)).rows if row[2] == "all"] == [
        ("a", "b", "all"),
        ("b", "c", "all"),
    ]


def test_one_judge_agrees_with_nobody() -> None:
    assert (
        agreement_table(trial_frame([trial("lc", 10, judge_scores={"rubric": 10}), trial("lc", 1)])).rows
        == ()
    )
