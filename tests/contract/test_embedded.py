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
lengths: [320]
depths: [0, 100]
tokenizer: smollm2
reserve: template
"""


@pytest.mark.usefixtures("without_figures")
def test_the_packaged_models_answer_the_same_twice(folder: Path, lamp: Path) -> None:
    make_world(folder, SMALL)
    dense = "minilm/top-2/norm@100"
    with chdir(folder):
        planned = niah.plan("grid.yaml", readers="smollm2", strategies=["lc", dense]).as_dict()["readers"][0]
    once, again = by_trial(_run(folder, f"lc,{dense}")), by_trial(_run(folder, "lc", "--depths", 100))
    rows = list(once.values())
    assert [(row["reader"], row["outcome"]) for row in rows] == [("smollm2", "scored")] * planned["calls"]
    assert max(row["score"] for row in rows) == 10
    assert [row["prompt_tokens"] for row in rows if row["strategy"] == "lc"] == [320, 320]
    retrieved = [row for row in rows if row["strategy"] == dense]
    assert [(row["retrieval_completeness"], row["needle_ranks"]) for row in retrieved] == [(1, [1])] * 2
    assert sum(row["prompt_tokens"] for row in rows) == pytest.approx(planned["prompt_tokens"], rel=0.1)
    assert again == {trial: once[trial] for trial in again}
    assert len(again) == 1


def _run(folder: Path, strategies: str, *more: object) -> list[Row]:
    """The rows of a run without a model's name: the packaged one reads."""
    out = f"{strategies.count(',')}.sqlite"
    ran = run_niah("run", "--suite", "grid.yaml", "--strategies", strategies, "--out", out, *more, cwd=folder)
    assert ran.code == 0, ran.err
    return exported(folder, out)
