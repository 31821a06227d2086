"""A suite whose retrieval is evaluated by ``niah retrieve``: a line a case and strategy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cases.suite import load_grid
from niah.cli.main import main

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [512]
depths: [50]
"""
STRATEGIES = "tfidf/budget-150/document@100,mixpr/budget-150/document@100"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(in_folder: Path) -> None:
    Path("mine.yaml").write_text(SUITE)


def test_a_suite_end_to_end(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["mine.yaml", "--strategies", STRATEGIES, "--out", "new/out.jsonl"]
    assert main(["retrieve", *arguments]) == 0
    rows = [json.loads(line) for line in Path("new/out.jsonl").read_text().splitlines()]
    ids = [case.case_id for case in load_grid("mine.yaml").cases]
    names = STRATEGIES.split(",")
    assert [(row["case_id"], row["strategy"]) for row in rows] == [(i, name) for i in ids for name in names]
    wanted = (
        "case_id needle_set haystack context_length depth seed strategy needles completeness "
        "noise_ratio needle_ranks needle_split context_tokens retrieved available seconds "
        "question_set document_id noise_added foreign"
    )
    assert all(list(row) == wanted.split() for row in rows)
    for row in rows:
        assert 0 < row["context_tokens"] <= 150
        assert 0 < row["retrieved"] < row["available"]
        assert len(row["needle_ranks"]) == len(row["needle_split"]) == row["needles"]
        # 100-token passages keep these needles whole, so the ranks tell the completeness.
        ranked = [rank for rank in row["needle_ranks"] if rank is not None]
        assert row["completeness"] == len(ranked) / row["needles"]
    captured = capsys.readouterr()
    assert "by context length" in captured.out
    assert "by number of needles" in captured.out
    assert "written: new/out.jsonl" in captured.err
    assert main(["retrieve", "mine.yaml", "--strategies", "raptor"]) == 2
    assert "it does not retrieve alone" in capsys.readouterr().err
