"""``niah questions import``, whatever the format: names, files, rows of another kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cases.questions.published.datasets import DATASETS
from niah.cli.main import main
from niah.file_mistakes import counted
from tests.cli.materials.published.importing import again, documents, imported, published, refused, without
from tests.cli.materials.published_rows import ROWS

WITHOUT_IDS = {"narrativeqa", "babilong", "mrcr", "l-eval", "helmet", "lc-vs-rag"}
"""Whose questions are numbered."""


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("as_list", [False, True])
def test_two_rows_become_a_question_set_with_licence_and_citation(
    name: str, as_list: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = DATASETS[name]
    lines, samples = imported(name, ROWS[name], as_list)
    assert len(lines) == len(samples) >= 2
    assert {line["document_id"] for line in lines} == set(documents())
    assert all(line["licence"] and line["source"] for line in lines)
    assert {line["citation"] for line in lines} == {dataset.citation}
    out = capsys.readouterr().out
    assert f"{len(lines)} questions over {counted(len(documents()), 'document')}: mine.jsonl" in out
    assert f"licence: {dataset.licence}\n" in out
    assert f"cite: {dataset.citation}\n" in out


@pytest.mark.parametrize("name", DATASETS)
def test_a_row_of_another_kind_is_named_and_nothing_is_written(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(name, [ROWS[name][0], {"text": "of another dataset"}], capsys)
    assert line.startswith("niah: published: line 2, ")
    assert line.endswith("is missing. Name the file as it was published.")
    assert refused(name, ["no row"], capsys) == (
        "niah: published: line 1: is not a JSON object. Name the file as it was published."
    )
    assert "published: holds no question." in refused(name, [], capsys)


@pytest.mark.parametrize("name", sorted(set(DATASETS) - WITHOUT_IDS))
def test_the_same_rows_twice_are_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    first = ROWS[name][0]
    assert "gives too. Take one of them out." in refused(name, [first, first], capsys)


def test_what_is_there_is_never_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.documents.jsonl").write_text("kept")
    file = published(ROWS["quality"])
    assert main(["questions", "import", "quality", file, "--out", "mine.jsonl"]) == 2
    assert (
        "mine.documents.jsonl is there already. Name another with --out, or remove it."
        in capsys.readouterr().err
    )
    assert not Path("mine.jsonl").exists()
    assert main(["questions", "import", "quality", file, "--out", "mine.csv"]) == 2
    assert "mine.csv is no name of a question set." in capsys.readouterr().err


def test_without_out_a_suite_finds_it_by_the_formats_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", "import", "quality", published(ROWS["quality"])]) == 0
    assert main(["list", "question-sets"]) == 0
    assert "quality  3 questions (3 multiple choice) over 1 document; Gutenberg; public domain; Pang" in (
        capsys.readouterr().out
    )


def test_wrong_names_and_files_get_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("cut").write_text('{"article_id": "4')
    assert main(["questions", "import", "qualty", "cut"]) == 2
    assert "no published format called 'qualty'. Did you mean 'quality'?" in capsys.readouterr().err
    assert main(["questions", "import", "quality", "cut"]) == 2
    assert "cut: line 1: is not JSON" in capsys.readouterr().err
    assert main(["questions", "import", "quality", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
    assert main(["questions", "import", "quality", "/dev/zero"]) == 2
    assert "/dev/zero: is no file." in capsys.readouterr().err


def test_the_formats_are_listed_with_their_terms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "question-formats"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{dataset.description}; licence: {dataset.licence}" in shown for dataset in DATASETS.values())


def test_a_mistake_in_an_object_of_rows_names_the_row(capsys: pytest.CaptureFixture[str]) -> None:
    Path("dev.json").write_text(json.dumps({"p1": without(ROWS["qasper"][0], "title")}))
    assert main(["questions", "import", "qasper", "dev.json"]) == 2
    assert "dev.json: entry 'p1', title: is missing. Name the file as" in capsys.readouterr().err


def test_several_files_are_one_question_set(capsys: pytest.CaptureFixture[str]) -> None:
    for number, row in enumerate(ROWS["quality"]):
        Path(f"part-{number}.jsonl").write_text(json.dumps(row))
    assert (
        main(["questions", "import", "quality", "part-0.jsonl", "part-1.jsonl", "--out", "mine.jsonl"]) == 0
    )
    assert "3 questions over 1 document:" in capsys.readouterr().out
    again()
    Path("part-1.jsonl").write_text('{"article_id": "1"}')
    assert main(["questions", "import", "quality", "part-0.jsonl", "part-1.jsonl"]) == 2
    assert "2 files: part-1.jsonl, line 1, set_unique_id: is missing." in capsys.readouterr().err
