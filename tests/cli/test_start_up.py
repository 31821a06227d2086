"""Help answers at once because start-up imports next to nothing; a mistake waits for nothing heavy."""

import subprocess
import sys
from pathlib import Path

import pytest

SLOW = {"litellm", "sentence_transformers", "sklearn", "matplotlib", "numba", "torch", "openai"}
HEAVY = SLOW | {"numpy", "pandas", "pydantic", "yaml", "rich", "jinja2", "tokenizers", "huggingface_hub"}


def modules_of(folder: Path, *command: str) -> set[str]:
    """What a whole command has imported by its end, by the names that ``import`` takes."""
    script = (
        "import sys; from niah.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *command], capture_output=True, text=True, check=True, cwd=folder
    )
    return set(done.stderr.splitlines()[-1].split())


def test_help_imports_click_and_little_else(tmp_path: Path) -> None:
    loaded = modules_of(tmp_path, "--help")
    assert "click" in loaded
    assert not loaded & HEAVY


@pytest.mark.parametrize(
    "command", ["run nosuch", "plan nosuch", "run quick --model openai/x", "run quick --model anthropic/x"]
)
def test_a_typo_or_a_missing_key_waits_for_nothing_heavy(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    assert not modules_of(tmp_path, *command.split()) & SLOW
