"""Claims in words and formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cases.sample import AnswerKey
from niah.errors import ConfigError
from niah.files import FileModel, load_yaml
from niah.judges.audit import texts
from niah.judges.audit.probe import right_claims
from niah.judges.audit.texts import HostileFile, Sayings, Wordings, plain_answer, wordings


def test_a_plain_answer(pizza: AnswerKey, gates: AnswerKey) -> None:
    claims = right_claims(pizza)
    assert plain_answer(claims, pizza) == "The answers are figs, ham and goat cheese."
    assert plain_answer(claims[:1], pizza) == "The answer is figs."
    # The question says "the copper gate", and "Corrow" without an article.
    assert (
        plain_answer(right_claims(gates), gates)
        == "The answers are 50317 for the copper gate and 82946 for Corrow."
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("numbered", "1. the copper gate: 50317\n2. Corrow: 82946"),
        ("table", "| For | Answer |\n| --- | --- |\n| copper gate | 50317 |\n| Corrow | 82946 |"),
        ("semicolons", "the copper gate: 50317; Corrow: 82946"),
        ("boxed", r"\boxed{50317 for the copper gate and 82946 for Corrow}"),
    ],
)
def test_formats_with_keys(name: str, text: str, gates: AnswerKey) -> None:
    assert wordings().formats[name].phrase(right_claims(gates), gates) == text


def test_json_is_json(pizza: AnswerKey, gates: AnswerKey) -> None:
    assert json.loads(wordings().formats["JSON"].phrase(right_claims(pizza), pizza)) == {
        "answer": ["figs", "ham", "goat cheese"]
    }
    assert json.loads(wordings().formats["JSON"].phrase(right_claims(gates), gates))["answer"][1] == {
        "for": "Corrow",
        "answer": "82946",
    }


def test_aliases_are_used_where_there_are_any(pizza: AnswerKey) -> None:
    assert (
        wordings().paraphrases["aliases"].phrase(right_claims(pizza), pizza)
        == "According to the text: fig, ham and goat cheese."
    )


@pytest.mark.parametrize("name", [*wordings().paraphrases, *wordings().formats])
def test_every_wording_says_every_claim_and_leaves_no_slot(name: str, gates: AnswerKey) -> None:
    every = wordings().paraphrases | wordings().formats
    said = every[name].phrase(right_claims(gates), gates).casefold()
    for word in ("50317", "82946", "copper gate", "corrow"):
        assert word in said
    assert not any(
        slot in said for slot in ("{list}", "{name}", "{key}", "{answers}", "{number}", "{json}", "{table}")
    )


@pytest.mark.parametrize(
    ("model", "name", "old", "new", "problem"),
    [
        (HostileFile, "hostile.yaml", 'rot13: "{base} ', 'rot13: "', "texts.rot13"),
        (Sayings, "sayings.yaml", '"My best guess: {answer}"', "My best guess", "hedges.3"),
        (Wordings, "wordings.yaml", "upper_case: true", "uppercase: true", "uppercase"),
    ],
)
def test_a_text_without_its_slot_is_an_error_that_says_where(
    model: type[FileModel], name: str, old: str, new: str, problem: str, tmp_path: Path
) -> None:
    shipped = Path(texts.__file__).with_name(name).read_text(encoding="utf-8")
    assert shipped.count(old) == 1
    (tmp_path / name).write_text(shipped.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError, match=problem):
        load_yaml(tmp_path / name, model)
