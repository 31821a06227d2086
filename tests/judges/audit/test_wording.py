"""Claims in words and formats."""

from __future__ import annotations

import json

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.audit.claims import right_claims
from niah.judges.audit.wording import FORMATS, PARAPHRASES, PLAIN, Words


def test_a_plain_answer(pizza: AnswerKey, gates: AnswerKey) -> None:
    claims = right_claims(pizza)
    assert PLAIN(claims, pizza) == "The answers are figs, ham and goat cheese."
    assert PLAIN(claims[:1], pizza) == "The answer is figs."
    # The question says "the copper gate", and "Corrow" without an article.
    assert (
        PLAIN(right_claims(gates), gates) == "The answers are 50317 for the copper gate and 82946 for Corrow."
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("numbered", "1. copper gate: 50317\n2. Corrow: 82946"),
        ("table", "| For | Answer |\n| --- | --- |\n| copper gate | 50317 |\n| Corrow | 82946 |"),
        ("semicolons", "the copper gate: 50317; Corrow: 82946"),
        ("boxed", r"\boxed{50317 for the copper gate and 82946 for Corrow}"),
    ],
)
def test_formats_with_keys(name: str, text: str, gates: AnswerKey) -> None:
    assert FORMATS[name](right_claims(gates), gates).replace("- the", "-").replace(". the", ".") == text


def test_json_is_json(pizza: AnswerKey, gates: AnswerKey) -> None:
    assert json.loads(FORMATS["JSON"](right_claims(pizza), pizza)) == {
        "answer": ["figs", "ham", "goat cheese"]
    }
    assert json.loads(FORMATS["JSON"](right_claims(gates), gates))["answer"][1] == {
        "for": "Corrow",
        "answer": "82946",
    }


def test_aliases_are_used_where_there_are_any(pizza: AnswerKey) -> None:
    assert (
        PARAPHRASES["aliases"](right_claims(pizza), pizza)
        == "According to the text: fig, ham and goat cheese."
    )


@pytest.mark.parametrize("name", [*PARAPHRASES, *FORMATS])
def test_every_wording_says_every_claim_and_leaves_no_slot(name: str, gates: AnswerKey) -> None:
    wordings: dict[str, Words] = {**PARAPHRASES, **FORMATS}
    said = wordings[name](right_claims(gates), gates).casefold()
    for word in ("50317", "82946", "copper gate", "corrow"):
        assert word in said
    assert not any(slot in said for slot in ("{list}", "{name}", "{key}", "{answers}"))
