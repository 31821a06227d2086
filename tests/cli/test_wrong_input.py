"""Wrong input of the plain kinds: one line, exit code 2, nothing written."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.plots.html.simulated_run import Size, write_run

SIZE = Size(lengths=(512,), depths=(0,), readers=("simulated",))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_run(Path("run.sqlite"), SIZE, {0: "347 lanterns"})
    Path("bytes.sh").write_bytes(b"\xff\xfe--needle")
    for name in ("empty.yaml", "empty.sqlite", "text.txt"):
        Path(name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("run empty.yaml", "empty.yaml: is empty. Keys: description, suite, readers"),
        ("generate empty.yaml", "empty.yaml: is empty. Keys: description, haystacks"),
        ("needles check empty.yaml", "empty.yaml: is empty. Keys: description, kind"),
        ("run run.sqlite", "run.sqlite: is a database, such as a run file, and no YAML. niah show says"),
        ("needles check run.sqlite", "run.sqlite: is a database, such as a run file"),
        ("report empty.sqlite", "empty.sqlite is empty: no run was begun in it."),
        ("compare run.sqlite empty.sqlite", "empty.sqlite is empty: no run was begun in it."),
        ("view --port x", "--port: 'x' is no whole number."),
        ("history text.txt", "text.txt: a file, not a folder. Name the one that holds the run files"),
        ("run quick --reader-option temp=1", "no reader option called 'temp'. Did you mean 'temperature'?"),
        ("judge run.sqlite --judge accuracy", "the judge accuracy cannot judge "),
        (
            "judge run.sqlite --judge rubric --api-base nonsense",
            "--api-base: the judge rubric asks no model.",
        ),
        ("report run.sqlite --out ''", "--out: an empty path names nothing. Name one, or leave it out."),
        ("report run.sqlite --out text.txt", "--out: 'text.txt' is a file, and no folder."),
        ("report run.sqlite --out text.txt/x", "text.txt: Not a directory. A part of that path is a file"),
        ("history '' ", "folder: an empty path names nothing."),
        ("init ''", "folder: an empty path names nothing."),
        ("init text.txt/x", "text.txt: Not a directory."),
        ("schema --out ''", "--out: an empty path names nothing."),
        ("run quick --plots ''", "--plots: an empty path names nothing."),
        ("run quick --log ''", "--log: an empty path names nothing."),
        ("run quick --plots text.txt/x", "text.txt: Not a directory."),
        ("nightly quick --out ''", "--out: an empty path names nothing."),
        ("view ''", "target: is empty."),
        ("run quick --model m --api-base ''", "--api-base: is empty. Give one, or leave it out."),
        ("judge run.sqlite --judge rubric --api-base ''", "--api-base: is empty."),
        ("run quick --budget ''", "--budget: '' is no budget. Write 25usd"),
        ("report run.sqlite --score ''", "run.sqlite holds no verdict of ''"),
    ],
)
def test_it_is_told_in_one_line(
    command: str, says: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(folder.rglob("*"))
    assert main(shlex.split(command)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"niah: {says}")
    assert sorted(folder.rglob("*")) == before
