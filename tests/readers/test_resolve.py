"""From names to readers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import niah
from niah.errors import ReaderConfigError, UnknownName
from niah.readers.embedded import EmbeddedReader
from niah.readers.openai_compatible import OpenAICompatibleReader
from niah.readers.resolve import ReaderSpec, reader_forms, resolve_reader


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key but what a test sets, and a working folder of its own."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)


def test_smollm2_is_embedded() -> None:
    reader = resolve_reader(ReaderSpec("smollm2"))
    assert isinstance(reader, EmbeddedReader)
    assert (reader.name, reader.concurrency) == ("smollm2", 1)


def test_a_gguf_file_is_embedded_and_named_without_its_folder() -> None:
    reader = resolve_reader(ReaderSpec("/models/tiny.gguf"))
    assert isinstance(reader, EmbeddedReader)
    assert reader.name == "tiny.gguf"


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


@pytest.mark.parametrize("model", ["smolm2", "gpt-4o", "", "openai/", "/x"])
def test_names_that_stand_for_nothing(model: str) -> None:
    with pytest.raises(UnknownName) as caught:
        resolve_reader(ReaderSpec(model))
    for form, _ in reader_forms():
        assert form in caught.value.remedy
    assert ("Did you mean 'smollm2'?" in caught.value.remedy) == (model == "smolm2")


def test_resolving_imports_no_client_and_no_engine() -> None:
    heavy = ("openai", "litellm", "xllamacpp", "aiohttp", "gguf", "numpy")
    code = (
        "import sys; from niah.readers.resolve import ReaderSpec as Spec, resolve_reader as ask; "
        "ask(Spec('smollm2')); ask(Spec('x/y')); "
        f"ask(Spec('m', 'http://h/v1')); print([m for m in {heavy} if m in sys.modules])"
    )
    tree = Path(niah.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tree)
    assert done.stdout.strip() == "[]"
