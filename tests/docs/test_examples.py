"""Each example, copied into an empty folder and followed line by line against a real endpoint."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import SimulatedServer

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
PLUGIN = "niah.api.gate"
ADDRESS = "http://127.0.0.1:8000/v1"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/README.md"))

# What a line must have left behind, next to its exit code.
LEAVES = {
    "nightly": "plots/tonight-*/verdict.xml",
    "own-documents": "plots/*/figures/*.png",
    "notebook": "runs/*.sqlite",
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_every_example_is_listed() -> None:
    assert sorted(re.findall(r"^\| \[(\S+)\]", (EXAMPLES / "README.md").read_text(), re.MULTILINE)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_line_works(name: str, tmp_path: Path, simulated_server: SimulatedServer) -> None:
    folder = tmp_path / name
    shutil.copytree(EXAMPLES / name, folder, ignore=shutil.ignore_patterns("__pycache__"))
    port = str(free_port())
    for path in (path for path in folder.rglob("*") if path.suffix in {".md", ".yaml", ".py", ".ipynb"}):
        text = path.read_text().replace(ADDRESS, simulated_server.base_url)
        path.write_text(re.sub(r"\b9000\b", port, text))
    commands = tmp_path / "bin"
    commands.mkdir()
    for command, module in (
        ("niah", "niah"),
        ("pytest", f"pytest -p {PLUGIN} -p no:cacheprovider"),
        ("jupyter", "jupyter"),
        ("python", ""),
    ):
        words = f'"{sys.executable}" -m {module}' if module else f'"{sys.executable}"'
        (commands / command).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        (commands / command).chmod(0o755)
    script = "\n".join(re.findall(r"```sh\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL))
    done = subprocess.run(
        ["bash", "-c", f"set -e; trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{script}"],
        cwd=folder,
        # The plugin by its name, in this source tree, whatever is installed.
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PATH": f"{commands}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    if name in LEAVES:
        assert list(folder.glob(LEAVES[name]))
    assert name != "notebook" or "image/png" in (folder / "look.ipynb").read_text()
    assert name != "pytest-gate" or "1 passed" in done.stdout
