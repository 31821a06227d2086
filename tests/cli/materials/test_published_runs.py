"""The run configs of the two RAG papers: what they say of datasets that are not imported."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.runs.config.load import load_config
from tests.cases.questions.published_rows import ROWS

SETS = {"dos-rag-quality": 1, "dos-rag-infinitebench": 1, "lc-vs-rag": 11}


@pytest.mark.parametrize("name", SETS)
def test_each_missing_set_is_one_line_with_the_command_that_imports_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(SETS[name]):
        assert main(["plan", name]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert f"{name}.yaml: questions." in line
        found = re.search(r"From your own copy: niah (questions import (\S+) (\S+).*)", line)
        assert found
        command, kind, file = found.groups()
        rows = [row for row in ROWS[kind] if kind != "infinitebench" or row["options"]]  # En.MC alone
        Path(file).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        assert main(command.split()) == 0
    config = load_config(name)
    assert len(config.question_sets.paths) == SETS[name]
    assert config.question_sets.samples()


def test_lists_say_where_the_questions_come_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "suites"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (line,) = [each for each in lines if "lc-vs-rag" in each]
    assert "questions of nq, " in line
    assert "from your own copies: niah questions import" in line
