"""An answer that an earlier run got is not asked for, nor paid for, again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer

pytestmark = pytest.mark.usefixtures("without_figures")

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
    first = run(simulated_server, "a.sqlite", "--reuse")
    asked = len(simulated_server.prompts)
    assert asked == 2
    second = run(simulated_server, "b.sqlite", "--reuse")
    assert len(simulated_server.prompts) == asked
    assert [row["answer"] for row in second] == [row["answer"] for row in first]
    assert [row["score"] for row in second] == [row["score"] for row in first]


def test_a_kept_answer_costs_what_it_would_have_and_is_told(simulated_server: SimulatedServer) -> None:
    Path("runs/mine.yaml").write_text(f"{RUN}prices: {{simulated: {{input: 1000, output: 2000}}}}\n")
    first = run(simulated_server, "a.sqlite", "--reuse")
    second = run(simulated_server, "b.sqlite", "--reuse")
    assert all(isinstance(row["cost"], float) and row["cost"] > 0 for row in first)
    assert [row["cost"] for row in second] == [row["cost"] for row in first]
    assert [(row["from_cache"], kept["from_cache"]) for row, kept in zip(first, second, strict=True)] == [
        (False, True)
    ] * 2


def test_without_the_cache_everything_is_asked(simulated_server: SimulatedServer) -> None:
    run(simulated_server, "a.sqlite", "--reuse")
    asked = len(simulated_server.prompts)
    run(simulated_server, "b.sqlite")
    assert len(simulated_server.prompts) == 2 * asked


def test_a_plan_subtracts_kept_answers(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = ["plan", "mine", "--model", "simulated", "--api-base", simulated_server.base_url]

    def planned(*options: str) -> tuple[int, int, int]:
        capsys.readouterr()
        assert main([*plan, *options, "--json"]) == 0
        (reader,) = json.loads(capsys.readouterr().out)["readers"]
        return reader["kept"], reader["calls"], reader["prompt_tokens"]

    assert planned("--reuse") == (0, 2, 1024)
    assert not list(Path("cache").glob("answers*"))
    run(simulated_server, "a.sqlite", "--reuse", "--limit", "1")
    assert planned("--reuse") == (1, 1, 512)
    assert planned() == (0, 2, 1024)
    # In the file of that run the trial is finished, which is more than kept.
    assert planned("--reuse", "--out", "a.sqlite") == (0, 1, 512)
    assert main([*plan, "--reuse"]) == 0
    assert "1 answers are reused from earlier runs" in capsys.readouterr().out
    asked = len(simulated_server.prompts)
    run(simulated_server, "b.sqlite", "--reuse")
    assert len(simulated_server.prompts) == asked + 1
