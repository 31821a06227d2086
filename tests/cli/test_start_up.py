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


def test_of_niah_itself_only_the_group_is_loaded() -> None:
    script = "import sys; from niah.cli.main import main; main(['--help']); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert {name for name in out.splitlines()[-1].split() if name.startswith("niah")} == {
        "niah",
        "niah.cli",
        "niah.cli.main",
        "niah.errors",
    }


def test_the_readers_are_light_to_import() -> None:
    assert not loaded_by("import niah.readers") & {"openai", "litellm", "aiohttp", "xllamacpp", "torch"}


def test_importing_niah_imports_nothing_of_it() -> None:
    script = "import sys; import niah; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert {name for name in out.split() if name.startswith("niah")} == {"niah"}


def test_a_typo_waits_for_no_rules_of_a_judge() -> None:
    script = "import sys, niah.cli.running.run; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "niah.judges.registry" in out.split()
    assert "niah.judges.rubric.rubric" not in out.split()
    assert not {name.partition(".")[0] for name in out.split()} & {"litellm", "openai", "torch", "sklearn"}


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
    "command", [("run", "nosuch"), ("plan", "nosuch"), ("run", "quick", "--model", "openai/x")]
)
def test_a_typo_or_a_missing_key_waits_for_nothing_heavy(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert not modules_of(tmp_path, *command) & SLOW


def test_a_list_imports_nothing_of_what_it_lists_once_its_lines_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    kinds = ("needle-sets", "judges")
    first = [modules_of(tmp_path, "list", kind) for kind in kinds]
    again = [modules_of(tmp_path, "list", kind) for kind in kinds]
    assert "niah.needles.load" in first[0]
    assert "niah.judges.rubric.rubric" in first[1]
    for modules in again:
        assert not modules & (SLOW | HEAVY)
        assert not modules & {"niah.needles.load", "niah.judges.rubric.rubric"}
