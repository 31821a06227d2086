"""A process of niah: imports, signals, event loops, output that nobody reads, and what bash completes."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from niah.event_loop import run_to_end

SLOW = {"litellm", "sentence_transformers", "sklearn", "matplotlib", "numba", "torch", "openai"}
HEAVY = SLOW | {"numpy", "pandas", "pydantic", "yaml", "rich", "jinja2", "tokenizers", "huggingface_hub"}


MODULES = """
import sys
from niah.cli.main import main
for command in sys.argv[1:]:
    main(command.split())
print(*sys.modules, file=sys.stderr)
"""


def modules_of(*commands: str) -> set[str]:
    """What whole commands have imported by their end, by the names that ``import`` takes."""
    command = [sys.executable, "-c", MODULES, *commands]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.usefixtures("in_folder")
def test_help_a_typo_and_a_missing_key_wait_for_nothing_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = modules_of("--help")
    assert "click" in loaded
    assert not loaded & HEAVY
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    wrong = ("run nosuch", "plan nosuch", "run quick --model openai/x", "run quick --model anthropic/x")
    assert not modules_of(*wrong) & SLOW


WRONG = '{"id": "seal", "question": "Who signs?"}\n'


def begun(*words: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *words], stdout=pipe, stderr=pipe, text=True)


def told_nobody(*command: str) -> tuple[int, str]:
    process = begun("-m", "niah", *command)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, told = process.communicate(timeout=300)
    return process.returncode, told


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
    process = begun("-c", BUSY.format(call=call, cleaning_s=cleaning_s))
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
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "niah: stopped.\n")


SCRIPT = """
    eval "$(_NIAH_COMPLETE=bash_source niah)"
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


def test_within_a_running_loop_errors_pass_and_an_interrupt_cancels_and_waits() -> None:
    told: list[str] = []
    begun = threading.Event()

    async def long() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.01)
            told.append("cleaned up")
            raise

    async def wrong() -> int:
        return 8 // 0

    async def cell() -> None:
        with pytest.raises(ZeroDivisionError):
            run_to_end(wrong())
        with pytest.raises(KeyboardInterrupt):
            run_to_end(long())
        assert told == ["cleaned up"]

    def interrupt() -> None:
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    # Who starts tests in the background may have it ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    # As notebooks do: asyncio.run would take the signal for itself.
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(cell())
    finally:
        loop.close()
        signal.signal(signal.SIGINT, before)
