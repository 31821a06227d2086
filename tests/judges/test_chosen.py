from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from niah.judges.chosen import chosen_distractors
from niah.judges.verdict import Verdict


@pytest.mark.parametrize(
    ("name", "answer", "chosen"),
    [
        ("pizza-ingredients", "Figs, prosciutto and goat cheese.", ()),
        ("pizza-ingredients", "Smoked curd, anchovy and figs.", ("rival", "quill-row-curd")),
        ("pizza-ingredients", "Ricotta and spinach", ("calzone",)),
        ("pizza-ingredients", "Figs, not pears.", ()),
        ("pizza-ingredients", "Figs, prosciutto, basil", ()),  # invented: nobody planted it
        ("three-gates", "Copper gate: 17685", ()),  # a right value for the wrong gate
        ("three-gates", "Granite gate: 63529", ("marble",)),
        ("common-words@3", "Yaxby", ()),  # a trap
    ],
)
def test_the_distractors_whose_elements_were_taken(name: str, answer: str, chosen: tuple[str, ...]) -> None:
    key = key_of(name, 1)
    assert chosen_distractors(judge_by_rubric(answer, key), key) == chosen


def test_another_judges_spelling_names_the_same_distractor() -> None:
    key = key_of("pizza-ingredients", 1)
    verdict = Verdict(1, (), ("figs",), ("**Smoked-Curd**", "Anchovy"), False, "other", "1", "")
    assert chosen_distractors(verdict, key) == ("rival", "quill-row-curd")
