"""Examples and pages for users, followed line by line in an empty folder, and the site that they make."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import niah
from niah.cli.main import main
from niah.files import shipped
from tests.conftest import SimulatedServer

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES, DOCS = ROOT / "examples", ROOT / "docs"
PLUGIN = "niah.api.gate"
ADDRESS = "http://127.0.0.1:8000/v1"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/README.md"))

# What a line must have left behind, next to its exit code.
LEAVES = {"nightly": "plots/*/verdict.xml", "own-documents": "plots/*/*/*.png", "notebook": "runs/*.sqlite"}


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
    )
    assert done.returncode == 0, done.stdout + done.stderr
    if name in LEAVES:
        assert list(folder.glob(LEAVES[name]))
    assert name != "notebook" or "image/png" in (folder / "look.ipynb").read_text()
    assert name != "pytest-gate" or "1 passed" in done.stdout


SERVERS = re.compile(r"http://127\.0\.0\.1:800\d/v1")
BLOCKS = re.compile(r'```(\w+)(?: title="([^"]+)")?\n(.*?)```', re.DOTALL)
"""Language, the file that the block is, and what stands in it."""


@pytest.fixture
def own_documents(in_folder: Path) -> None:
    """The reader's folder, with some documents in ``docs``."""
    (in_folder / "docs").mkdir()
    for essay in sorted(shipped("haystacks/essays").glob("a-*.md")):
        shutil.copy(essay, in_folder / "docs")


def follow(
    page: str, server: SimulatedServer, capsys: pytest.CaptureFixture[str], start: str = "# ", end: str = "\0"
) -> None:
    """Write the files of a page and run its commands in their order, from one heading up to another."""
    text = SERVERS.sub(server.base_url, (DOCS / page).read_text())
    text = text.replace("niah run engine", "niah run engine --lengths 4k --seeds 1-5")  # not 4M tokens
    text = text[text.index(start) :].partition(end)[0]
    lines = []
    for language, file, content in BLOCKS.findall(text):
        if file:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(content)
        elif language == "sh":
            whole = content.replace("\\\n", " ").splitlines()
            lines = [line for line in whole if line.startswith("niah ")]
            for line in lines:
                code = main(shlex.split(line, comments=True)[1:])
                assert code == 0, f"{line}: {code}\n{capsys.readouterr().err}"
    assert lines


@pytest.mark.usefixtures("own_documents")
@pytest.mark.parametrize(("page", "start"), [("quickstart.md", "## Ask your own"), ("engine-teams.md", "# ")])
def test_every_line_of_a_page_works(
    page: str, start: str, simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    follow(page, simulated_server, capsys, start)
    if page == "engine-teams.md":
        assert Path("plots/before--after/figures/difference-heatmap.svg").is_file()


@pytest.mark.usefixtures("own_documents")
def test_a_first_night(simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]) -> None:
    follow("nightly.md", simulated_server, capsys, "# Nightly", "## Seeds")
    (verdict,) = Path("plots").glob("tonight-*/verdict.md")
    assert verdict.read_text().strip()


@pytest.mark.usefixtures("own_documents")
def test_questions_over_own_documents_from_folder_to_report(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    follow("suites-and-questions.md", simulated_server, capsys, "## A grid", "## Published datasets")
    trials = niah.load_run("manual").frame()
    assert sorted(trials["document_id"].unique()) == ["crane", "kiln", "pump"]
    assert set(trials["outcome"]) == {"scored"}
    found = trials[trials["strategy"] == "bm25/top-1/document@40"]["retrieval_completeness"]
    assert found.notna().all()
    assert found.mean() > 0.5
    page = Path("plots/manual/index.html").read_text()
    assert "fewer than 5 clusters" in page


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_there(site: Path) -> None:
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert pages <= {path.stem for path in site.glob("*.html")}


def test_no_page_asks_another_host(site: Path) -> None:
    for page in site.glob("*.html"):
        asked = re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(https?:[^"]+)"', page.read_text())
        assert asked == [], page.name
