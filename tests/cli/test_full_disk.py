"""A disk that is full: one line that names what found no room, exit code 2, and nothing lost."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.runs.file.read import read_run
from niah.runs.trial import rows_of
from tests.conftest import SimulatedServer
from tests.plots.simulated_run import Size, write_run

SIZE = Size(lengths=(512,), depths=(0,), readers=("simulated",))
SUITE = """\
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [512]
depths: [0, 50, 100]
seeds: [1, 2, 3, 4]
"""
TRIALS = 24


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB, where this machine lets one be mounted."""
    folder, mount = tmp_path / "disk", shutil.which("mount") or "false"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=1m", "tmpfs"]
    if subprocess.run([mount, *options, folder], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk: Path, left: int = 0) -> Path:
    """Leave room for so many bytes; the file that takes the rest."""
    filling = disk / "filling"
    filling.write_bytes(bytes(max(0, shutil.disk_usage(disk).free - left)))
    assert shutil.disk_usage(disk).free <= left + 4096
    return filling


def complaint(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """The one line that a command ends with; nothing but a bar's lines before it."""
    assert main(list(args)) == 2
    *before, last = capsys.readouterr().err.splitlines()
    assert not [line for line in before if line.startswith("niah:")]
    return last


def test_a_run_file_is_read_where_the_disk_is_full(
    small_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = small_disk / "night.sqlite"
    write_run(path, SIZE, dict.fromkeys(range(6), "347 lanterns"))
    whole = read_run(path)
    fill(small_disk)
    there = sorted(small_disk.iterdir())
    assert read_run(path).trials.equals(whole.trials)
    assert main(["show", str(path)]) == 0
    assert "outcomes: scored 6" in capsys.readouterr().out
    assert sorted(small_disk.iterdir()) == there


def test_a_run_file_that_is_being_written_is_not_taken_for_one_at_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "night.sqlite"
    write_run(path, SIZE, {0: "347 lanterns"})
    full = shutil.disk_usage(tmp_path)._replace(free=0)
    monkeypatch.setattr("niah.runs.file.store.disk_usage", lambda folder: full)
    writer = sqlite3.connect(path)
    writer.execute("UPDATE trials SET answer = '12 gates'")
    writer.commit()  # which stands in the log beside the file
    assert {*read_run(path).trials["answer"]} == {"12 gates"}
    writer.close()


@pytest.mark.usefixtures("without_figures")
def test_a_run_goes_on_where_a_disk_filled_up_in_its_middle(
    small_disk: Path,
    in_folder: Path,
    simulated_server: SimulatedServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("suite.yaml").write_text(SUITE)
    address = simulated_server.base_url
    Path("mine.yaml").write_text(
        f"suite: suite.yaml\nstrategies: [lc]\nreaders: [{{model: simulated, api_base: '{address}'}}]\n"
    )
    path = small_disk / "mine.sqlite"
    filling = fill(small_disk, 240 * 1024)
    told = complaint(capsys, "run", "mine.yaml", "--out", str(path), "--concurrency", "1")
    assert told == f"niah: {path}: no space left on the disk. Make room; what is finished is kept."
    finished = {one.trial_id for one in rows_of(read_run(path).trials) if one.outcome == "scored"}
    assert 0 < len(finished) < TRIALS
    asked = len(simulated_server.prompts)
    filling.unlink()
    assert main(["run", "mine.yaml", "--out", str(path), "--concurrency", "1"]) == 0
    # Answers that came while the disk was full are kept in the cache.
    assert 0 < len(simulated_server.prompts) - asked <= TRIALS - len(finished)
    run = read_run(path)
    assert run.whole
    assert finished < {*run.trials["trial_id"]}


@pytest.mark.parametrize(
    ("command", "left", "named"),
    [
        ("report night.sqlite --out {disk}/page", 0, "{disk}/page/"),
        ("report night.sqlite --out {disk}/page", 100_000, "{disk}/page/"),
        ("export night.sqlite --out {disk}/x.jsonl", 0, "{disk}/x.jsonl: "),
        ("schema --out {disk}/schemas", 0, "{disk}/schemas/"),
        ("generate single --with-context --out {disk}/x.jsonl", 20_000, "{disk}/x.jsonl: "),
    ],
)
def test_what_finds_no_room_is_named(
    small_disk: Path,
    in_folder: Path,
    command: str,
    left: int,
    named: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_run(Path("night.sqlite"), SIZE, dict.fromkeys(range(6), "347 lanterns"))
    (small_disk / "x.jsonl").write_text("as it was")
    fill(small_disk, left)
    told = complaint(capsys, *command.format(disk=small_disk).split())
    assert told.startswith(f"niah: {named.format(disk=small_disk)}")
    assert told.endswith(" a run goes on from its finished trials.")
    assert ": no space left on the disk. Make room" in told
    assert (small_disk / "x.jsonl").read_text() == "as it was"


def exit_code(*args: str, out: bool = False, err: bool = False) -> tuple[int, str]:
    """Of a process whose standard output or error is full; and what it could say."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "niah", *args],
            stdout=full if out else subprocess.PIPE,
            stderr=full if err else subprocess.PIPE,
            text=True,
        )
    return done.returncode, (done.stdout or "") + (done.stderr or "")


@pytest.mark.parametrize("command", ["list readers", "generate single"])  # words, and bytes
def test_standard_output_is_named(command: str) -> None:
    code, told = exit_code(*command.split(), out=True)
    assert code == 2
    assert told.startswith("niah: standard output: no space left on the disk. Make room, and")
    assert told.count("\n") == 1


def test_words_beside_the_work_stop_no_work() -> None:
    assert exit_code("list", "nothing-of-it", err=True) == (2, "")
    assert exit_code("list", "readers", out=True, err=True) == (2, "")
    assert exit_code("retrieve", "single", "--strategies", "bm25/top-5/norm", "--json", err=True)[0] == 0
