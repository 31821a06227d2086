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
from niah.plots.drawing import Help, Helper, Job, drawing_helper, start_drawing
from tests.plots.figures.worlds import single


def drawn(folder: Path, helper: Helper | None = None) -> dict[str, bytes]:
    """In the report's order."""
    drawing = start_drawing(trial_frame(*single()), folder, helper=helper)
    return {one.name: one.svg.read_bytes() for one in drawing.finish()}


@pytest.mark.parametrize("helper", ["niah.plots.drawing_helper", "niah.plots.no_such_helper"])
def test_two_processes_draw_what_one_draws(
    helper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = drawn(tmp_path / "alone")
    monkeypatch.setattr(drawing, "processors", lambda: 2)
    monkeypatch.setattr(drawing, "_HELPER", helper)
    with drawing_helper(drawing._WORTH_HELP) as other:
        assert other
        helped = drawn(tmp_path / "helped", other)
    assert list(helped) == list(alone)
    assert helped == alone


def test_a_small_run_starts_no_other_process() -> None:
    with drawing_helper(drawing._WORTH_HELP - 1) as other:
        assert other is None


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
