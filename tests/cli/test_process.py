"""A process of niah: what it imports, signals, output that nobody reads, and what bash completes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
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


WRONG = '{"id": "seal", "question": "Who signs?"}\n'


def told_nobody(*command: str) -> tuple[int, str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "niah", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    return process.wait(), told


def test_a_command_that_is_read_no_further_ends_well(in_folder: Path) -> None:
    assert told_nobody("generate", "single") == (0, "")  # cases are written as bytes
    Path("wrong.jsonl").write_text(WRONG)
    assert told_nobody("questions", "check", "wrong.jsonl") == (2, "")
    command = f"exec {sys.executable} -m niah questions check wrong.jsonl >&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "")
    assert Path("wrong.jsonl").read_text() == WRONG


# A run that is at something which cannot be broken off, and says how it ends.
BUSY = """
import asyncio, signal, time
from niah.cli.terminal import handle_interrupts
from niah.event_loop import run_to_end

async def work():
    print("begun", flush=True)
    try:
        await asyncio.sleep(60)
    finally:
        print("cleaning up", flush=True)
        time.sleep({cleaning_s})
        print("cleaned up", flush=True)

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)  # whoever runs the tests may ignore some, as shells do behind an &
handle_interrupts()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
IN_A_LOOP = "run_to_end(work())"
PLAIN = "print('begun', flush=True); time.sleep(3600)"


def start(call: str, cleaning_s: float) -> subprocess.Popen[str]:
    program = BUSY.format(call=call, cleaning_s=cleaning_s)
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


@pytest.mark.parametrize(
    ("call", "stop", "left"),
    [
        (IN_A_LOOP, signal.SIGTERM, "cleaning up\ncleaned up\n"),
        (IN_A_LOOP, signal.SIGHUP, "cleaning up\ncleaned up\n"),
        (PLAIN, signal.SIGTERM, ""),
    ],
)
def test_the_first_lets_it_clean_up(call: str, stop: signal.Signals, left: str) -> None:
    process = start(call, 0.0)
    process.send_signal(stop)
    said, _ = process.communicate(timeout=300)
    assert said == f"{left}interrupted\n"
    assert process.returncode == 0


def test_the_second_ends_it_at_once() -> None:
    process = start(IN_A_LOOP, 3600.0)
    assert process.stdout is not None
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "cleaning up\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130
    assert said == "\nniah: stopped at once.\n"


@pytest.mark.parametrize("module", ["click", "niah.cli.terminal"])
def test_while_niah_itself_is_imported_there_is_no_traceback(module: str) -> None:
    program = f"""
import sys
class Interrupted:
    def find_spec(self, name, *_):
        if name == "{module}":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
sys.argv = ["niah", "list", "suites"]
from niah.cli.main import entry
entry()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "niah: stopped.\n")


SCRIPT = """
    eval "$(niah completion bash)"
    complete -p niah
    COMP_WORDS=(niah report ton) COMP_CWORD=2 && _niah_completion niah && echo "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes(tmp_path: Path) -> None:
    for name in ("tonight.sqlite", "mine.yaml", "text.sqlite"):
        (tmp_path / "runs" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "runs" / name).write_text("")
    command = tmp_path / "niah"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m niah "$@"\n')
    command.chmod(0o755)
    root = str(Path(__file__).resolve().parents[2])
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": root}
    shell = ["bash", "--norc", "-c", SCRIPT]
    done = subprocess.run(shell, capture_output=True, text=True, check=True, env=environment, cwd=tmp_path)
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first.endswith("-F _niah_completion niah")
    assert second == "tonight"
