"""The Hugging Face hub: its cache on this machine, a loopback server in its place, and no network."""

from __future__ import annotations

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import huggingface_hub.constants
import pytest

from niah.errors import UserError
from niah.text.tokenizer import get_tokenizer
from niah.text.tokenizers.hub import nothing_fetched
from niah.weights import ensure_weights
from tests.loopback import serving

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NOBODY_LISTENS = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a hub that cannot be reached."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    point_at(NOBODY_LISTENS, monkeypatch)
    return tmp_path


def point_at(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", url)
    monkeypatch.setattr(
        huggingface_hub.constants,
        "HUGGINGFACE_CO_URL_TEMPLATE",
        url + "/{repo_id}/resolve/{revision}/{filename}",
    )


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A hub that has one tokenizer; the paths it was asked for."""
    asked: list[str] = []
    content = (ensure_weights("minilm") / "tokenizer.json").read_bytes()
    refusals = {
        "/owner/gone": "RepoNotFound",
        "/owner/gated": "GatedRepo",
        "/owner/bare": "EntryNotFound",
    }

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            asked.append(self.path)
            owner_and_name = self.path.partition("/resolve/")[0]
            refusal = refusals.get(owner_and_name)
            self.send_response({None: 200, "GatedRepo": 403}.get(refusal, 404))
            if refusal:
                self.send_header("X-Error-Code", refusal)
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("ETag", '"abc"')
            self.send_header("Content-Length", str(0 if refusal else len(content)))
            self.end_headers()

        def do_GET(self) -> None:
            self.do_HEAD()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as address:
        point_at(address, monkeypatch)
        yield asked


def test_what_a_run_file_names_is_not_asked_for(hub: list[str]) -> None:
    with pytest.raises(UserError, match="a run file has no hub asked"), nothing_fetched():
        get_tokenizer("owner/named-by-a-stranger")
    # The hub's library may ask once a process who is calling; that names no tokenizer.
    assert not any("stranger" in path for path in hub)
    get_tokenizer("owner/named-by-a-stranger")
    assert any("stranger" in path for path in hub)


def test_what_is_cached_is_not_asked_for(cache: Path) -> None:
    repository = cache / "models--owner--cached"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    snapshot = repository / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "tokenizer.json").write_bytes((ensure_weights("minilm") / "tokenizer.json").read_bytes())
    tokenizer = get_tokenizer("owner/cached")
    assert tokenizer.name == "owner/cached"
    assert tokenizer.encode("hello world") == [7592, 2088]


def test_no_network_is_one_line_at_once() -> None:
    began = time.monotonic()
    with pytest.raises(
        UserError, match="not in Hugging Face's cache, and its hub cannot be reached"
    ) as caught:
        get_tokenizer("owner/uncached")
    assert time.monotonic() - began < 60
    assert "\n" not in str(caught.value)
    assert "give the path of the model's tokenizer.json" in caught.value.remedy


def test_offline_by_the_users_wish(monkeypatch: pytest.MonkeyPatch, hub: list[str]) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(UserError, match="not in Hugging Face's cache"):
        get_tokenizer("owner/uncached")
    assert hub == []


def test_fetched_once(hub: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert get_tokenizer("owner/fetched").encode("hello world") == [7592, 2088]
    assert set(hub) == {"/owner/fetched/resolve/main/tokenizer.json"}
    point_at(NOBODY_LISTENS, monkeypatch)
    assert get_tokenizer("huggingface/owner/fetched").encode("hello world") == [7592, 2088]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("owner/gone", "is not there, or private"),
        ("owner/gated", "is gated"),
        ("owner/bare", r"has no tokenizer\.json"),
        ("owner/two..dots", "cannot be fetched"),
    ],
)
def test_what_the_hub_refuses(name: str, said: str, hub: list[str]) -> None:
    with pytest.raises(UserError, match=f"hub's '{name}' {said}") as caught:
        get_tokenizer(name)
    assert "\n" not in str(caught.value)
