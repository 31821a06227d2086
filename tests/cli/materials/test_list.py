"""``niah list`` where files of the user's own are wrong: each is named, and all others are listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.cli.materials.list import list_line

GOOD = """
question: Who keeps the gate?
answer: Ulla keeps it.
elements: [{name: Ulla}]
needles: [{id: a, text: Ulla keeps the gate., elements: [Ulla]}]
"""
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9)
)


@pytest.mark.parametrize(
    ("kind", "folder", "suffix", "known"),
    [
        ("needle-sets", "needles", ".yaml", "ferry-lanterns "),
        ("needle-sets", "needles/families", ".yaml", "starlight-short@K "),
        ("suites", "cases", ".yaml", "u-niah "),
        ("question-sets", "cases/questions", ".jsonl", "essays "),
        ("runs", "runs", ".yaml", "tonight "),
    ],
)
def test_one_bad_file_is_named_and_the_others_are_listed(
    kind: str,
    folder: str,
    suffix: str,
    known: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "cut": GOOD[:42],
        "bomb": BOMB,
        "bytes": "\0\1",
        "deep": "[" * 5000,
        "empty": "",
        "nested": "- 1",
    }
    Path(folder).mkdir(parents=True)
    for name, text in files.items():
        Path(folder, f"{name}{suffix}").write_text(text)
    Path("needles").mkdir(exist_ok=True)
    Path("needles/gate.yaml").write_text(GOOD)
    assert main(["list", kind]) == 0
    shown = capsys.readouterr()
    lines = [line.strip() for line in shown.out.splitlines()]
    assert shown.err == ""
    assert any(line.startswith(known) for line in lines)
    for name in files:
        [line] = [line for line in lines if line.split("@")[0].split(" ")[0] == name]
        assert f"cannot be read: {folder}/{name}{suffix}" in line or (name, suffix) == ("empty", ".jsonl")
    if kind == "needle-sets":
        assert any(line.startswith("gate ") and line.endswith("Who keeps the gate?") for line in lines)


def test_a_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    Path("runs/gone.yaml").symlink_to("nowhere.yaml")
    Path("runs/odd.yaml").mkdir()
    Path("runs/bad.yaml").write_bytes(b"\xff\xfe")
    assert main(["list", "runs"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "bad cannot be read: runs/bad.yaml: is not UTF-8 text." in shown


def test_json_has_every_row_and_needles_is_short_for_needle_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("needles").mkdir()
    Path("needles/bad.yaml").write_text("- 1")
    assert main(["list", "needles"]) == 0
    shown = capsys.readouterr().out
    assert main(["list", "needles", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["needle-sets"]
    for row in rows:
        assert f"  {row['name']}" in shown
        assert row["about"] in shown
    assert len(rows) == len(shown.splitlines()) - 1
    [bad] = [row for row in rows if row["name"] == "bad"]
    assert bad["about"].startswith("cannot be read: needles/bad.yaml")


def test_a_terminal_breaks_lines_between_words_and_a_pipe_not_at_all() -> None:
    about = "100-token passages, document order (DOS RAG)"
    assert list_line("dos", about, 4, None) == f"  dos   {about}"
    assert list_line("dos", about, 4, 30).splitlines() == [
        "  dos   100-token passages,",
        "        document order (DOS",
        "        RAG)",
    ]
