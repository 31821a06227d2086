"""Figures of large runs are drawn by two processes: the same figures, whatever becomes of the second."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from niah.analysis.frame import trial_frame
from niah.api import report
from niah.errors import UserError
from niah.plots.drawing import Drawing, Help, Job, start_drawing
from niah.plots.helper import helper_process
from niah.plots.helper.helper_process import Ahead, Helper, drawing_helper
from niah.plots.helper.score_frame import SCORE_COLUMNS, frame_digest, score_frame
from niah.plots.kit.theme import themed
from niah.plots.registry import OF_SCORES, rendered_figures
from niah.runs.file.read_model import read_run
from tests.plots.figures.worlds import single, ugly
from tests.plots.html.simulated_run import Size, write_run

if TYPE_CHECKING:
    from pandas import DataFrame


def files(drawing: Drawing) -> dict[str, bytes]:
    """In the report's order."""
    return {one.name: one.svg.read_bytes() for one in drawing.finish()}


def drawn(folder: Path, helper: Helper | None = None) -> dict[str, bytes]:
    return files(start_drawing(trial_frame(*single()), folder, helper=helper))


@pytest.fixture
def _helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper_process, "processors", lambda: 2)
    monkeypatch.setattr(helper_process, "_WORTH_HELP", 0)


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run.sqlite"
    write_run(path, Size())
    return path


def frame_of(path: Path, *, changed: bool = False) -> DataFrame:
    """Of a run file, or of one with another first score."""
    run = read_run(path)
    records = list(run.records)
    if changed:
        at = next(at for at, record in enumerate(records) if record.score == 10)
        records[at] = replace(records[at], score=1.0)
    return trial_frame(records, run.samples, run.traits)


@pytest.mark.usefixtures("_helps")
@pytest.mark.parametrize("helper", ["niah.plots.helper.drawing_helper", "niah.plots.no_such_helper"])
def test_two_processes_draw_what_one_draws(
    helper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = drawn(tmp_path / "alone")
    monkeypatch.setattr(helper_process, "_HELPER", helper)
    with drawing_helper([]) as other:
        assert other
        helped = drawn(tmp_path / "helped", other)
    assert list(helped) == list(alone)
    assert helped == alone


@pytest.mark.usefixtures("_helps")
@pytest.mark.parametrize("helper", ["niah.plots.helper.drawing_helper", "niah.plots.no_such_helper"])
@pytest.mark.parametrize("changed", [False, True])
def test_figures_drawn_ahead_are_those_of_what_was_read(
    helper: str, changed: bool, run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And are drawn again where the file was another by then."""
    frame = frame_of(run_file, changed=changed)
    alone = files(start_drawing(frame, tmp_path / "alone"))
    monkeypatch.setattr(helper_process, "_HELPER", helper)
    with drawing_helper([run_file], tmp_path / "helped") as other:
        helped = files(start_drawing(frame, tmp_path / "helped", helper=other))
    assert list(helped) == list(alone)
    assert helped == alone


@pytest.mark.usefixtures("_helps")
@pytest.mark.parametrize("was_there", [False, True])
def test_a_run_that_turns_out_to_be_none_leaves_no_figures(
    was_there: bool, run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "report"
    if was_there:
        (folder / "figures").mkdir(parents=True)

    def fails(*arguments: object) -> NoReturn:
        for _ in range(600):
            if list(folder.rglob("*.svg")):
                raise UserError("this run is none.", "Give another.")
            time.sleep(0.1)
        pytest.fail("the helper has drawn nothing ahead")

    monkeypatch.setattr(report, "_with_trials", fails)
    with pytest.raises(UserError, match="none"):
        report.report_runs([run_file], folder)
    assert folder.exists() is was_there


def test_figures_ahead_need_no_other_columns() -> None:
    whole = trial_frame(*ugly())
    with themed():
        every, few = (
            [(one.name, one.title, one.caption, one.rows) for one in rendered_figures(frame, (), OF_SCORES)]
            for frame in (whole, whole[list(SCORE_COLUMNS)])
        )
    assert len(every) >= 10
    assert few == every


def test_scores_read_alone_are_the_runs(run_file: Path) -> None:
    read, whole = frame_digest(score_frame([run_file])), frame_digest(frame_of(run_file))
    assert read == whole
    assert frame_digest(frame_of(run_file, changed=True)) != whole


def test_a_small_run_starts_no_other_process(run_file: Path) -> None:
    with drawing_helper([run_file, run_file.with_name("none.sqlite")]) as other:
        assert other is None


def test_the_helper_answers_each_name_with_its_figures(tmp_path: Path) -> None:
    alone = drawn(tmp_path / "alone")
    asked = (None, Job(trial_frame(*single()), tmp_path / "helped", ()), "error-types", "score-by-length")
    answers = io.BytesIO(answered(asked))
    first, second = pickle.load(answers), pickle.load(answers)
    assert isinstance(first, Help)
    assert [one.name for one in first.saved + second.saved] == ["error-types", "score-by-length"]
    assert {one.name: one.svg.read_bytes() for one in first.saved} == {"error-types": alone["error-types"]}
    assert not answers.read()


def test_a_file_that_is_none_has_nothing_ahead(tmp_path: Path) -> None:
    job = Job(trial_frame(*single()), tmp_path / "helped", ())
    ahead = Ahead((tmp_path / "none.sqlite",), tmp_path / "helped")
    answers = io.BytesIO(answered((ahead, job, "error-types")))
    assert pickle.load(answers) == ""
    assert [one.name for one in pickle.load(answers).saved] == ["error-types"]


def answered(asked: tuple[object, ...]) -> bytes:
    """What the helper says to these."""
    command = [sys.executable, "-m", "niah.plots.helper.drawing_helper"]
    done = subprocess.run(command, input=b"".join(map(pickle.dumps, asked)), check=True, capture_output=True)
    return done.stdout
