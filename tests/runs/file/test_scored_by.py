from pathlib import Path

import pytest

from niah.errors import RunFileError
from niah.runs.file.scored_by import read_scored_by
from tests.plots.html.simulated_run import Size, write_run

SIZE = Size(lengths=(512,), depths=(0,), readers=("simulated",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "night.sqlite"
    write_run(path, SIZE, {0: "347 lanterns"})
    return path


@pytest.mark.parametrize(
    ("judge", "problem", "remedy"),
    [
        ("squad-f1", "no verdict of squad-f1. It has", "niah judge {path} --judge squad-f1 adds them"),
        ("openai/gpt-4o", "of openai/gpt-4o. It has", "niah judge {path} --judge openai/gpt-4o adds them"),
        ("rubrik", "no judge is called that", "Did you mean 'rubric'? See: niah list judges."),
        ("squad-f2", "no judge is called that", "Did you mean 'squad-f1'? See: niah list judges."),
        ("nosuch", "no judge is called that", "Take rubric, or let another judge it: niah judge {path}."),
        ("", "no verdict of ''", "Take rubric, or let another judge it: niah judge {path}."),
    ],
)
def test_a_judge_of_no_verdict_is_told_with_a_remedy_that_works(
    path: Path, judge: str, problem: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(RunFileError) as raised:
        read_scored_by(path, judge)
    assert problem in raised.value.message
    assert "It has those of rubric." in raised.value.message
    assert raised.value.remedy.startswith(remedy.format(path=path))
    assert ("--judge" in raised.value.remedy) == ("adds them" in remedy)
