"""``niah questions init``: a folder becomes documents, and lines to fill in that nobody asks before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from niah.cases.questions.from_template import begin_question_set
from niah.cases.questions.question_samples import question_samples
from niah.cli.main import main
from niah.errors import ConfigError

PUMP = "# The pump\n\nThe drain plug takes 11 Nm.\n"
KILN = "The kiln is fired on Mondays."
ASKED = Path("cases/questions/manual.jsonl")
TEXTS = Path("cases/questions/manual.documents.jsonl")


@pytest.fixture(autouse=True)
def _in_a_folder_with_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("pump.md", PUMP), ("shop/kiln.txt", KILN), ("notes.pdf", "%PDF"), ("nil.txt", " \n")):
        path = Path("docs", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_text_is_a_document_with_a_question_to_replace(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", "init", "manual", "--documents", "docs"]) == 0
    said = capsys.readouterr()
    assert f"2 documents: {TEXTS}" in said.out
    assert "left out: nil, which is empty" in said.err
    assert lines(TEXTS) == [
        {"id": "pump", "text": PUMP, "title": "The pump"},
        {"id": "shop/kiln", "text": KILN, "title": "kiln"},
    ]
    assert [(line["id"], line["document_id"]) for line in lines(ASKED)] == [
        ("q1", "pump"),
        ("q2", "shop/kiln"),
    ]


def test_check_names_what_is_left_and_no_run_asks_it(capsys: pytest.CaptureFixture[str]) -> None:
    begin_question_set("manual", Path("docs"))
    asked = lines(ASKED)
    asked[0] |= {"question": "How tight is it?", "answers": ["11 Nm"], "evidence": ["takes 11 Nm"]}
    asked[1] |= {"question": "When is it fired?", "answers": ["Mondays"]}
    ASKED.write_text("".join(f"{json.dumps(line)}\n" for line in asked))
    assert main(["questions", "check", "manual"]) == 2
    (left, counted) = capsys.readouterr().out.splitlines()
    assert left.startswith(f"{ASKED}: line 2: evidence: is still to be filled in.")
    assert counted == "1 question about 1 document: 1 to mend, 0 to look at"
    with pytest.raises(ConfigError, match="line 2: evidence: is still to be filled in"):
        question_samples(ASKED, "cl100k", "u-niah")

    del asked[1]["evidence"]
    ASKED.write_text("".join(f"{json.dumps(line)}\n" for line in asked))
    assert main(["questions", "check", "manual"]) == 0
    samples = question_samples(ASKED, "cl100k", "u-niah")
    assert [getattr(sample.source, "document_id", None) for sample in samples] == ["pump", "shop/kiln"]
