"""A reader's window that the user does not name: the endpoint's word counts, and is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from tests.loopback import completion, serving

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [512, 2048]\ndepths: [50]\n"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


class Model:
    """What the server says of its window, and how many letters its prompts had."""

    def __init__(self) -> None:
        self.window: int | None = 1100
        self.letters: list[int] = []


@contextmanager
def served(model: Model) -> Iterator[str]:
    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            listed = {"data": [{"id": "m", "max_model_len": model.window}]}
            self._reply(200 if self.path == "/v1/models" else 404, listed)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.letters.append(len(body["messages"][0]["content"]))
            self._reply(200, completion("Three lanterns.", 500, 4))

        def _reply(self, status: int, body: Any) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Server) as address:
        yield f"{address}/v1"


def write_run(address: str, *, truncate: bool, window: int | None = None) -> None:
    own = f", window: {window}" if window else ""
    reader = f'{{model: m, api_base: "{address}"{own}}}'
    cut = "truncate: back\n" if truncate else ""
    Path("run.yaml").write_text(f"suite: mine.yaml\nreaders: [{reader}]\nstrategies: [lc]\n{cut}")


RUN = ("run", "run.yaml", "--out", "run.sqlite")


def test_contexts_are_cut_to_the_window_that_the_endpoint_says(capsys: pytest.CaptureFixture[str]) -> None:
    model = Model()
    with served(model) as address:
        write_run(address, truncate=True)
        assert main([*RUN]) == 0
        assert max(model.letters) < 1100 * 6 < 2048 * 4
        capsys.readouterr()
        assert main(["show", "run.sqlite"]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert f"m 1100 ({address}/models) reader" in shown.replace("window ", "")
        assert main([*RUN]) == 0  # nothing is left, and nothing differs

        model.window = 1300
        assert main([*RUN]) == 2
        assert "differs in: windows" in capsys.readouterr().err

        write_run(address, truncate=True, window=1100)
        model.letters.clear()
        assert main(["run", "run.yaml", "--out", "named.sqlite"]) == 0
        assert max(model.letters) < 1100 * 6
