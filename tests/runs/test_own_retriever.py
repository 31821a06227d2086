"""Services of users that die or hang in a whole run."""

from __future__ import annotations

from collections import Counter
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from niah.cli.main import main
from niah.readers.patience import Patience
from niah.runs.file.read import read_run
from niah.runs.trial import TrialRecord
from tests.conftest import SimulatedServer
from tests.loopback import Post, Reply, replying

pytestmark = pytest.mark.usefixtures("without_figures")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)


def run_with(server: SimulatedServer, depths: range, *strategies: str) -> list[TrialRecord]:
    """The trials of a run that ends with exit code 4."""
    Path("gates.yaml").write_text(
        f"haystacks: [essays]\nneedle_sets: [three-gates]\nlengths: [1024]\ndepths: {list(depths)}\n"
    )
    listed = "".join(f"  - {strategy}\n" for strategy in strategies)
    reader = f"{{model: simulated, api_base: {server.base_url}}}"
    Path("own.yaml").write_text(f"suite: gates.yaml\nreaders: [{reader}]\nstrategies:\n{listed}")
    assert main(["run", "own.yaml"]) == 4
    return list(read_run(Path("runs/own.sqlite")).records)


@pytest.mark.parametrize(
    ("key", "good"),
    [("retrieve", {"chunks": [{"text": "A passage."}]}), ("system", {"answer": "I do not know."})],
)
def test_what_is_under_way_when_a_service_dies_is_not_run(
    key: str, good: dict[str, Any], simulated_server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("niah.retrieval.user._PATIENCE", Patience(attempts=3, first_wait_s=0.01))
    asked = count()
    with replying(lambda post: Reply(good) if next(asked) < 5 else None) as address:
        mine = f'{{name: mine, {key}: "{address}"}}'
        records = run_with(simulated_server, range(0, 100, 4), "lc", mine)
    outcomes = Counter((record.strategy, record.outcome) for record in records)
    tallied = {("mine", "scored"): 5, ("mine", "reader_error"): 10, ("mine", "not_run"): 10}
    assert outcomes == {("lc", "scored"): 25, **tallied}


def test_an_application_that_hangs_once_it_is_asked_no_further_is_broken_off(
    simulated_server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("niah.runs.execution.ask._GRACE_S", 0.2)
    asked, is_over, was_waited_for = count(), Event(), []

    def reply(post: Post) -> Reply:
        if not next(asked):
            was_waited_for.append(not is_over.wait(30))
        return Reply({"detail": "Not Found"}, 404)

    with replying(reply) as address:
        system = f'{{name: mine, system: "{address}/nope", concurrency: 2}}'
        records = run_with(simulated_server, range(0, 100, 5), system)
        is_over.set()
    assert was_waited_for == [False]
    assert Counter(record.outcome for record in records) == {"reader_error": 3, "not_run": 17}
