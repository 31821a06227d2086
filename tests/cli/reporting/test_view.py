"""``niah view``: started, asked, ended."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from niah.cli.main import main
from tests.plots.html.simulated_run import Size, write_run

SMALL = Size(lengths=(512,), depths=(0,), sets=("ferry-lanterns",), strategies=("lc",))


def test_it_serves_until_it_is_stopped_and_writes_nothing(tmp_path: Path) -> None:
    write_run(tmp_path / "small.sqlite", SMALL)
    before = sorted(tmp_path.iterdir())
    command = [sys.executable, "-m", "niah", "view", "small.sqlite", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        line = process.stdout.readline()
        address = line.split(" at ")[1].split()[0]
        with urlopen(address, timeout=60) as reply:
            assert "2 trials" in reply.read().decode()
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "niah: no longer shown.\n"
    assert process.returncode == 0
    assert sorted(tmp_path.iterdir()) == before


def test_a_run_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["view", "smal"]) == 2
    assert capsys.readouterr().err.startswith("niah: no run file called 'smal'")
    (tmp_path / "notes.txt").write_text("no run file")
    assert main(["view", "notes.txt"]) == 2
    assert capsys.readouterr().err.startswith("niah: notes.txt is not a run file of niah")
    assert main(["view", "--port", "70000"]) == 2
    assert "--port: 70000 is not in the range" in capsys.readouterr().err
