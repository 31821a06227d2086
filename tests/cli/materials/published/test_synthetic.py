"""Generated benchmarks, as published: RULER and BABILong."""

from __future__ import annotations

import pytest

from tests.cli.materials.published.importing import documents, imported, refused
from tests.cli.materials.published_rows import ROWS


def test_ruler_asks_with_its_last_line_and_wants_all_outputs_of_needles() -> None:
    needles, asked = imported("ruler", ROWS["ruler"])[0]
    assert needles["question"].startswith("What are all the special magic numbers for ice")
    assert needles["answers"] == ["41, 97"]
    assert documents()[needles["document_id"]]["text"].endswith("for ice is: 97.")
    assert asked["question"] == "Who rows?"
    assert asked["answers"] == ["Ulla", "the ferryman"]


def test_ruler_says_where_it_finds_no_question(capsys: pytest.CaptureFixture[str]) -> None:
    row = ROWS["ruler"][0]
    assert "line 1, input: has no line break" in refused("ruler", [{**row, "input": "all in one?"}], capsys)
    line = refused("ruler", [{**row, "input": f"{row['input']}<|eot|>\n\nassistant"}], capsys)
    assert (
        "line 1, input: ends in 'assistant', no question. Generate it with the model template base." in line
    )


def test_babilong_is_numbered() -> None:
    lines, samples = imported("babilong", ROWS["babilong"])
    assert [line["id"] for line in lines] == ["babilong-1", "babilong-2"]
    assert [sample.key.references for sample in samples] == [("mill",), ("key",)]
