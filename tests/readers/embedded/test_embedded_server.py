"""The child process on its own, and without its parent."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from subprocess import PIPE

import pytest

# A parent that starts the child as the reader does, says who it is, and hangs.
PARENT = """
import asyncio, sys
from pathlib import Path
from niah.readers.embedded.server_process import ServerProcess
async def main():
    server = await ServerProcess.start(Path(sys.argv[1]), "m", 512)
    print(server._process.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


def _gone(pid: int, within_s: float = 120.0) -> bool:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text():
            return True  # dead; whoever adopted it has not yet collected it
        time.sleep(0.05)
    return False


def _command(model: Path, *more: str) -> list[str]:
    served = ["--model", str(model), "--alias", "tiny", *more]
    return [sys.executable, "-m", "niah.readers.embedded.embedded_server", *served]


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM])
def test_the_child_dies_with_its_parent(smollm2: Path, signal_number: int) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(smollm2)], stdout=subprocess.PIPE, text=True)
    with parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        os.kill(child, 0)
        parent.send_signal(signal_number)
        parent.wait()
        assert _gone(child)


def test_says_where_it_serves_and_ends_with_stdin(smollm2: Path) -> None:
    command = _command(smollm2, "--ctx", "512")
    with subprocess.Popen(command, text=True, stdin=PIPE, stdout=PIPE, stderr=PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        ready = json.loads(child.stdout.readline())
        assert ready["base_url"].startswith("http://127.0.0.1:")
        assert ready["context"] == 512
        models = f"{ready['base_url']}/models"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        headers = {"authorization": f"Bearer {ready['api_key']}"}
        served = json.load(opener.open(urllib.request.Request(models, headers=headers)))
        assert [model["id"] for model in served["data"]] == ["tiny"]
        with pytest.raises(urllib.error.HTTPError, match="401"):
            opener.open(f"{ready['base_url']}/props")
        child.stdin.close()
        assert child.wait(10) == 0
        assert child.stdout.read() == ""
        assert child.stderr.read().count("\n") <= 1, "quiet but for the error of the rejected request"


def test_without_ctx_the_window_is_the_models_own(smollm2: Path) -> None:
    with subprocess.Popen(_command(smollm2), stdin=PIPE, stdout=PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert json.loads(child.stdout.readline())["context"] == 8192
        child.stdin.close()
