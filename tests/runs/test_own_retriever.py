"""Services of users that die or hang in a whole run."""

from __future__ import annotations

import json
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

import pytest

from niah.cli.main import main
from niah.readers.patience import Patience
from niah.runs.file.read import read_run
from niah.runs.trial import TrialRecord
from tests.conftest import SimulatedServer
from tests.loopback import Post, Reply, replying

SUITE = "haystacks: [essays]\nneedle_sets: [three-gates]\nlengths: [1024]\ndepths: [0, 50]\n"

pytestmark = pytest.mark.usefixtures("without_figures")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)
    Path("cases").mkdir()
    Path("cases/gates.yaml").write_text(SUITE)


def run_with(server: SimulatedServer, *strategies: str, code: int = 0) -> list[TrialRecord]:
    listed = "".join(f"  - {strategy}\n" for strategy in strategies)
    reader = f"{{model: simulated, api_base: {server.base_url}}}"
    Path("own.yaml").write_text(f"suite: gates\nreaders: [{reader}]\nstrategies:\n{listed}")
    assert main(["run", "own.yaml"]) == code
    return list(read_run(Path("runs/own.sqlite")).records)


class DyingService:
    """A service that answers some questions, and then is there no more, though many are under way."""

    def __init__(self, answers: int, good: dict[str, Any]) -> None:
        self.answers, self.good, self.asked = answers, good, 0
        self._lock = Lock()
        self._server: ThreadingHTTPServer | None = None

    def __enter__(self) -> str:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                with service._lock:
                    service.asked += 1
                    number = service.asked
                if number > service.answers:  # the process is gone, and its sockets with it
                    service._end()
                    self.connection.close()
                    return
                body = json.dumps(service.good).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}/ask"

    def _end(self) -> None:
        with self._lock:
            if self._server:
                self._server.socket.close()  # whoever connects from now on is refused

    def __exit__(self, *_: object) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()


@pytest.mark.parametrize(
    ("key", "good"),
    [("retrieve", {"chunks": [{"text": "A passage."}]}), ("system", {"answer": "I do not know."})],
)
def test_what_is_under_way_when_a_service_dies_is_not_run(
    key: str,
    good: dict[str, Any],
    simulated_server: SimulatedServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("niah.retrieval.user._PATIENCE", Patience(attempts=3, first_wait_s=0.01))
    Path("cases/gates.yaml").write_text(SUITE.replace("[0, 50]", str(list(range(0, 100, 4)))))
    with DyingService(5, good) as address:
        records = run_with(simulated_server, "lc", f'{{name: mine, {key}: "{address}"}}', code=4)
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

    Path("cases/gates.yaml").write_text(SUITE.replace("[0, 50]", str(list(range(0, 100, 5)))))
    with replying(reply) as address:
        system = f'{{name: mine, system: "{address}/nope", concurrency: 2}}'
        records = run_with(simulated_server, system, code=4)
        is_over.set()
    assert was_waited_for == [False]
    assert Counter(record.outcome for record in records) == {"reader_error": 3, "not_run": 17}
