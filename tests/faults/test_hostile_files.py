"""Names that are not UTF-8, a run file that another program holds, an embedder whose vectors change."""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import Endpoint, Niah, Result, run_niah, write

CAFE = os.fsdecode(b"caf\xe9")
SUITE = "{{needle_sets: [lamp], haystacks: [essays], lengths: [600], depths: {depths}}}"
WORDS = "The mill stands by the river. Carts pass it at noon. " * 99
NAMED = """
generate small --haystack @.txt --out x.jsonl | generate @.yaml --out x.jsonl
generate small --out @.jsonl | questions check @.jsonl
check @.txt --seeds 1 | check @.yaml | run @.yaml | run run.yaml --out @.sqlite
run run.yaml --plots @ | run run.yaml --haystack @.txt | plan @.yaml | nightly @.yaml
report @.sqlite | report x.sqlite --out @ | export @.sqlite | show @.sqlite
compare @.sqlite x.sqlite | judge @.sqlite --judge rubric | merge @.sqlite --out y.sqlite
history @ | import u-niah @.txt | retrieve @.yaml --strategies bm25/top-1/norm
"""
IN_FOLDER = "generate small|run run.yaml|history runs"


@pytest.fixture
def small(folder: Path, lamp: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite and a config of one trial, in a folder with a cache of its own."""
    monkeypatch.setenv("NIAH_CACHE", str(folder / "cache"))
    write(folder / "cases" / "small.yaml", SUITE.format(depths=[50]))
    endpoint.models["m"] = lambda prompt: "Answer: 48213"
    reader = f'{{model: m, api_base: "{endpoint.base}"}}'
    return write(folder / "run.yaml", f"suite: small\nreaders: [{reader}]\nstrategies: [lc]\n")


def one_line(result: Result, *names: str) -> bool:
    """Whether it is a mistake of the user's, said in one line that has one of the names."""
    (line,) = result.err.strip().splitlines()
    return result.code == 2 and any(name in line for name in names)


def test_a_name_that_is_not_utf8_works_or_is_one_line(niah: Niah, small: Path) -> None:
    write(small.parent / f"{CAFE}.txt", WORDS)
    write(small.parent / f"{CAFE}.yaml", small.read_text())
    for command in re.split(r" \| |\n", NAMED.strip()):
        result = niah(*command.replace("@", CAFE).split())
        assert result.code == 0 or one_line(result, r"caf\xe9"), command


def test_files_and_the_working_folder_may_have_such_names(small: Path) -> None:
    odd = small.parent / CAFE
    for name in ("cases/small.yaml", "needles/lamp.yaml", "run.yaml"):
        write(odd / name, (small.parent / name).read_text())
    for name in ("cases", "needles", "runs"):
        write(odd / name / f"{CAFE}.yaml", "x")
    for command in IN_FOLDER.split("|"):
        result = run_niah(*command.split(), cwd=odd)
        assert result.code == 0 or one_line(result, "runs holds no nights"), result.err


@pytest.mark.usefixtures("without_figures")
def test_a_run_file_that_another_program_holds_is_waited_for(
    niah: Niah, small: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("niah.runs.file.store._TRY_S", 0.2)
    path = small.parent / "x.sqlite"

    def hold(prompt: str) -> str:
        other = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        threading.Timer(1, other.close).start()
        return "Answer: 48213"

    endpoint.models["m"] = hold
    ran = niah("run", "run.yaml", "--out", path.name)
    assert ran.code == 0
    assert sum("another program" in line for line in ran.err.splitlines()) == 1
    assert [row["score"] for row in niah("export", path.name).rows] == [10]


@pytest.fixture
def embedder(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """``widths``: how long the vectors of the next requests are; the last holds for all after it."""
    state: dict[str, Any] = {"widths": [4]}

    def embed(body: Any) -> object:
        width = state["widths"].pop(0) if len(state["widths"]) > 1 else state["widths"][0]
        rows = [[1.0, len(text) % 7, *[0.5] * (width - 2)] for text in body["input"]]
        data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
        return {"object": "list", "model": "e", "data": data, "usage": {"prompt_tokens": 1}}

    endpoint.services["/v1/embeddings"] = embed
    monkeypatch.setenv("OPENAI_API_BASE", endpoint.base)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return state


@pytest.mark.usefixtures("without_figures")
def test_an_embedder_whose_vectors_change_their_length(
    niah: Niah, small: Path, embedder: dict[str, Any]
) -> None:
    pytest.importorskip("litellm")
    write(small, small.read_text().replace("[lc]", "[openai/e/top-1/norm@100]"))
    assert niah("run", "run.yaml", "--out", "a.sqlite").code == 0
    embedder["widths"] = [6]  # another model: what is cached of the first is of no use
    write(small.parent / "cases" / "small.yaml", SUITE.format(depths=[0, 50]))
    assert niah("run", "run.yaml", "--out", "b.sqlite").code == 0
    embedder["widths"] = [5, 6, 7, 8, 9]  # changes while it is asked
    write(small.parent / "cases" / "small.yaml", SUITE.format(depths=[25, 100]))
    assert "vectors of different lengths" in niah("run", "run.yaml", "--out", "c.sqlite").err
    embedder["widths"] = [9]
    assert niah("run", "run.yaml", "--out", "d.sqlite").code == 0
    assert [row["outcome"] for row in niah("export", "d.sqlite").rows] == ["scored"] * 2
