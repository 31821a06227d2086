"""HotpotQA, MuSiQue, SQuAD and Qasper, as published: by document, in the hub's columns, as Parquet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from niah.cli.main import main
from tests.cli.materials.published.importing import again, documents, imported, refused, without
from tests.cli.materials.published_rows import ROWS


def test_hotpotqa_has_its_supporting_sentences_as_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    lines, samples = imported("hotpotqa", ROWS["hotpotqa"])
    assert [line["kind"] for line in lines] == ["bridge", "comparison"]
    assert lines[0]["evidence"] == ["The ferry lands there.", "Ulla rows it."]
    assert "evidence" not in lines[1]  # the dataset itself names sentences that are not there
    (document,) = documents().values()
    assert document["text"] == "Ferry\nUlla rows it. It is old.\n\nQuay\nIt is stone. The ferry lands there."
    assert [placed.text for placed in samples[0].needles] == ["Ulla rows it.", "The ferry lands there."]
    for file in ("mine.jsonl", "mine.documents.jsonl"):
        Path(file).unlink()
    capsys.readouterr()
    row = {**ROWS["hotpotqa"][0], "supporting_facts": [["Mole", 0]]}
    assert "line 1, supporting_facts: names 'Mole'" in refused("hotpotqa", [row], capsys)


def test_hotpotqa_is_the_same_in_the_hubs_columns() -> None:
    lines, _ = imported("hotpotqa", ROWS["hotpotqa"])
    again()
    rows = [
        {
            **without(row, "_id"),
            "id": row["_id"],
            "context": dict(
                zip(("title", "sentences"), map(list, zip(*row["context"], strict=True)), strict=True)
            ),
            "supporting_facts": {
                "title": [title for title, _ in row["supporting_facts"]],
                "sent_id": [number for _, number in row["supporting_facts"]],
            },
        }
        for row in ROWS["hotpotqa"]
    ]
    assert imported("hotpotqa", rows)[0] == lines


def test_musique_keeps_aliases_and_unanswerable_questions() -> None:
    lines, samples = imported("musique", ROWS["musique"])
    assert [(line["kind"], line.get("evidence")) for line in lines] == [
        ("2hop", ["Ulla rows it."]),
        ("unanswerable", None),
    ]
    assert [sample.key.references for sample in samples] == [("Ulla", "the ferrywoman"), ()]


def test_squad_makes_an_article_one_document() -> None:
    lines, samples = imported("squad", ROWS["squad"])
    assert [line.get("kind") for line in lines] == [None, "unanswerable", None]
    assert [sample.key.references for sample in samples] == [("March", "in March"), (), ("August",)]
    assert lines[2]["evidence"] == ["It held until August."]
    (document,) = documents().values()
    assert document["title"] == "Ice house"
    assert document["text"] == "Oda filled the house in March.\n\nIt held until August."


def test_qasper_reads_annotators_as_its_evaluator_does(capsys: pytest.CaptureFixture[str]) -> None:
    lines, samples = imported("qasper", ROWS["qasper"])
    assert [(line["id"], line["kind"]) for line in lines] == [
        ("p1-0", "extractive"),
        ("p1-1", "boolean"),
        ("p2-0", "unanswerable"),
    ]
    assert [sample.key.references for sample in samples] == [
        ("two ferries, oars", "Two ferries", "Unanswerable"),
        ("Yes",),
        (),
    ]
    assert [[placed.text for placed in sample.needles] for sample in samples] == [
        ["Two ferries  were\nmeasured."],
        ["Both leak."],
        [],
    ]
    assert documents()["p1"]["text"] == (
        "Ferries and Words\n\nWe row.\n\nData: Boats\n\nTwo ferries  were\nmeasured.\n\nBoth leak."
    )
    again()
    asked = [{**ROWS["qasper"][1]["qas"][0], "answers": []}]
    capsys.readouterr()
    assert "line 1, qas.0.answers: is empty. Import the train or the dev split" in refused(
        "qasper", [{**ROWS["qasper"][0], "qas": asked}], capsys
    )


def test_qasper_is_the_same_by_paper_and_in_columns() -> None:
    lines, _ = imported("qasper", ROWS["qasper"])
    again()
    by_paper = {row["id"]: without(row, "id") for row in ROWS["qasper"]}
    Path("qasper-dev-v0.3.json").write_text(json.dumps(by_paper, indent=1))
    assert main(["questions", "import", "qasper", "qasper-dev-v0.3.json", "--out", "mine.jsonl"]) == 0
    assert [json.loads(line) for line in Path("mine.jsonl").read_text().splitlines()] == lines
    again()
    assert imported("qasper", [_in_columns(row) for row in ROWS["qasper"]])[0] == lines


def _in_columns(row: dict[str, Any]) -> dict[str, Any]:
    """The row as the hub has it."""
    qas = {key: [asked[key] for asked in row["qas"]] for key in ("question", "question_id")}
    answers = [{"answer": [each["answer"] for each in asked["answers"]]} for asked in row["qas"]]
    full_text = {key: [part[key] for part in row["full_text"]] for key in ("section_name", "paragraphs")}
    return {**row, "full_text": full_text, "qas": {**qas, "answers": answers}}


def test_rows_of_parquet_are_those_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    lines, _ = imported("qasper", ROWS["qasper"])
    again()
    parquet("one.parquet", [_in_columns(row) for row in ROWS["qasper"]])
    assert main(["questions", "import", "qasper", "one.parquet", "--out", "mine.jsonl"]) == 0
    assert [json.loads(line) for line in Path("mine.jsonl").read_text().splitlines()] == lines
    again()
    parquet("wrong.parquet", [without(row, "abstract") for row in ROWS["qasper"]])
    capsys.readouterr()
    assert main(["questions", "import", "qasper", "wrong.parquet", "--out", "mine.jsonl"]) == 2
    assert "wrong.parquet: row 1, abstract: is missing." in capsys.readouterr().err
    Path("cut.parquet").write_bytes(Path("one.parquet").read_bytes()[:200])
    assert main(["questions", "import", "qasper", "cut.parquet", "--out", "mine.jsonl"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "cut.parquet: is a Parquet file that cannot be read" in line


def parquet(name: str, rows: list[dict[str, Any]]) -> None:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), name)
