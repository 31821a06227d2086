"""``niah export-cases``: suites as other projects take them; bench_exported_tasks runs them there."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml

from niah.api.python.opened_cases import open_cases
from niah.cli.main import main

SUITE = """
haystacks: [essays]
needle_sets: [three-gates, multi-value@3, unanswerable@2]
lengths: [1000]
depths: [0, 50]
"""


@pytest.fixture(autouse=True)
def _in_a_folder_with_a_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "my gates.yaml").write_text(SUITE)


def rows(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_a_row_holds_what_a_reader_gets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export-cases", "my gates", "--to", "jsonl", "--out", "gates.jsonl"]) == 0
    assert capsys.readouterr().err == "6 cases: gates.jsonl\n"
    opened = list(open_cases("my gates"))
    written = rows("gates.jsonl")
    assert [row["input"] for row in written] == [case.prompt for case in opened]
    assert [row["target"] for row in written] == [case.answer for case in opened]
    assert [row["elements"] for row in written if row["needle_set"] == "unanswerable@2"] == [[], []]
    assert written[0]["context_length"] == 1000
    assert {row["depth"] for row in written} == {0, 50}


@pytest.mark.parametrize(
    ("form", "start"), [("inspect", "niah_my_gates.py"), ("lm-eval", "niah_my_gates.yaml")]
)
def test_a_task_scores_the_share_of_elements_named(
    form: str, start: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export-cases", "my gates", "--to", form, "--out", "task"]) == 0
    assert capsys.readouterr().err == (
        f"4 cases: task/{start}\n2 left out: an answer to them has nothing to name\n"
    )
    assert sorted(path.name for path in Path("task").iterdir()) == sorted(
        ["cases.jsonl", start, "scoring.py"]
    )
    share = runpy.run_path("task/scoring.py")["share_named"]
    for row in rows("task/cases.jsonl"):
        assert share(row["target"], row["elements"]) == 1
        assert share("It is not told.", row["elements"]) == 0
        first = row["elements"][0][0]
        assert share(f"I read **{first.upper()}**.", row["elements"]) == pytest.approx(
            1 / len(row["elements"])
        )
        assert share(f"x{first}x", row["elements"]) == 0


def test_the_task_files_are_whole() -> None:
    assert main(["export-cases", "my gates", "--to", "inspect", "--out", "one"]) == 0
    source = Path("one/niah_my_gates.py").read_text()
    compile(source, "niah_my_gates.py", "exec")
    assert "def niah_my_gates():" in source
    assert main(["export-cases", "my gates", "--to", "lm-eval", "--out", "two"]) == 0
    text = Path("two/niah_my_gates.yaml").read_text()
    task = yaml.safe_load(text.replace("!function ", ""))
    assert task["task"] == "niah_my_gates"
    assert task["doc_to_text"] == "{{input}}"
    assert task["generation_kwargs"]["max_gen_toks"] == max(
        row["max_tokens"] for row in rows("two/cases.jsonl")
    )


def test_a_dataset_as_parquet() -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    assert main(["export-cases", "my gates", "--to", "parquet", "--out", "gates.parquet"]) == 0
    frame = pd.read_parquet("gates.parquet")
    assert len(frame) == 6
    assert [list(map(list, names)) for names in frame["elements"][:1]] == [
        [list(element.names) for element in next(open_cases("my gates")).sample.key.elements]
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such", "--to", "inspect", "--out", "x"], "no suite called 'no-such'"),
        (["quick", "--to", "csv", "--out", "x"], "'csv' is not one of"),
        (["quick", "--to", "inspect", "--out", "a-file"], "a-file is a file, and inspect takes a folder."),
        (["quick", "--to", "jsonl", "--out", "cases"], "cases is a folder, and jsonl is one file."),
        (["impossible", "--to", "inspect", "--out", "x"], "prompt and needles alone need"),
        (["none", "--to", "lm-eval", "--out", "x"], "no case has anything that an answer could name"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a-file").write_text("mine")
    Path("cases/impossible.yaml").write_text(SUITE.replace("[1000]", "[40]"))
    Path("cases/none.yaml").write_text(SUITE.replace("three-gates, multi-value@3, ", ""))
    before = sorted(map(str, Path().rglob("*")))
    assert main(["export-cases", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert sorted(map(str, Path().rglob("*"))) == before
