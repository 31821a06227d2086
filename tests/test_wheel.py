"""What ships also works from an installed wheel, in an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def niah(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the unpacked wheel's command line; -P and PYTHONPATH put it before any source tree."""
    command = [sys.executable, "-P", "-m", "niah", *arguments]
    return subprocess.run(command, cwd=folder, env=environment(site), capture_output=True, text=True)


def environment(site: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(site)}


def test_it_is_the_wheel_that_is_tried(unpacked: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-c", "import niah; print(niah.__file__)"]
    where = subprocess.run(
        command, cwd=tmp_path, env=environment(unpacked), capture_output=True, text=True, check=True
    )
    assert Path(where.stdout.strip()).is_relative_to(unpacked)


def test_the_wheel_holds_what_ships_and_nothing_generated(unpacked: Path) -> None:
    data = unpacked / "niah" / "data"
    assert {path.name for path in data.iterdir()} == {"haystacks", "needles", "cases", "runs", "plots"}
    assert (data / "cases" / "prompts" / "u-niah.jinja").is_file()
    suffixes = {path.suffix for path in data.rglob("*") if path.is_file()}
    assert suffixes <= {".md", ".yaml", ".jinja", ".txt", ".json", ".jsonl", ".png"}
    assert any(unpacked.glob("niah_bench-*.dist-info/licenses/LICENSE"))
    assert (unpacked / "niah" / "py.typed").is_file()


def test_pytest_finds_the_gate_of_the_installed_wheel(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "test_gate.py").write_text("def test_gate(niah_gate): ...\n")
    command = [sys.executable, "-P", "-m", "pytest", "-rs", "-p", "no:cacheprovider", "--niah", "."]
    done = subprocess.run(command, cwd=tmp_path, env=environment(unpacked), capture_output=True, text=True)
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_the_wheel_holds_every_file_of_the_package(unpacked: Path) -> None:
    """Templates, scripts, prompts and published numbers too, which no import would miss."""
    files = (
        path for path in (ROOT / "niah").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
    assert [path for path in files if not (unpacked / path.relative_to(ROOT)).is_file()] == []


def test_it_works_in_an_empty_folder(unpacked: Path, tmp_path: Path) -> None:
    done = niah(unpacked, tmp_path, "generate", "quick", "--audit", "--out", "cases.jsonl")
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "cases.jsonl").read_text().splitlines()) == 15
    assert "pizza-ingredients" in niah(unpacked, tmp_path, "list", "needle-sets").stdout


def test_it_runs_and_reports_in_an_empty_folder(unpacked: Path, tmp_path: Path) -> None:
    done = niah(unpacked, tmp_path, "run", "quick", "--limit", "2")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "runs" / "quick.sqlite").is_file()
    assert (tmp_path / "plots" / "quick" / "index.html").is_file()
    done = niah(unpacked, tmp_path, "report", "quick", "--out", "report", "--reference", "u-niah")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report" / "index.html").is_file()
    assert (tmp_path / "report" / "tables" / "outcomes.csv").is_file()
