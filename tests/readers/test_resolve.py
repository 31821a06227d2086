"""From names to readers."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.errors import ReaderConfigError
from niah.readers.openai_compatible import OpenAICompatibleReader
from niah.readers.resolve import ReaderSpec, resolve_reader


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key but what a test sets, and a working folder of its own."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)


def test_openai_needs_its_key() -> None:
    with pytest.raises(ReaderConfigError, match="OPENAI_API_KEY"):
        resolve_reader(ReaderSpec("openai/gpt-4o-mini"))


def test_a_dotenv_file_gives_keys_and_the_environment_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_KEY=from-the-file\nOPENAI_BASE_URL=https://file/v1\n")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://environment/v1")
    reader = resolve_reader(ReaderSpec("openai/gpt-4o-mini"))
    assert isinstance(reader, OpenAICompatibleReader)
    assert reader.settings["api_base"] == "https://environment/v1"
