"""A package that imports well, and whose class raises when it is made: one line, and nothing written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
class Broken:
    def __init__(self, *wanted):
        raise RuntimeError("no index here")
"""
POINTS = """
[niah.retrievers]
broken = broken_index:Broken
[niah.rerankers]
broken = broken_index:Broken
[niah.readers]
broken = broken_index:Broken
"""
SUITE = "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [512]\ndepths: [50]\n"


@pytest.mark.parametrize(
    ("reader", "strategy", "thing"),
    [
        ("smollm2", "broken/top-3/norm", "the retriever broken"),
        ("smollm2", "bm25+broken/top-3/norm", "the reranker broken"),
        ("broken/small", "lc", "mine.yaml: readers.0: the reader broken/small"),
    ],
)
def test_it_is_told_in_one_line(tmp_path: Path, reader: str, strategy: str, thing: str) -> None:
    site, work = tmp_path / "site", tmp_path / "work"
    (info := site / "broken-0.1.dist-info").mkdir(parents=True)
    work.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(POINTS)
    (site / "broken_index.py").write_text(CODE)
    (work / "grid.yaml").write_text(SUITE)
    (work / "mine.yaml").write_text(f"suite: grid.yaml\nreaders: [{reader}]\nstrategies: [{strategy}]\n")
    paths = os.pathsep.join([str(site), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "niah", "run", "mine.yaml"],
        cwd=work,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
    )
    told = f"niah: {thing} cannot be made: RuntimeError: no index here. Mend the package that has it.\n"
    assert (done.returncode, done.stderr) == (2, told)
    assert sorted(path.name for path in work.iterdir()) == ["grid.yaml", "mine.yaml"]
