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
    script = "import sys, niah.runs.config.load; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "niah.judges.registry" in out.split()
    assert "niah.judges.rubric" not in out.split()
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


NEEDED_TO_RUN = {"niah.runs.config.load", "niah.cases.suite", "niah.api.report", "numpy", "tiktoken", "rich"}
OF_NO_FILE = NEEDED_TO_RUN | {"niah.runs.file.read_model", "niah.cases.case", "pydantic"}


@pytest.mark.parametrize("command", ["run", "plan", "nightly", "retrieve", "show"])
def test_a_name_that_nothing_has_waits_for_nothing_that_a_run_takes(command: str, tmp_path: Path) -> None:
    assert not modules_of(tmp_path, command, "nosuch") & NEEDED_TO_RUN


@pytest.mark.parametrize(
    "command",
    [
        ("report", "nosuch"),
        ("figure", "nosuch", "x"),
        ("compare", "nosuch", "nosuch2"),
        ("judge", "nosuch", "--judge", "rubric"),
        ("judge", "metrics", "nosuch"),
        ("export", "nosuch"),
        ("merge", "nosuch", "--out", "all.sqlite"),
        ("view", "nosuch"),
        ("history", "nosuch"),
    ],
)
def test_a_run_file_that_is_not_there_waits_for_nothing_that_reads_one(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    assert not modules_of(tmp_path, *command) & OF_NO_FILE


def test_a_night_that_is_not_there_waits_for_nothing_that_reads_one(tmp_path: Path) -> None:
    loaded = modules_of(tmp_path, "nightly", "accept", "nosuch")
    assert not loaded & (NEEDED_TO_RUN | {"niah.runs.file.read_model", "niah.api.nights.acceptance"})


def test_a_needle_set_that_is_not_there_waits_for_no_rules_of_a_judge(tmp_path: Path) -> None:
    loaded = modules_of(tmp_path, "needles", "check", "nosuch")
    assert not loaded & {"numpy", "tiktoken", "rich", "niah.cases.samples", "niah.judges.audit"}


def test_a_needle_set_whose_tokens_are_kept_is_checked_without_tiktoken(tmp_path: Path) -> None:
    command = ("needles", "check", "pizza-ingredients")
    modules_of(tmp_path, *command)  # which keeps the counts
    loaded = modules_of(tmp_path, *command)
    assert "niah.judges.audit" in loaded
    assert not loaded & {"num2words", "tiktoken"}


def test_a_question_set_that_is_not_there_waits_for_no_arrays(tmp_path: Path) -> None:
    assert not modules_of(tmp_path, "questions", "check", "nosuch") & {"numpy", "tiktoken", "rich"}


OF_CASES_AND_COSTS = {
    "niah.cases.suite",
    "niah.needles.load",
    "niah.runs.cost.estimate",
    "niah.runs.cost.prices",
}


@pytest.mark.parametrize(
    "command",
    [
        ("run", "quick", "--model", "openai/x"),
        ("run", "quick", "--model", "openai/x", "--strategies", "lc"),
    ],
)
def test_a_missing_key_waits_for_no_cases_prices_or_rules_of_a_judge(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    loaded = modules_of(tmp_path, *command)
    assert "niah.readers.credentials" in loaded
    assert not loaded & (OF_CASES_AND_COSTS | {"numpy"})
    assert not any(name.startswith("niah.judges.rubric") for name in loaded)


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


def test_a_list_imports_nothing_of_what_it_lists_once_its_lines_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    kinds = ("needle-sets", "judges")
    first = [modules_of(tmp_path, "list", kind) for kind in kinds]
    again = [modules_of(tmp_path, "list", kind) for kind in kinds]
    assert "niah.needles.load" in first[0]
    assert "niah.judges.rubric" in first[1]
    for modules in again:
        assert not modules & (SLOW | HEAVY)
        assert not modules & {"niah.needles.load", "niah.judges.rubric"}


def test_nobody_looks_for_garbage_when_a_command_is_done() -> None:
    """What is registered first is called last: it says whether anything is left to look through."""
    script = (
        "import atexit, gc, sys; atexit.register(lambda: print(len(gc.get_objects())));"
        "sys.argv = ['niah', '--version']; from niah.cli.main import entry; entry()"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(said.stdout.split()[-1]) < 100


def test_to_check_a_needle_set_takes_no_metric_and_builds_no_context(tmp_path: Path) -> None:
    loaded = modules_of(tmp_path, "needles", "check", "pizza-ingredients")
    assert "niah.judges.rubric" in loaded
    assert not loaded & {
        "niah.judges.metrics",
        "niah.cases.assembly.render",
        "niah.haystacks.corpus",
    }
