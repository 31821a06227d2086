"""Text of one's own as a haystack, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.haystacks.documents import load_documents

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512, 2000]
depths: [0, 50, 100]
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


def own_texts(folder: Path) -> str:
    """The shipped essays with their lines broken hard, as files of one's own."""
    folder.mkdir(parents=True)
    for number, document in enumerate(load_documents("essays")[:20]):
        lines = [paragraph.replace(", ", ",\r\n") for paragraph in document.paragraphs]
        (folder / f"{number:02}.txt").write_bytes("\r\n\r\n".join(lines).encode())
    return str(folder)


def test_a_suite_may_hold_a_path_and_a_moved_folder_gives_the_same_contexts(tmp_path: Path) -> None:
    sums = []
    for parent in ("here", "there"):
        own_texts(tmp_path / parent / "texts")
        Path("mine.yaml").write_text(SUITE.replace("[essays]", f"[{parent}/texts/]"))
        assert main(["generate", "mine.yaml", "--out", "o"]) == 0
        sums.append([json.loads(line)["sha256"] for line in Path("o").read_text().splitlines()])
    assert sums[0] == sums[1]


def test_show_finds_a_folder_beside_it_and_says_what_else_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_texts(tmp_path / "beside")
    assert main(["show", "ferry-lanterns_beside_512_d50_s1"]) == 0
    assert main(["show", "ferry-lanterns_elsewhere_512_d50_s1"]) == 2
    error = capsys.readouterr().err
    assert "no haystack called 'elsewhere'" in error
    assert "path" in error


def test_two_paths_with_one_word_in_case_ids_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_texts(tmp_path / "a" / "texts")
    own_texts(tmp_path / "b" / "texts")
    Path("mine.yaml").write_text(SUITE.replace("[essays]", "[a/texts, b/texts]"))
    assert main(["generate", "mine.yaml"]) == 2
    assert "haystacks.1" in capsys.readouterr().err


def test_a_case_whose_haystack_and_needle_set_are_files_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("texts").mkdir()
    Path("texts/diary.txt").write_text("\n".join(f"On day {day} the mill stood still." for day in range(300)))
    Path("bell.yaml").write_text("question: When?\nanswer: At 9.\nneedles: [{text: The bell rings at 9.}]\n")
    grid = "{haystacks: [texts/diary.txt], needle_sets: [./bell.yaml], lengths: [512], depths: [50]}"
    Path("mine.yaml").write_text(grid)
    assert main(["generate", "mine.yaml", "--with-context", "--out", "cases.jsonl"]) == 0
    made = json.loads(Path("cases.jsonl").read_text())
    assert made["case_id"] == "bell_diary_512_d50_s1"
    assert main(["show", made["case_id"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["context"] == made["context"]
