"""What a file to write is called says its format, or the command says what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cli.main import main
from tests.cli.commands.small_suite import suite


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("name", ["x", "x.json", "x.ndjson", "x.txt"])
def test_other_names_of_json_lines_are_taken(name: str) -> None:
    assert main(["generate", suite(), "--out", name]) == 0
    assert Path(name).read_text().startswith("{")


def test_a_report_is_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "nothing", "--out", "plots/x.pdf"]) == 2
    assert capsys.readouterr().err == (
        "niah: a report is a folder of files, and plots/x.pdf is named as one of them. "
        "Name the folder: --out plots/x --format pdf\n"
    )
    assert not Path("plots").exists()
