"""Help answers at once because start-up imports next to nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "numpy",
    "pandas",
    "pydantic",
    "yaml",
    "rich",
    "jinja2",
    "tiktoken",
    "litellm",
    "openai",
    "matplotlib",
    "sklearn",
    "torch",
    "tokenizers",
    "gguf",
    "huggingface_hub",
}


def loaded_by(code: str) -> set[str]:
    script = f"import sys; {code}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    return set(
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout.split()
    )


def test_help_imports_click_and_little_else() -> None:
    loaded = loaded_by("from niah.cli.main import main; main(['--help'])")
    assert "click" in loaded
    assert not loaded & HEAVY


def modules_of(folder: Path, *command: str) -> set[str]:
    """What a whole command has imported by its end, by the names that ``import`` takes."""
    script = (
        "import sys; from niah.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *command], capture_output=True, text=True, check=True, cwd=folder
    )
    return set(done.stderr.splitlines()[-1].split())


SLOW = {"litellm", "sentence_transformers", "sklearn", "matplotlib", "numba", "torch", "openai"}


@pytest.mark.parametrize(
    "command",
    [
        ("run", "nosuch"),
        ("plan", "nosuch"),
        ("run", "quick", "--model", "openai/x"),
        ("run", "quick", "--model", "anthropic/x"),
    ],
)
def test_a_typo_or_a_missing_key_waits_for_nothing_heavy(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    assert not modules_of(tmp_path, *command) & SLOW
