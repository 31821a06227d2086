"""Figures of large runs are drawn by two processes: the same figures, whatever becomes of the second."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from niah.analysis.frame import trial_frame
from niah.plots import drawing
from niah.plots.drawing import Help, Job, draw_figures
from tests.plots.figures.worlds import single


def drawn(folder: Path) -> dict[str, bytes]:
    """In the report's order."""
    records, samples = single()
    return {one.name: one.svg.read_bytes() for one in draw_figures(trial_frame(records, samples), folder)}


@pytest.mark.parametrize("helper", ["niah.plots.drawing_helper", "niah.plots.no_such_helper"])
def test_two_processes_draw_what_one_draws(
    helper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = drawn(tmp_path / "alone")
    monkeypatch.setattr(drawing, "_WORTH_HELP", 1)
    monkeypatch.setattr(drawing, "_processors", lambda: 2)
    monkeypatch.setattr(drawing, "_HELPER", helper)
    helped = drawn(tmp_path / "helped")
    assert list(helped) == list(alone)
    assert helped == alone


def test_the_helper_answers_each_name_with_its_figures(tmp_path: Path) -> None:
    alone = drawn(tmp_path / "alone")
    asked = (Job(trial_frame(*single()), tmp_path / "helped", ()), "error-types", "score-by-length")
    command = [sys.executable, "-m", "niah.plots.drawing_helper"]
    done = subprocess.run(command, input=b"".join(map(pickle.dumps, asked)), check=True, capture_output=True)
    answers = io.BytesIO(done.stdout)
    first, second = pickle.load(answers), pickle.load(answers)
    assert isinstance(first, Help)
    assert [one.name for one in first.saved + second.saved] == ["error-types", "score-by-length"]
    assert {one.name: one.svg.read_bytes() for one in first.saved} == {"error-types": alone["error-types"]}
    assert not answers.read()
