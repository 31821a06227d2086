"""A tiny model with random weights, and a hub on loopback that has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import unquote

import huggingface_hub.constants
import pytest

from tests.loopback import serving
from tests.tiny_model import save_tiny_model

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NOBODY_LISTENS = "http://127.0.0.1:9"


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("models") / "tiny-model")


@dataclass
class Hub:
    """What a hub on loopback has, and the paths that it was asked for."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def has(self, folder: Path, *more: str) -> None:
        """The files of a folder, and others by name alone."""
        self.files = dict.fromkeys((".gitattributes", *more), b"x")
        self.files |= {
            file.relative_to(folder).as_posix(): file.read_bytes()
            for file in folder.rglob("*")
            if file.is_file()
        }


def point_at(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", url)
    monkeypatch.setattr(
        huggingface_hub.constants,
        "HUGGINGFACE_CO_URL_TEMPLATE",
        url + "/{repo_id}/resolve/{revision}/{filename}",
    )


@pytest.fixture
def hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a hub that cannot be reached."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    point_at(NOBODY_LISTENS, monkeypatch)
    return tmp_path / "hub"


@pytest.fixture
def hub(hub_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub that has one model under every name but "gone" and "owner/gated"."""
    hub = Hub()

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def _answer(self, *, with_body: bool) -> None:
            path = unquote(self.path.partition("?")[0])
            hub.asked.append(path)
            status, code, body = self._reply(path)
            self.send_response(status)
            if code:
                self.send_header("X-Error-Code", code)
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("ETag", f'"{abs(hash(path)):x}"')
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if with_body:
                self.wfile.write(body)

        def _reply(self, path: str) -> tuple[int, str, bytes]:
            if "/gone" in path:
                return 404, "RepoNotFound", b""
            if "/owner/gated" in path:
                return 403, "GatedRepo", b""
            if "/tree/" in path:
                tree = [
                    {"type": "file", "path": name, "size": len(data), "oid": "0"}
                    for name, data in hub.files.items()
                ]
                return 200, "", json.dumps(tree).encode()
            if path.startswith("/api/models/"):
                siblings = [{"rfilename": name} for name in hub.files]
                return 200, "", json.dumps({"id": "owner/name", "sha": COMMIT, "siblings": siblings}).encode()
            name = path.partition("/resolve/")[2].partition("/")[2]
            if name not in hub.files:
                return 404, "EntryNotFound", b""
            return 200, "", hub.files[name]

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as hub.url:
        point_at(hub.url, monkeypatch)
        yield hub
