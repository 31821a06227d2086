"""Help answers at once because start-up imports next to nothing."""

import subprocess
import sys

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
