from __future__ import annotations

from niah.analysis.causes.chosen_table import chosen
from niah.analysis.causes.needle_sets_asked import needle_sets_asked
from niah.cases.case import Case
from tests.analysis.small_trials import at, trial

# The first two distractors of pizza: "calzone" (medium) plants spinach and ricotta, "rival" (hard) anchovies.
TWO, ONE = (Case("pizza-ingredients", "essays", 1000, 50, seed, distractors=3 - seed) for seed in (1, 2))


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
    assert chosen(records, [TWO, ONE], needle_sets_asked(records)).rows == (
        ("simulated", "lc", "pizza-ingredients", "calzone", "medium", 1, 4, 0.25),
        ("simulated", "lc", "pizza-ingredients", "rival", "hard", 1, 2, 0.5),
    )


def test_a_wrong_element_of_an_absent_distractor_makes_no_share() -> None:
    records = [trial("lc", 5, wrong=("spinach",))]
    assert [row[5:] for row in chosen(records, [at(1000)], needle_sets_asked(records)).rows] == [(1, 0, None)]


def test_a_needle_set_that_is_gone_has_no_rows() -> None:
    records = [trial("lc", 5, wrong=("spinach",), needle_set="gone.yaml")]
    assert chosen(records, [], needle_sets_asked(records)).rows == ()
