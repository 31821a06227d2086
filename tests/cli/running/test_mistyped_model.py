"""A mistyped model or address is told in one line, before any trial, and leaves nothing behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from tests.loopback import Reply, completion, serving

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = "{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512], depths: [0, 25, 50, 75, 100]}"
KEY = "sk-planted-0123456789"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    Path("mine.yaml").write_text(SUITE)


@dataclass
class Endpoint:
    """A server that lists some models, and answers for some, at one root."""

    listed: list[str] | None
    answers: set[str] | None
    """None: whatever the name."""
    root: str = "/v1"
    unknown: Reply = field(
        default_factory=lambda: Reply({"error": {"message": f"no such model. {KEY}"}}, 404)
    )
    asked: list[str] = field(default_factory=list)

    def reply(self, path: str, body: Any) -> Reply:
        if path == f"{self.root}/models" and body is None and self.listed is not None:
            return Reply({"data": [{"id": name} for name in self.listed]})
        if path != f"{self.root}/chat/completions" or body is None:
            return Reply({"detail": "Not Found"}, 404)
        self.asked.append(body["messages"][-1]["content"])
        if self.answers is not None and body["model"] not in self.answers:
            return self.unknown
        return Reply(completion("Three lanterns."))


@contextmanager
def served(endpoint: Endpoint) -> Iterator[str]:
    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(endpoint.reply(self.path, None))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._send(endpoint.reply(self.path, body))

        def _send(self, reply: Reply) -> None:
            data = json.dumps(reply.body).encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Server) as address:
        yield address


def run(model: str, api_base: str, *more: str) -> int:
    return main(["run", "--suite", "mine.yaml", "--model", model, "--api-base", api_base, *more])


def refusal(capsys: pytest.CaptureFixture[str], model: str, api_base: str, *more: str) -> str:
    """The one line with which it is refused; nothing is written."""
    before = sorted(Path().rglob("*"))
    assert run(model, api_base, *more) == 2
    line = capsys.readouterr().err.strip().splitlines()[-1]
    assert sorted(Path().rglob("*")) == before
    return line


def test_a_model_that_is_not_listed_and_not_known_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    endpoint = Endpoint(["weak", "strong"], {"weak", "strong"})
    with served(endpoint) as address:
        line = refusal(capsys, "storng", f"{address}/v1")
    assert endpoint.asked == ["Say OK."]
    assert f"{address}/v1 has no model 'storng': HTTP 404: no such model. ***." in line
    assert "did you mean 'strong'?" in line


def test_a_night_with_a_mistyped_model_is_no_night(capsys: pytest.CaptureFixture[str]) -> None:
    with served(Endpoint(["strong"], {"strong"})) as address:
        readers = f'[{{model: storng, name: prod, api_base: "{address}/v1"}}]'
        Path("prod.yaml").write_text(f"{{suite: mine.yaml, strategies: [lc], readers: {readers}}}")
        before = sorted(Path().rglob("*"))
        assert main(["nightly", "prod.yaml", "--date", "2026-11-22"]) == 2
    assert sorted(Path().rglob("*")) == before
    assert "has no model 'storng'" in capsys.readouterr().err
