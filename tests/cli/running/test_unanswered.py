"""A run of which one strategy or reader got no answer at all ends as one that is not done."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = "{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512], depths: [0, 100]}"
BROKEN = "def retrieve(question, chunks):\n    raise RuntimeError('the index is down')\n"
MENDED = "def retrieve(question, chunks):\n    return list(range(len(chunks)))\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


def run(retriever: str, server: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit code and standard error of a run of full context beside a retriever."""
    Path(f"{retriever}_rag.py").write_text(BROKEN if retriever == "broken" else MENDED)
    readers = f"{{model: simulated, api_base: '{server}'}}"
    strategies = f"[lc, {{name: own, retrieve: '{retriever}_rag:retrieve'}}]"
    Path("own.yaml").write_text(f"suite: mine.yaml\nreaders: [{readers}]\nstrategies: {strategies}\n")
    code = main(["run", "own.yaml"])
    return code, capsys.readouterr().err


def test_a_strategy_without_any_answer_is_named_and_ends_with_4_however_often(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "own got no answer in 2 trials (py:broken_rag:retrieve failed: RuntimeError:"
    for _ in range(2):  # anew, and where nothing is left to ask
        code, said = run("broken", simulated_server.base_url, capsys)
        assert code == 4
        assert said.count(line) == 1
    assert len(simulated_server.prompts) == 2


def test_a_strategy_that_answers_once_mended_ends_with_0(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = run("mended", simulated_server.base_url, capsys)
    assert code == 0
    assert "no answer" not in said
