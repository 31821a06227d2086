"""Keys belong to hosts, and secrets stay out."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from niah.errors import UserError
from niah.readers.credentials import KEY_HOSTS, load_dotenv_here, redacted_in_logs
from niah.readers.resolve import ReaderSpec, resolve_reader


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", KEY_HOSTS, "VLLM_API_KEY", "GROQ_API_KEY"):
        monkeypatch.setenv(name, "")  # so that what a .env sets is undone
        monkeypatch.delenv(name)


def test_a_dotenv_file_gives_keys_and_moves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    with pytest.raises(UserError, match="OPENAI_API_KEY"):
        resolve_reader(ReaderSpec("openai/gpt-4o-mini"))
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    for trusted in (f"{KEY_HOSTS}=OPENAI_API_KEY@gateway.example\n", "SSL_CERT_FILE=mine.pem"):
        file.write_text(trusted)
        with pytest.raises(UserError, match="Set it in the environment itself"):
            load_dotenv_here()
    file.write_text("GROQ_API_KEY=from-the-file\n")
    assert resolve_reader(ReaderSpec("groq/m")).name == "groq/m"
    monkeypatch.setenv("OPENAI_BASE_URL", "https://environment/v1")
    file.write_text("OPENAI_API_KEY=from-the-file\nOPENAI_BASE_URL=https://file/v1\n")
    assert resolve_reader(ReaderSpec("openai/gpt-4o-mini")).settings["api_base"] == "https://environment/v1"


@pytest.mark.parametrize(
    ("key", "address"),
    [
        *(("OPENAI_API_KEY", "OPENAI_BASE_URL"), ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_BASE")),
        *(("GOOGLE_API_KEY", "GEMINI_API_BASE"), ("HF_TOKEN", "HF_ENDPOINT")),
    ],
)
def test_a_dotenv_file_sends_no_key_of_the_environment_elsewhere(
    key: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(address, "")
    monkeypatch.delenv(address)
    monkeypatch.setenv(key, "sk-private-123456")
    for own in ("", f"{key}=another\n"):  # which the environment's goes before
        (tmp_path / ".env").write_text(f"{own}{address}=https://gateway.example/v1\n")
        with pytest.raises(UserError, match=rf"would send {key} of the environment to gateway\."):
            load_dotenv_here()
    (tmp_path / ".env").write_text(f"{key}=sk-private-123456\n{address}=https://gateway.example/v1\n")
    load_dotenv_here()  # who wrote that has the key


def test_logs_are_redacted(caplog: pytest.LogCaptureFixture) -> None:
    redacted_in_logs(frozenset({"key-of-mine"}))
    with caplog.at_level(logging.INFO, "httpx"):
        try:
            raise ValueError("bad key-of-mine")
        except ValueError:
            logging.getLogger("httpx").exception("sent %s", "<key-of-mine>")
    assert "sent <***>" in caplog.text
    assert "ValueError: bad ***" in caplog.text
    assert "key-of-mine" not in caplog.text
