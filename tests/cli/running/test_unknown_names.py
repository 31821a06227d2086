"""A name that stands for nothing, or a number that is none: what is said, in a line that can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cli.main import main
from niah.errors import did_you_mean


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert main(list(command)) == 2
    return capsys.readouterr().err


def with_needle_set(name: str) -> None:
    Path("mine.yaml").write_text(
        f"{{haystacks: [essays], needle_sets: [{name}], lengths: [512], depths: [0]}}"
    )


def test_a_word_of_a_name_is_near(capsys: pytest.CaptureFixture[str]) -> None:
    with_needle_set("ferry")
    line = said(capsys, "generate", "mine.yaml")
    assert line.endswith("no needle set called 'ferry'. Did you mean 'ferry-lanterns'?\n")


def test_of_many_names_a_few_are_told_and_what_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    with_needle_set("zzz")
    line = said(capsys, "generate", "mine.yaml")
    assert "Known: " in line
    assert line.endswith(" more: niah list needle-sets.\n")
    assert len(line) < 300


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("thr", "Did you mean 'three-gates'?"),
        ("th", "Known: gates-old, school-bell, three-gates."),
        ("old", "Did you mean 'gates-old'?"),
        ("three-gatse", "Did you mean 'three-gates'?"),
        ("thre-gates", "Did you mean 'three-gates'?"),
        ("OLD", "Did you mean 'gates-old'?"),
        ("", "Known: gates-old, school-bell, three-gates."),
    ],
)
def test_which_names_are_near(name: str, meant: str) -> None:
    assert did_you_mean(name, ["three-gates", "gates-old", "school-bell"]) == meant


def test_short_names_are_words_of_others_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert did_you_mean("F1", ["squad-f1", "token-f1", "rouge-l"]) == "Did you mean 'squad-f1' or 'token-f1'?"
    assert did_you_mean("f", ["squad-f1", "f-one"]) == "Known: f-one, squad-f1."
    for name in ("version", "help"):
        assert said(capsys, name).endswith(f"no command called '{name}'. Did you mean 'niah --{name}'?\n")


def test_a_number_that_is_none_is_told_in_plain_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'x' is no whole number." in said(capsys, "run", "quick", "--limit", "x")


def test_where_run_files_were_looked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = said(capsys, "report", "nothere")
    assert (
        f"no run file called 'nothere'. {tmp_path / 'runs'} holds none: go to the folder of the run" in line
    )


def test_numbers_are_listed_by_value_and_names_by_the_alphabet() -> None:
    assert did_you_mean("7", ["4096", "512", "1024"]) == "Known: 512, 1024, 4096."
    assert did_you_mean("zzz", ["b", "512", "1024"]) == "Known: 1024, 512, b."
