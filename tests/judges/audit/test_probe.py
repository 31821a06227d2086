"""What answers can claim, and the verdicts that they deserve."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.audit.probe import Claim, names_any, right_claims, swapped, true_verdict, wrong_claims
from niah.judges.error_types import paper_error_type
from niah.judges.rubric.doubt import Doubt


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


@pytest.mark.parametrize(
    ("right", "wrong", "doubt", "score", "kind"),
    [
        (3, 0, "none", 10, "correct"),
        (2, 0, "none", 7, "missing_only"),  # 2/3
        (1, 0, "none", 5, "missing_only"),  # 1/3
        (0, 0, "none", 1, "other"),
        (3, 1, "none", 7, "wrong_only"),  # 3/4
        (3, 2, "none", 5, "wrong_only"),  # 3/5
        (2, 1, "none", 5, "missing_and_wrong"),  # 2/4
        (1, 1, "none", 3, "missing_and_wrong"),  # 1/4
        (0, 2, "none", 1, "missing_and_wrong"),
        (3, 0, "hedged", 10, "self_doubt_complete"),
        (2, 0, "hedged", 7, "self_doubt_incomplete"),
        (3, 0, "withdrawn", 1, "self_doubt_complete"),
        (2, 0, "withdrawn", 1, "self_doubt_incomplete"),
        (2, 1, "withdrawn", 1, "missing_and_wrong"),
        (0, 0, "withdrawn", 1, "self_doubt_incomplete"),
    ],
)
def test_of_three_elements(
    right: int, wrong: int, doubt: Doubt, score: int, kind: str, pizza: AnswerKey
) -> None:
    claims = (*right_claims(pizza)[:right], *wrong_claims(pizza)[:wrong])
    verdict = true_verdict(pizza, claims, doubt)
    assert (verdict.score, paper_error_type(verdict)) == (score, kind)
    assert verdict.self_doubt == (doubt != "none")
    assert verdict.found == ("figs", "ham", "goat cheese")[:right]
    assert verdict.missing == ("figs", "ham", "goat cheese")[right:]
    assert verdict.wrong == ("ricotta", "pears")[:wrong]


def test_a_value_for_anothers_key_is_missing_and_wrong(gates: AnswerKey) -> None:
    verdict = true_verdict(gates, swapped(right_claims(gates)))
    assert (verdict.score, verdict.found, verdict.missing) == (1, (), ("50317", "82946"))
    assert verdict.wrong == ("50317 (Corrow)", "82946 (copper gate)")


@pytest.mark.parametrize(
    ("wrong", "doubt", "score", "self_doubt"),
    [
        (0, "withdrawn", 10, False),
        (1, "withdrawn", 5, False),
        (1, "none", 1, False),
        (1, "hedged", 1, True),
        (0, "none", 1, False),
    ],
)
def test_where_the_text_does_not_tell(
    wrong: int, doubt: Doubt, score: int, self_doubt: bool, well: AnswerKey
) -> None:
    claims: tuple[Claim, ...] = wrong_claims(well)[:wrong]
    verdict = true_verdict(well, claims, doubt)
    assert (verdict.score, verdict.self_doubt) == (score, self_doubt)
