"""``niah generate`` where a suite asks for what cannot be, or the disk is full."""

from __future__ import annotations

import resource
import subprocess
import sys
from compileall import compile_dir
from pathlib import Path

import pytest

import niah
from niah.cli.main import main

# Room for prompt and needles is from about 200 tokens on; the essays hold far fewer than nine million.
SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [64, 512, 9000000]
depths: [0, 50, 100]
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


def present() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def generate_with_room(room: int, *options: str) -> subprocess.CompletedProcess[str]:
    """``niah generate`` in a process of its own, whose files may hold ``room`` bytes each."""
    compile_dir(Path(niah.__file__).parent, quiet=2)  # or Python would store modules cut off at the limit
    command = [sys.executable, "-m", "niah", "generate", "mine.yaml", "--with-context", *options]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )


def test_a_full_disk_is_named_and_leaves_the_file_as_it_was() -> None:
    Path("mine.yaml").write_text(SUITE.replace("64, 512, 9000000", "512"))
    assert main(["generate", "mine.yaml", "--with-context", "--out", "o.jsonl"]) == 0
    whole = Path("o.jsonl").read_bytes()
    done = generate_with_room(len(whole) // 2, "--out", "o.jsonl")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "o.jsonl: no space left on the disk." in done.stderr
    assert Path("o.jsonl").read_bytes() == whole
    assert present() == ["mine.yaml", "o.jsonl"]


def test_a_device_that_is_full_is_named() -> None:
    Path("mine.yaml").write_text(SUITE.replace("64, 512, 9000000", "512"))
    command = [sys.executable, "-m", "niah", "generate", "mine.yaml"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "standard output: no space left on the disk." in done.stderr
    assert main(["generate", "mine.yaml", "--out", "/dev/full"]) == 2
