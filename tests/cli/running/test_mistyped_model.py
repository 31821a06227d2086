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
from niah.runs.file.read_model import read_run
from tests.loopback import Post, Reply, completion, replying, serving

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


def test_one_mistyped_reader_of_two_is_told_before_the_other_is_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    endpoint = Endpoint(["weak", "strong"], {"weak", "strong"})
    with served(endpoint) as address:
        readers = ", ".join(f'{{model: {name}, api_base: "{address}/v1"}}' for name in ("weak", "storng"))
        Path("two.yaml").write_text(f"{{suite: mine.yaml, strategies: [lc], readers: [{readers}]}}")
        assert main(["run", "two.yaml"]) == 2
    assert endpoint.asked == ["Say OK."]
    assert not Path("runs").exists()


@pytest.mark.parametrize("listed", [[], ["some-alias"], None])
def test_a_server_that_takes_names_that_it_does_not_list_is_asked(
    listed: list[str] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(Endpoint(listed, None)) as address:
        assert run("my-lora", f"{address}/v1") == 0
    says = f"{address}/v1 answers to 'my-lora', which is not on its list of models: some-alias"
    assert capsys.readouterr().err.count(says) == bool(listed)


def test_of_a_name_on_the_list_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with served(Endpoint(["weak"], None)) as address:
        assert run("weak", f"{address}/v1") == 0
    assert "list of models" not in capsys.readouterr().err


def test_what_else_is_wrong_with_the_short_question_stops_nobody() -> None:
    first = iter([Reply({"error": {"message": "max_tokens is too small"}}, 400)])

    class Fussy(Endpoint):
        def reply(self, path: str, body: Any) -> Reply:
            whole = super().reply(path, body)
            return next(first, whole) if body is not None else whole

    with served(Fussy(["other"], None)) as address:
        assert run("m", f"{address}/v1") == 0


def test_a_forgotten_v1_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    endpoint = Endpoint(["strong"], {"strong"})
    with served(endpoint) as address:
        line = refusal(capsys, "strong", address)
        assert f"{address} answers HTTP 404" in line
        assert line.endswith("Add /v1 to the address.")
        assert endpoint.asked == []


def test_an_address_without_v1_that_answers_is_taken() -> None:
    class ListsBelow(Endpoint):
        def reply(self, path: str, body: Any) -> Reply:
            if body is None:
                return Reply({"data": [{"id": "strong"}]}, 200 if path == "/v1/models" else 404)
            return super().reply(path, body)

    endpoint = ListsBelow(None, {"strong"}, root="")
    with served(endpoint) as address:
        assert run("strong", address) == 0


def test_a_run_that_has_begun_goes_on_to_say_so_by_its_trials(capsys: pytest.CaptureFixture[str]) -> None:
    endpoint = Endpoint(["strong"], {"strong"})
    with served(endpoint) as address:
        assert run("strong", f"{address}/v1", "--limit", "2") == 0
        endpoint.listed, endpoint.answers = ["other"], {"other"}
        assert run("strong", f"{address}/v1") == 4
    outcomes = [record.outcome for record in read_run(next(Path("runs").glob("*.sqlite"))).records]
    assert sorted(outcomes) == ["reader_error"] * 3 + ["scored"] * 2


def test_an_endpoint_without_a_list_is_told_by_its_trials_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    unknown = {"error": {"message": "The model `m` does not exist", "code": "model_not_found"}}

    def reply(post: Post) -> Reply:
        return Reply(unknown, 404)

    with replying(reply) as address:
        line = refusal(capsys, "m", f"{address}/v1")
    assert line.endswith(
        "m: HTTP 404: The model `m` does not exist. Correct the model's name, or the endpoint's address."
    )


def test_a_night_with_a_mistyped_model_is_no_night(capsys: pytest.CaptureFixture[str]) -> None:
    with served(Endpoint(["strong"], {"strong"})) as address:
        readers = f'[{{model: storng, name: prod, api_base: "{address}/v1"}}]'
        Path("prod.yaml").write_text(f"{{suite: mine.yaml, strategies: [lc], readers: {readers}}}")
        before = sorted(Path().rglob("*"))
        assert main(["nightly", "prod.yaml", "--date", "2026-11-22"]) == 2
    assert sorted(Path().rglob("*")) == before
    assert "has no model 'storng'" in capsys.readouterr().err
