"""long-context-vs-rag's table over the shipped essays, of a model whose skill is planted."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from niah.cases.suite import load_suite
from niah.files import shipped
from tests.contract.conftest import run_niah, write
from tests.planted_sides import expected_parts, planted_sides


def test_each_side_gets_right_what_is_planted(tmp_path: Path) -> None:
    samples = load_suite("questions").question_sets.samples()
    lengths = {sample.document_id or "": 4 * sample.tokens for sample in samples}
    with planted_sides(shipped("cases") / "questions" / "essays.jsonl", lengths, seed=3) as planted:
        config = {
            "suite": "questions",
            "readers": [{"model": "planted", "api_base": planted.address}],
            "strategies": ["lc", "bm25/top-5/norm@100"],
            "filter": "closed-book",
            "metrics": ["accuracy", "contained-match", "token-f1"],
        }
        write(tmp_path / "mine.yaml", json.dumps(config))
        for command in ("run mine.yaml", "report mine --out report"):
            done = run_niah(*command.split(), cwd=tmp_path)
            assert done.code == 0, done.err
    tables = tmp_path / "report" / "tables"
    expected = expected_parts(planted.questions, planted.fates)
    rows = pd.read_csv(tables / "lc-vs-rag.csv")
    every = rows[rows["part"] == "all"].iloc[0]
    assert {name: int(every[name]) for name in expected} == expected
    assert expected["lc_better"] > expected["only_lc"] > 0  # F1 has something to say
    by_type = rows[rows["by"] == "question type"]
    assert len(by_type) > 3
    names = ["pairs", "only_lc", "only_rag", "lc_better"]
    assert by_type[names].sum().tolist() == [every[name] for name in names]
