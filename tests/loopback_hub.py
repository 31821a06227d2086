"""A Hugging Face hub on this machine's loopback address."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

import huggingface_hub.constants
import pytest

from tests.loopback import serving

COMMIT = "0123456789abcdef0123456789abcdef01234567"
UNREACHABLE = "http://127.0.0.1:9"


@dataclass
class Hub:
    """``files``: content by "owner/name/path"; ``refusals``: the hub's error code by "owner/name"."""

    files: dict[str, bytes] = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)


def point_at(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the hub's library ask there."""
    constants = huggingface_hub.constants
    monkeypatch.setattr(constants, "ENDPOINT", url)
    template = url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)


def _listed(hub: Hub, path: str) -> bytes:
    """What the hub says of a repository's files where ``path`` asks for that."""
    if not path.startswith(("/api/models/", "/api/datasets/")):
        return b""
    kind, *names = path.partition("?")[0].split("/")[2:5]
    repository = "/".join(names)
    own = f"{'datasets/' if kind == 'datasets' else ''}{repository}/"
    files = {name.removeprefix(own): data for name, data in hub.files.items() if name.startswith(own)}
    if "/tree/" in path:
        rows = [{"type": "file", "path": name, "size": len(files[name]), "oid": "0"} for name in files]
        return json.dumps(rows).encode()
    said = {"id": repository, "sha": COMMIT, "siblings": [{"rfilename": name} for name in files]}
    return json.dumps(said).encode()


@contextmanager
def serving_hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub whose files the test gives."""
    hub = Hub()

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            hub.asked.append(self.path)
            repository, _, rest = self.path.lstrip("/").partition("/resolve/")
            name = f"{repository}/{rest.partition('/')[2]}"
            self.content = _listed(hub, self.path) or hub.files.get(name, b"")
            refusal = hub.refusals.get(repository) or ("" if self.content else "EntryNotFound")
            self.send_response({"": 200, "GatedRepo": 403}.get(refusal, 404))
            if refusal:
                self.send_header("X-Error-Code", refusal)
                self.content = b""
            digest = hub.digests.get(name) or hashlib.sha256(self.content).hexdigest()
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("ETag", f'"{digest}"')
            self.send_header("Content-Length", str(len(self.content)))
            self.end_headers()

        def do_GET(self) -> None:
            self.do_HEAD()
            self.wfile.write(self.content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as address:
        point_at(address, monkeypatch)
        yield hub
