"""Rows of a published dataset as a file, ``niah questions import`` of it, and what that wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from niah.cases.question_sets import question_samples
from niah.cases.sample import Sample
from niah.cli.main import main


def published(rows: list[Any], as_list: bool = False) -> str:
    text = json.dumps(rows) if as_list else "".join(f"{json.dumps(row)}\n" for row in rows)
    Path("published").write_text(text, encoding="utf-8")
    Path("published.txt").write_text("Ivo rows twice. Oda never does.\n", encoding="utf-8")  # NovelQA's novel
    return "published"


def imported(name: str, rows: list[Any], as_list: bool = False) -> tuple[list[dict[str, Any]], list[Sample]]:
    """The lines that were written, and what a suite makes of them."""
    assert main(["questions", "import", name, published(rows, as_list), "--out", "mine.jsonl"]) == 0
    lines = [json.loads(line) for line in Path("mine.jsonl").read_text(encoding="utf-8").splitlines()]
    return lines, question_samples(Path("mine.jsonl"), "cl100k", "u-niah")


def documents() -> dict[str, Any]:
    lines = Path("mine.documents.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}


def refused(name: str, rows: list[Any], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that is said of a wrong file, after which nothing is there but the file."""
    file = published(rows)
    assert main(["questions", "import", name, file, "--out", "mine.jsonl"]) == 2
    shown = capsys.readouterr()
    assert {path.name for path in Path().iterdir()} == {file, "published.txt"}
    assert shown.out == ""
    (line,) = shown.err.splitlines()
    return line


def without(row: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != key}


def again() -> None:
    """Makes room for the same question set once more."""
    for file in ("mine.jsonl", "mine.documents.jsonl"):
        Path(file).unlink()
