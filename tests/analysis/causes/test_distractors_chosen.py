from __future__ import annotations

from niah.analysis.causes.distractors_chosen import distractors_chosen
from niah.analysis.frame import trial_frame
from niah.analysis.table import TableValue
from niah.cases.case import Case
from niah.runs.trial import TrialRecord
from tests.analysis.small_trials import at, samples_of_cases, trial

# The first two distractors of pizza: "calzone" (medium) plants spinach and ricotta, "rival" (hard) anchovies.
TWO, ONE = (Case("pizza-ingredients", "essays", 1000, 50, seed, distractors=3 - seed) for seed in (1, 2))


def rows(records: list[TrialRecord]) -> tuple[tuple[TableValue, ...], ...]:
    return distractors_chosen(trial_frame(records), samples_of_cases(records)).rows


def test_distractors_by_hand() -> None:
    records = [
        trial("lc", 5, case=TWO, wrong=("spinach", "Ricotta")),
        trial("lc", 1, case=TWO, wrong=("anchovy",), repeat=1),
        trial("lc", 10, case=ONE),
        trial("lc", 1, case=ONE, wrong=("gravel",), repeat=1),
        trial("lc", None, case=ONE, repeat=2),
        trial("topk", 10, case=TWO),
    ]
    # Calzone stands in all four scored lc contexts, rival in those of the first case alone.
    assert rows(records) == (
        ("simulated", "lc", "pizza-ingredients", "calzone", "medium", 1, 4, 0.25),
        ("simulated", "lc", "pizza-ingredients", "rival", "hard", 1, 2, 0.5),
    )


def test_a_wrong_element_of_an_absent_distractor_makes_no_share() -> None:
    assert [row[5:] for row in rows([trial("lc", 5, case=at(1000), wrong=("spinach",))])] == [(1, 0, None)]


def test_nobody_chooses_anything_without_a_context() -> None:
    # What closed-book answers name stood in no context.
    assert [row[5:] for row in rows([trial("closed-book", 5, case=TWO, wrong=("spinach",))])] == [
        (1, 0, None)
    ]


def test_trials_without_a_sample_have_no_rows() -> None:
    assert distractors_chosen(trial_frame([trial("lc", 5, wrong=("spinach",))]), {}).rows == ()
