"""The server of ``niah view``: what it answers, and whom."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from niah.api.view import LivePages, view_server
from niah.runs.file.store import open_for_writing
from tests.plots.html.planted_run import begin, planted_result, planted_trials


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two runs, one of which has asked a part of its trials, and a file that is none."""
    for name, asked in (("last", 40), ("to night", 20)):
        trials, rng = planted_trials((2048,))[:40], Random(1)
        with open_for_writing(tmp_path / f"{name}.sqlite") as store:
            begin(store, trials)
            store.commit([(trial, planted_result(rng, trial)) for trial in trials[:asked]])
    (tmp_path / "broken.sqlite").write_text("no run file")
    return tmp_path


@pytest.fixture
def server(folder: Path) -> Iterator[ThreadingHTTPServer]:
    with view_server(folder, 0) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(
    server: ThreadingHTTPServer, address: str, *, method: str = "GET", host: str | None = None
) -> tuple[int, str, http.client.HTTPMessage]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    connection.request(method, address, headers={"Host": host} if host else {})
    reply = connection.getresponse()
    return reply.status, reply.read().decode(), reply.headers


def test_a_run_has_its_page_and_several_stand_side_by_side(server: ThreadingHTTPServer) -> None:
    status, page, _ = ask(server, "/runs/to%20night")
    assert (status, "20 of 40 trials" in page) == (200, True)
    status, page, _ = ask(server, "/compare?run=last&run=to+night")
    assert (status, "<h2>last</h2>" in page, "<h2>to night</h2>" in page) == (200, True, True)
    assert "to night against last: " in page


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1"])
def test_a_name_that_is_made_to_lead_here_gets_nothing(server: ThreadingHTTPServer, host: str) -> None:
    status, body, _ = ask(server, "/", host=host.format(port=server.server_port))
    assert (status, body) == (421, "This server answers under its own address alone.")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
def test_it_only_reads(server: ThreadingHTTPServer, folder: Path, method: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.glob("*.sqlite")}
    assert ask(server, "/runs/last", method=method)[0] == 501
    assert before == {path.name: path.read_bytes() for path in folder.glob("*.sqlite")}


def test_a_page_is_made_anew_when_its_run_has_changed_and_not_before(folder: Path) -> None:
    pages, path = LivePages(folder), folder / "to night.sqlite"
    first, version = pages.page("/runs/to%20night"), pages.version("/runs/to%20night")
    assert first is not None
    assert pages.page("/runs/to%20night") is first
    trials, rng = planted_trials((2048,))[:40], Random(2)
    with open_for_writing(path) as store:
        store.commit([(trials[20], planted_result(rng, trials[20]))])
    # While it is young it stays, so that pages do not take the run's time.
    assert pages.version("/runs/to%20night") == version
    pages._made["/runs/to%20night"].at = 0
    assert pages.version("/runs/to%20night") != version
    assert b"21 of 40 trials" in (pages.page("/runs/to%20night") or b"")
