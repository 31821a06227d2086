"""The notebook that ships, executed in a kernel of its own against a model on this machine."""

from __future__ import annotations

import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.conftest import SimulatedServer

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


def test_it_has_at_most_twelve_lines() -> None:
    lines = [
        line
        for cell in shipped().cells
        if cell.cell_type == "code"
        for line in cell.source.splitlines()
        if line
    ]
    assert 4 <= len(lines) <= 12


def test_it_runs(simulated: SimulatedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", simulated.base_url)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    notebook = shipped()
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    cells = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    assert re.search(r"(\d+) of \1 trials scored", shown(cells["run"], "text/html"))
    assert "trials" in shown(cells["run"], "progress")
    assert "bm25/top-5/norm" in shown(cells["frame"], "text/html")
    assert shown(cells["heatmap"], "image/png").startswith("iVBOR")
    level = "Neither openai/gpt-4o-mini nor openai/gpt-4o is clearly better"
    assert level in shown(cells["compare"], "text/html")
    assert (tmp_path / "runs").is_dir()


def shipped() -> nbformat.NotebookNode:
    notebook: nbformat.NotebookNode = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    return notebook


def shown(outputs: list[nbformat.NotebookNode], kind: str) -> str:
    """What a cell shows last in that form; its progress is what it shows before that."""
    results = [output for output in outputs if output.output_type in ("execute_result", "display_data")]
    if kind == "progress":
        return "".join(str(each) for each in outputs if each is not results[-1])
    return str(results[-1].data[kind])
