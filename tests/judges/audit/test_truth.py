"""The true verdict, from claims alone: the rubric's tables worked out by hand."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.audit.claims import Claim, right_claims, swapped, wrong_claims
from niah.judges.audit.truth import truth
from niah.judges.error_types import error_type
from niah.judges.rubric.doubt import Doubt


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
        (3, 0, "withdrawn", 7, "self_doubt_complete"),
        (0, 0, "withdrawn", 1, "self_doubt_incomplete"),
    ],
)
def test_of_three_elements(
    right: int, wrong: int, doubt: Doubt, score: int, kind: str, pizza: AnswerKey
) -> None:
    claims = (*right_claims(pizza)[:right], *wrong_claims(pizza)[:wrong])
    verdict = truth(pizza, claims, doubt)
    assert (verdict.score, error_type(verdict)) == (score, kind)
    assert verdict.self_doubt == (doubt != "none")
    assert verdict.found == ("figs", "ham", "goat cheese")[:right]
    assert verdict.missing == ("figs", "ham", "goat cheese")[right:]
    assert verdict.wrong == ("ricotta", "pears")[:wrong]


def test_a_value_for_anothers_key_is_missing_and_wrong(gates: AnswerKey) -> None:
    verdict = truth(gates, swapped(right_claims(gates)))
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
    verdict = truth(well, claims, doubt)
    assert (verdict.score, verdict.self_doubt) == (score, self_doubt)
