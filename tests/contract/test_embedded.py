"""The packaged models, in this process: smollm2 reads, minilm embeds, and twice the same comes out."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

import niah
from tests.contract.conftest import run_niah
from tests.contract.ledger import Row, by_trial, exported, make_world

SMALL = """\
haystacks: [ledger.txt]
needle_sets: [lamp]
lengths: [512]
depths: [0, 100]
tokenizer: smollm2
reserve: template
"""


def test_the_packaged_models_answer_the_same_twice(folder: Path, lamp: Path) -> None:
    make_world(folder, SMALL)
    dense = "minilm/top-2/norm@100"
    with chdir(folder):
        planned = niah.plan("grid.yaml", readers="smollm2", strategies=["lc", dense]).as_dict()["readers"][0]
    once, again = (by_trial(_run(folder, each)) for each in (f"lc,{dense}", "lc"))
    rows = list(once.values())
    assert [(row["reader"], row["outcome"]) for row in rows] == [("smollm2", "scored")] * planned["calls"]
    assert max(row["score"] for row in rows) == 10
    assert [row["prompt_tokens"] for row in rows if row["strategy"] == "lc"] == [512, 512]
    retrieved = [row for row in rows if row["strategy"] == dense]
    assert [(row["retrieval_completeness"], row["needle_ranks"]) for row in retrieved] == [(1, [1])] * 2
    assert sum(row["prompt_tokens"] for row in rows) == pytest.approx(planned["prompt_tokens"], rel=0.1)
    assert again == {trial: row for trial, row in once.items() if row["strategy"] == "lc"}


def _run(folder: Path, strategies: str) -> list[Row]:
    """The rows of a run without a model's name: the packaged one reads."""
    out = f"{strategies.count(',')}.sqlite"
    ran = run_niah("run", "--suite", "grid.yaml", "--strategies", strategies, "--out", out, cwd=folder)
    assert ran.code == 0, ran.err
    return exported(folder, out)
