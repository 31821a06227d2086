from __future__ import annotations

from niah.analysis.frame import trial_frame
from niah.analysis.tables.judge_tables import agreement_table
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
