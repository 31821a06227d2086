"""``niah retrieve`` in-process: one case, a suite, wrong input, a stop half-way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import niah.api.retrieve
from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.suite import load_grid
from niah.cli.main import main
from niah.runs.retrieval import RetrievalRecord, evaluate

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [512]
depths: [50]
"""
STRATEGIES = "tfidf/budget-150/document@100,mixpr/budget-150/document@100"
CASE = Case("three-gates", "essays", 700, 50, distractors=1)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


def present() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def test_json_says_what_the_text_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieve", CASE.case_id, "--strategies", "tfidf/top-4/reverse@60", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [chunk["rank"] for chunk in found["chunks"]] == [4, 3, 2, 1]
    text = build_context(CASE).text
    assert all(chunk["text"] == text[chunk["start"] : chunk["end"]] for chunk in found["chunks"])
    ids = [needle.id for needle in build_context(CASE).needles]
    ranks = dict(zip(ids, found["needle_ranks"], strict=True))
    for chunk in found["chunks"]:
        assert set(chunk["needles"]) >= {id for id, rank in ranks.items() if rank == chunk["rank"]}
    assert main(["retrieve", "mine.yaml", "--strategies", "lc,tfidf/top-1/norm@60", "--json"]) == 0
    tables = json.loads(capsys.readouterr().out)
    assert [row["strategy"] for row in tables["by_context_length"]] == ["lc", "tfidf/top-1/norm@60"]
    assert [row["needles"] for row in tables["by_number_of_needles"]] == [1, 1, 3, 3]
    assert tables["by_context_length"][0]["completeness"] == 1


def test_a_suite_end_to_end(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["mine.yaml", "--strategies", STRATEGIES, "--out", "new/out.jsonl", "--plots", "figures"]
    assert main(["retrieve", *arguments]) == 0
    rows = [json.loads(line) for line in Path("new/out.jsonl").read_text().splitlines()]
    ids = [case.case_id for case in load_grid("mine.yaml").cases]
    names = STRATEGIES.split(",")
    assert [(row["case_id"], row["strategy"]) for row in rows] == [(i, name) for i in ids for name in names]
    wanted = (
        "case_id needle_set haystack context_length depth seed strategy needles completeness in_part "
        "element_recall noise_ratio needle_ranks needle_split context_tokens retrieved available seconds "
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
    assert {"retrieval.png", "retrieval.svg"} <= {path.name for path in Path("figures").iterdir()}
    captured = capsys.readouterr()
    assert "by context length" in captured.out
    assert "by number of needles" in captured.out
    assert f"4 of 4: {ids[1]} {names[1]}" in captured.err
    assert "written: new/out.jsonl" in captured.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["three-gate_essays_700_d50_s1", "--strategies", "lc"], "Did you mean 'three-gates'"),
        (["three-gates_essays_70_d50_s1", "--strategies", "lc"], "at least"),
        (["qick", "--strategies", "lc"], "Did you mean 'quick'"),
        ([".", "--strategies", "lc"], ". is a folder, not a suite. Name a file in it, such as mine.yaml."),
        ([CASE.case_id, "--strategies", "mixpt"], "Did you mean 'mixpr'"),
        ([CASE.case_id, "--strategies", "lc,dos"], "name one strategy"),
        ([CASE.case_id, "--strategies", "lc", "--out", "out.jsonl"], "--out is for suites"),
        (["mine.yaml"], "needs --strategies"),
        (["mine.yaml", "--strategies", "lc", "--limit", "0"], "--limit: 0 is not in the range x>=1"),
        (["mine.yaml", "--strategies", "lc", "--haystack", "esays"], "Did you mean 'essays'"),
    ],
)
def test_wrong_input_is_one_line_and_writes_nothing(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["retrieve", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert says in captured.err
    assert present() == ["mine.yaml"]


def test_a_stop_leaves_no_half_written_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*arguments: Any) -> Iterator[RetrievalRecord]:
        yield next(evaluate(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(niah.api.retrieve, "evaluate", stopped)
    Path("out.jsonl").write_text("of an earlier evaluation\n")
    assert main(["retrieve", "mine.yaml", "--strategies", "lc", "--out", "out.jsonl"]) == 130
    assert Path("out.jsonl").read_text() == "of an earlier evaluation\n"
    assert present() == ["mine.yaml", "out.jsonl"]
    assert capsys.readouterr().out == ""


FIGURED = """
haystacks: [essays, entries]
needle_sets: [multi-key@4, common-list@20]
lengths: [4000]
depths: [25]
"""


@pytest.mark.parametrize(
    ("figure", "stem"), [("alpha", "mixpr-alpha"), ("k", "mixpr-k"), ("time", "retrieval-time")]
)
def test_a_figure_of_mixpr_is_drawn_from_retrievals(figure: str, stem: str) -> None:
    Path("figured.yaml").write_text(FIGURED)
    assert main(["retrieve", "figured.yaml", "--figure", figure, "--out", "all.jsonl"]) == 0
    drawn = Path("plots", "mixpr")
    assert sorted(path.name for path in drawn.iterdir()) == [
        f"{stem}.{kind}" for kind in ("csv", "png", "svg")
    ]
    assert Path("all.jsonl").read_text().count("\n") % 2 == 0
