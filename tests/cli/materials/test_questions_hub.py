"""``niah questions import FORMAT hub:ID``: files of a hub on this machine's loopback."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from niah.cli.main import main
from tests.cli.materials.published_rows import ROWS
from tests.loopback import serving

FILES = {
    "me/one": ["README.md", "data/qa1.jsonl"],
    "me/two": ["a.jsonl", "b.json"],
    "me/none": ["data.csv"],
    "me/shards": ["data/test-0-of-2.parquet", "data/train-0.parquet", "data/test-1-of-2.parquet"],
}
ASKED: list[str] = []


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    return file.getvalue()


ANSWERS: dict[str, tuple[int, object]] = {
    **{
        f"/api/datasets/{name}": (200, {"siblings": [{"rfilename": file} for file in files]})
        for name, files in FILES.items()
    },
    "/api/datasets/gated/one": (401, {"error": "log in"}),
    "/api/datasets/me/none/revision/refs%2Fconvert%2Fparquet": (
        200,
        {"siblings": [{"rfilename": "default/test/0000.parquet"}]},
    ),
    "/datasets/me/none/resolve/refs%2Fconvert%2Fparquet/default/test/0000.parquet": (
        200,
        _parquet(ROWS["babilong"]),
    ),
    **{
        f"/datasets/me/shards/resolve/main/data/test-{number}-of-2.parquet": (200, _parquet([row]))
        for number, row in enumerate(ROWS["babilong"])
    },
    "/api/datasets/odd/one": (200, "<html>"),
    "/cdn/1": (200, "".join(f"{json.dumps(row)}\n" for row in ROWS["babilong"])),
    "/datasets/me/one/resolve/main/wrong.jsonl": (200, '{"input": "x"}\n'),
}


class Hub(BaseHTTPRequestHandler):
    """Lists the files of datasets, and sends those who want one elsewhere, as the hub does."""

    def do_GET(self) -> None:
        ASKED.append(self.path)
        if self.path == "/datasets/me/one/resolve/main/data/qa1.jsonl":
            self.send_response(302)
            self.send_header("Location", "/cdn/1")
            self.end_headers()
        else:
            self._send(*ANSWERS.get(self.path, (404, {})))

    def _send(self, status: int, body: object) -> None:
        data = (
            body
            if isinstance(body, bytes)
            else str(body if isinstance(body, str) else json.dumps(body)).encode()
        )
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Hub) as found:
        yield found


@pytest.fixture(autouse=True)
def hub(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_ENDPOINT", address)
    Path("scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(Path("scratch").absolute()))
    ASKED.clear()


@pytest.mark.parametrize("name", ["hub:me/one", "hub:me/one/data/qa1.jsonl"])
def test_a_file_of_the_hub_becomes_a_question_set(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", "import", "babilong", name, "--out", "mine.jsonl"]) == 0
    assert "2 questions over 2 documents: mine.jsonl" in capsys.readouterr().out
    assert len(Path("mine.jsonl").read_text().splitlines()) == 2
    assert list(Path("scratch").iterdir()) == []
    assert main(["questions", "check", "mine.jsonl"]) == 0
    assert len([path for path in ASKED if path == "/cdn/1"]) == 1


@pytest.mark.parametrize("name", ["hub:me/shards/data/test-*.parquet", "hub:me/none@~parquet"])
def test_parquet_files_of_the_hub_become_one_question_set(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["questions", "import", "babilong", name, "--out", "mine.jsonl"]) == 0
    assert "2 questions over 2 documents: mine.jsonl" in capsys.readouterr().out
    texts = [json.loads(line)["question"] for line in Path("mine.jsonl").read_text().splitlines()]
    assert texts == [row["question"] for row in ROWS["babilong"]]
    assert list(Path("scratch").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("hub:me/two", "hub:me/two has 2 files to read: a.jsonl, b.json. Name one: hub:me/two/FILE;"),
        ("hub:me/none", "hub:me/none has no JSON and no Parquet file. Try hub:me/none@~parquet"),
        ("hub:me/shards/data/dev-*", "matches none of data/test-0-of-2.parquet, data/test-1-of-2.parquet, "),
        ("hub:me/one@", "'hub:me/one@' is no file on the hub."),
        ("hub:me/one@gone/x.jsonl", "hub:me/one@gone/x.jsonl is not on the hub."),
        ("hub:me/gone", "hub:me/gone is not on the hub. Check owner, name and file"),
        ("hub:me/one/gone.jsonl", "hub:me/one/gone.jsonl is not on the hub."),
        ("hub:gated/one", "hub:gated/one is not open to all, or not there (HTTP 401). Accept its terms"),
        ("hub:odd/one", "hub:odd/one cannot be fetched from http://127.0.0.1"),
        ("hub:me", "'hub:me' is no file on the hub. Write hub:OWNER/NAME"),
        ("hub:me/one/../two/a.jsonl", "is no file on the hub."),
        ("hub:me/one/wrong.jsonl", "niah: hub:me/one/wrong.jsonl: line 1, question: is missing."),
    ],
)
def test_what_cannot_be_had_is_one_line(name: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", "import", "babilong", name, "--out", "mine.jsonl"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
    assert [path.name for path in Path().iterdir()] == ["scratch"]
    assert list(Path("scratch").iterdir()) == []


@pytest.mark.parametrize(
    ("endpoint", "says"),
    [
        ("http://127.0.0.1:9", "cannot be fetched from http://127.0.0.1:9: "),
        ("nowhere", "HF_ENDPOINT is 'nowhere', which is no web address."),
    ],
)
def test_a_hub_that_does_not_answer_is_one_line(
    endpoint: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    assert main(["questions", "import", "babilong", "hub:me/one"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line


def test_files_are_not_fetched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", "import", "babilong", "gone.json"]) == 2
    assert "gone.json" in capsys.readouterr().err
    assert ASKED == []
