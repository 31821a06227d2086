"""``niah questions init``: a folder becomes documents, and lines to fill in that nobody asks before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main

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
