"""``niah import`` of needles: U-NIAH and NoLiMa in their forms, with facts written here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from niah.needles.load import load_needle_set

ROWS: list[dict[str, Any]] = [
    {
        "id": "0901",
        "reasoning_type": "world_knowledge",
        "system_prompt": "",
        "task_template": "{haystack} {question}",
        "needle": "That winter {CHAR} kept a shop beside {1}.",
        "questions": {"onehop": "Which character lived in {2}?", "twohop": "Which character lived in {3}?"},
        "character_set": ["Oda", "Ulla"],
        "tests": {
            "T01_C02": {"input_args": ["the Rialto bridge", "Venice", "Italy"]},
            "T02_C02": {"input_args": ["the Charles bridge", "Prague", "Czechia"]},
        },
    }
]


pytestmark = pytest.mark.usefixtures("in_folder")


def published(rows: object) -> str:
    Path("needle_set.json").write_text(json.dumps(rows, indent=1))
    return "needle_set.json"


def test_each_test_and_question_becomes_a_needle_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "nolima", published(ROWS)]) == 0
    shown = capsys.readouterr().out
    assert "4 needle sets in needles: nolima-0901-t01-c02-onehop ..." in shown
    assert "licence: Adobe Research License: no commercial use" in shown
    assert "cite: Modarressi et al. (2025), NoLiMa" in shown
    files = sorted(path.stem for path in Path("needles").iterdir())
    assert files == [
        "nolima-0901-t01-c02-onehop",
        "nolima-0901-t01-c02-twohop",
        "nolima-0901-t02-c02-onehop",
        "nolima-0901-t02-c02-twohop",
    ]
    made = load_needle_set("nolima-0901-t02-c02-twohop", seed=1)
    assert made.question == "Which character lived in Czechia?"
    assert [needle.text for needle in made.needles] == [
        "That winter Ulla kept a shop beside the Charles bridge."
    ]
    assert (made.answer, made.kind, made.elements[0].name) == ("Ulla", "latent", "Ulla")
    assert main(["check", *files]) == 0
    assert main(["import", "nolima", "needle_set.json"]) == 2
    assert "is there already. Name another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("u-niah", "a: {needles: [x], question: q}", "a, true_answer: is missing."),
        ("u-niah", "a: {needles: [A kettle sang.], question: q?, true_answer: Tin.}", "gives no needle set"),
        ("nolima", '{"needle": "x"}', "character_set: is missing."),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    name: str, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("theirs").write_text(text)
    assert main(["import", name, "theirs"]) == 2
    error = capsys.readouterr().err
    assert (said in error, error.count("\n")) == (True, 1)
    assert [path.name for path in Path().iterdir()] == ["theirs"]
