"""``niah needles import nolima``: NoLiMa's form, with facts written here."""

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
    },
    {
        "id": "0902",
        "needle": "{CHAR} never touched milk.",
        "questions": {"onehop": "Who is a vegan?"},
        "character_set": ["Ivo"],
        "tests": {"T01": {"input_args": []}},
    },
]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def published(rows: object) -> str:
    Path("needle_set.json").write_text(json.dumps(rows, indent=1))
    return "needle_set.json"


def test_each_test_and_question_becomes_a_needle_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needles", "import", "nolima", published(ROWS)]) == 0
    shown = capsys.readouterr().out
    assert "5 needle sets in needles: nolima-0901-t01-c02-onehop ..." in shown
    assert "licence: Adobe Research License: no commercial use" in shown
    assert "cite: Modarressi et al. (2025), NoLiMa" in shown
    files = sorted(path.stem for path in Path("needles").iterdir())
    assert files == [
        "nolima-0901-t01-c02-onehop",
        "nolima-0901-t01-c02-twohop",
        "nolima-0901-t02-c02-onehop",
        "nolima-0901-t02-c02-twohop",
        "nolima-0902-t01-onehop",
    ]
    made = load_needle_set("nolima-0901-t02-c02-twohop", seed=1)
    assert made.question == "Which character lived in Czechia?"
    assert [needle.text for needle in made.needles] == [
        "That winter Ulla kept a shop beside the Charles bridge."
    ]
    assert (made.answer, made.kind, made.elements[0].name) == ("Ulla", "latent", "Ulla")
    assert main(["needles", "check", *files]) == 0
    assert main(["needles", "import", "nolima", "needle_set.json"]) == 2
    assert "is there already. Name another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"needle": "{CHAR} saw {4}."}, "entry 1, needle: has the place {4}, and a test gives 3 values."),
        ({"questions": {"onehop": "{9}?"}}, "entry 1, questions.onehop: has the place {9}"),
        ({"character_set": []}, "entry 1, character_set: "),
        ({"tests": {"T": {}}}, "entry 1, tests.T.input_args: is missing."),
    ],
)
def test_a_wrong_file_is_one_line_and_writes_nothing(
    change: dict[str, Any], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["needles", "import", "nolima", published([{**ROWS[0], **change}])]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"needle_set.json: {says}" in line
    assert [path.name for path in Path().iterdir()] == ["needle_set.json"]


def test_only_nolima_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needles", "import", "nolime", published(ROWS)]) == 2
    assert "nolima" in capsys.readouterr().err
