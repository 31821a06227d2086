"""What an answer can claim."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.audit.claims import names_any, right_claims, swapped, wrong_claims


def test_right_claims_have_their_keys(gates: AnswerKey) -> None:
    assert [(c.name, c.right, c.key) for c in right_claims(gates)] == [
        ("50317", True, "copper gate"),
        ("82946", True, "Corrow"),
    ]


def test_wrong_claims_are_beyond_doubt_and_each_once(pizza: AnswerKey) -> None:
    # The question mentions basil; smoked ham is also ham; ricotta stands in two distractors.
    assert [claim.name for claim in wrong_claims(pizza)] == ["ricotta", "pears"]


def test_a_wrong_claim_gets_a_key_of_the_question(gates: AnswerKey) -> None:
    assert [(c.name, c.right, c.key) for c in wrong_claims(gates)] == [("63529", False, "copper gate")]


def test_swapped_claims_exchange_keys_and_nothing_else(gates: AnswerKey) -> None:
    assert [(c.name, c.key) for c in swapped(right_claims(gates))] == [
        ("50317", "Corrow"),
        ("82946", "copper gate"),
    ]


@pytest.mark.parametrize(
    ("text", "named"), [("A fig.", True), ("RICOTTA!", True), ("Figaro", False), ("", False)]
)
def test_whether_a_text_names_an_element(text: str, named: bool, pizza: AnswerKey) -> None:
    assert names_any(text, pizza) == named
