"""Signals as a process hears them: the first ends a command in order, the second at once."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

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
