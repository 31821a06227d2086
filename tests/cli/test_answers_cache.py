"""An answer that an earlier run got is not asked for, nor paid for, again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512]
depths: [0, 100]
"""
RUN = """
suite: mine
readers: [smollm2]
strategies: [lc]
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    for folder, text in (("cases", SUITE), ("runs", RUN)):
        Path(folder).mkdir()
        Path(folder, "mine.yaml").write_text(text)


def run(server: SimulatedServer, out: str, *options: str) -> list[dict[str, object]]:
    args = ["run", "mine", "--model", "simulated", "--api-base", server.base_url, "--out", out, *options]
    assert main(args) == 0
    assert main(["export", out, "--out", f"{out}.jsonl"]) == 0
    return [json.loads(line) for line in Path(f"{out}.jsonl").read_text().splitlines()]


def test_a_second_run_asks_nothing(simulated_server: SimulatedServer) -> None:
    first = run(simulated_server, "a.sqlite", "--cache")
    asked = len(simulated_server.prompts)
    assert asked == 2
    second = run(simulated_server, "b.sqlite", "--cache")
    assert len(simulated_server.prompts) == asked
    assert [row["answer"] for row in second] == [row["answer"] for row in first]
    assert [row["score"] for row in second] == [row["score"] for row in first]


def test_without_the_cache_everything_is_asked(simulated_server: SimulatedServer) -> None:
    run(simulated_server, "a.sqlite", "--cache")
    asked = len(simulated_server.prompts)
    run(simulated_server, "b.sqlite", "--no-cache")
    assert len(simulated_server.prompts) == 2 * asked
