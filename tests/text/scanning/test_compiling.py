from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import niah
from niah.text.scanning.compiled import LOOPS
from niah.text.scanning.compiling import loops_for

_PACKAGE = Path(niah.__file__).parent

_FIRST = """
import sys, time
from niah.retrieval.mixpr.mixpr import MixPR
text = " ".join(f"The red fox {i} saw the hen {i * i % 977}." for i in range(30_000))
for _ in range(2):
    starts, ends = MixPR().best_spans("Who saw the hen?", text)
print(len(starts), "numba" in sys.modules)
"""


def test_every_compiled_loop_is_listed() -> None:
    using = {path for path in _PACKAGE.rglob("*.py") if "@compiled" in path.read_text()}
    assert {_PACKAGE.parent / f"{name.replace('.', '/')}.py" for name in LOOPS} == using


@pytest.mark.parametrize(("when", "loops"), [("now", True), ("never", False)])
def test_the_user_decides(when: str, loops: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIAH_COMPILE", when)
    assert loops_for(10, 1) is loops


@pytest.mark.slow
def test_a_first_call_waits_for_nothing_and_a_later_one_finds_the_loops(tmp_path: Path) -> None:
    before = {key: value for key, value in os.environ.items() if key != "NIAH_COMPILE"}
    environment = before | {"NUMBA_CACHE_DIR": str(tmp_path)}

    def call() -> str:
        command = [sys.executable, "-c", _FIRST]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    assert call() == "100 False\n"
    assert [path.name for path in tmp_path.glob("*/compiling")] == ["compiling"]
    limit = time.monotonic() + 240
    while not list(tmp_path.glob("*/compiled")):
        assert time.monotonic() < limit, "nobody compiled"
        time.sleep(0.2)
    assert call() == "100 True\n"
    assert not list(tmp_path.glob("*/compiling"))
