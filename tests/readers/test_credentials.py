"""Keys belong to hosts."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.errors import ReaderConfigError
from niah.readers.credentials import KEY_HOSTS, load_dotenv_here, may_have_key
from niah.readers.resolve import ReaderSpec, resolve_reader


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", KEY_HOSTS, "VLLM_API_KEY"):
        monkeypatch.setenv(name, "")  # so that what a .env sets is undone
        monkeypatch.delenv(name)


@pytest.mark.parametrize(
    ("variable", "address", "allowed"),
    [
        ("OPENAI_API_KEY", "https://api.openai.com/v1", True),
        ("OPENAI_API_KEY", "https://mine.openai.azure.com/v1", True),
        ("OPENAI_API_KEY", "http://127.0.0.1:8000/v1", True),
        ("OPENAI_API_KEY", "https://gateway.example/v1", False),
        ("OPENAI_API_KEY", "https://api.openai.com.example/v1", False),
        ("OPENAI_API_KEY", "https://notopenai.com/v1", False),
        ("OPENAI_API_KEY", "https://api.openai.com@gateway.example/v1", False),
        ("OPENAI_API_KEY", "http://10.0.0.7:8000/v1", False),
        ("GROQ_API_KEY", "https://api.openai.com/v1", False),
        ("VLLM_API_KEY", "http://localhost:8000/v1", True),
        ("VLLM_API_KEY", "http://gpu7:8000/v1", True),
        ("VLLM_API_KEY", "https://gateway.example/v1", False),
        ("AWS_SECRET_ACCESS_KEY", "http://127.0.0.1:8000/v1", False),
        ("HOME", "http://127.0.0.1:8000/v1", False),
    ],
)
def test_what_may_go_where(variable: str, address: str, allowed: bool) -> None:
    assert may_have_key(variable, address) == allowed


def key_sent(address: str, *, variable: str | None = None, by_hand: bool = False) -> str:
    reader = resolve_reader(ReaderSpec("m", address, key_variable=variable, by_hand=by_hand))
    return str(vars(reader)["_api_key"])


@pytest.mark.parametrize(
    ("variable", "told"),
    [
        ("VLLM_API_KEY", "set NIAH_KEY_HOSTS=VLLM_API_KEY@gateway.example"),
        ("OPENAI_API_KEY", "set NIAH_KEY_HOSTS=OPENAI_API_KEY@gateway.example"),
        ("AWS_SECRET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY is no key of a model's endpoint"),
    ],
)
def test_a_config_that_sends_a_key_elsewhere_is_refused(
    variable: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "private-123456")
    with pytest.raises(ReaderConfigError) as refused:
        key_sent("https://gateway.example/v1", variable=variable)
    assert told in str(refused.value)
    assert "private-123456" not in str(refused.value)


def test_a_dotenv_file_moves_no_key_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-private-123456")
    file = tmp_path / ".env"
    file.write_text("OPENAI_BASE_URL=https://gateway.example/v1\n")
    with pytest.raises(ReaderConfigError, match="would send OPENAI_API_KEY of the environment"):
        resolve_reader(ReaderSpec("openai/gpt-4o-mini"))
    file.write_text("OPENAI_BASE_URL=http://127.0.0.1:9/v1\n")
    resolve_reader(ReaderSpec("openai/gpt-4o-mini"))


def test_a_dotenv_file_trusts_nobody(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"{KEY_HOSTS}=OPENAI_API_KEY@gateway.example\n")
    with pytest.raises(ReaderConfigError, match="Set it in the environment itself"):
        load_dotenv_here()


def test_openai_needs_its_key_which_a_dotenv_file_may_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ReaderConfigError, match="OPENAI_API_KEY"):
        resolve_reader(ReaderSpec("openai/gpt-4o-mini"))
    (tmp_path / ".env").write_text("OPENAI_API_KEY=from-the-file\nOPENAI_BASE_URL=https://file/v1\n")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://environment/v1")
    assert resolve_reader(ReaderSpec("openai/gpt-4o-mini")).settings["api_base"] == "https://environment/v1"
