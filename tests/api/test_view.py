"""The server of ``niah report --serve``: what it answers, and whom."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from niah.api.view import LivePage, view_server
from niah.runs.file.store import open_for_writing
from tests.plots.html.planted_run import begin, planted_result, planted_trials


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A run that has asked half of its trials."""
    trials, rng, path = planted_trials((2048,))[:40], Random(1), tmp_path / "to night.sqlite"
    with open_for_writing(path) as store:
        begin(store, trials)
        store.commit([(trial, planted_result(rng, trial)) for trial in trials[:20]])
    return path


@pytest.fixture
def server(path: Path) -> Iterator[ThreadingHTTPServer]:
    with view_server(path, 0) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: ThreadingHTTPServer, address: str, method: str = "GET", host: str = "") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    connection.request(method, address, headers={"Host": host} if host else {})
    reply = connection.getresponse()
    return reply.status, reply.read().decode()


def test_it_shows_the_run_to_this_machine_and_only_reads(server: ThreadingHTTPServer, path: Path) -> None:
    before = path.read_bytes()
    status, page = ask(server, "/")
    assert (status, "20 of 40 trials" in page) == (200, True)
    assert f'data-version="{ask(server, "/?version=")[1]}"' in page
    assert ask(server, "/runs")[0] == 404
    for host in ("evil.example", f"evil.example:{server.server_port}", "127.0.0.1", "127.0.0.1:1"):
        assert ask(server, "/", host=host) == (421, "This server answers under its own address alone.")
    for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS"):
        assert ask(server, "/", method)[0] == 501
    assert path.read_bytes() == before


def test_a_page_is_made_anew_when_its_run_has_changed_and_not_before(path: Path) -> None:
    live = LivePage(path)
    version, body = live.renew()
    assert live.renew()[1] is body
    trials, rng = planted_trials((2048,))[:40], Random(2)
    with open_for_writing(path) as store:
        store.commit([(trials[20], planted_result(rng, trials[20]))])
    # While it is young it stays, so that pages do not take the run's time.
    assert live.renew() == (version, body)
    live.stays_until = 0
    version_now, body = live.renew()
    assert version_now != version
    assert b"21 of 40 trials" in body
