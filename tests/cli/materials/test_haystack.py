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


def test_generate_takes_a_path(tmp_path: Path) -> None:
    path = own_texts(tmp_path / "My_own texts")
    assert main(["generate", "mine.yaml", "--haystack", path, "--audit", "--with-context", "--out", "o"]) == 0
    rows = [json.loads(line) for line in Path("o").read_text().splitlines()]
    assert len(rows) == 6
    assert {row["haystack"] for row in rows} == {path}
    assert rows[0]["case_id"] == "ferry-lanterns_My-own-texts_512_d0_s1"
    assert not any("\r" in row["context"] for row in rows)


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


@pytest.mark.parametrize("haystack", ["nothing/here", "empty", "bad.txt", "esays", "short.txt", "own/essays"])
def test_a_wrong_haystack_writes_nothing(haystack: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("empty").mkdir()
    Path("bad.txt").write_bytes(b"\xff")
    Path("short.txt").write_text("One sentence. And another.")
    Path("own/essays").mkdir(parents=True)
    Path("own/essays/a.txt").write_text("Other text than the essays that ship.")
    for out in ([], ["--out", "o"]):
        assert main(["generate", "mine.yaml", "--haystack", haystack, *out]) == 2
    captured = capfd.readouterr()
    assert not captured.out
    assert not Path("o").exists()
    assert len(captured.err.splitlines()) == 2


def test_two_paths_with_one_word_in_case_ids_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_texts(tmp_path / "a" / "texts")
    own_texts(tmp_path / "b" / "texts")
    Path("mine.yaml").write_text(SUITE.replace("[essays]", "[a/texts, b/texts]"))
    assert main(["generate", "mine.yaml"]) == 2
    assert "haystacks.1" in capsys.readouterr().err


def test_stats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("twice.txt").write_text("One two three. Four!\n\nOne two three. Four!\n")
    assert main(["haystack", "stats", "twice.txt"]) == 0
    rows = dict(
        line.strip().rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines() if "  " in line
    )
    rows = {label.strip(): value for label, value in rows.items()}
    assert rows["sentences"] == "4"
    assert rows["words"] == "8"
    assert rows["vocabulary"] == "4"
    assert rows["duplicate sentences"] == rows["near-duplicate paragraphs"] == "50.00%"
    assert main(["haystack", "stats", "nothing"]) == 2


def test_documents_and_reading_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["haystack", "documents", "starlight", "--seed", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].split()[:5] == ["90", "documents,", "words", "in", "all"]
    assert int(lines[-1].split()[-1].replace(",", "")) >= 100_000
    number, name = lines[0].split()[:2]
    assert main(["haystack", "read", "starlight", "--seed", "3", "--document", number]) == 0
    by_number = capsys.readouterr().out
    assert main(["haystack", "read", "starlight", "--seed", "3", "--document", name]) == 0
    assert capsys.readouterr().out == by_number
    assert by_number.startswith(f"{name} (starlight, seed 3)")
    assert "{{" not in by_number


def test_a_seed_below_0_is_nobodys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["haystack", "stats", "essays", "--seed", "-1"]) == 2
    assert "-1 is not in the range x>=0" in capsys.readouterr().err


def test_a_document_that_is_not_there_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["haystack", "read", "essays", "--document", "wire-egde"]) == 2
    assert "Did you mean 'wire-edge'" in capsys.readouterr().err


def test_the_audit_finds_no_accident_in_what_ships(capsys: pytest.CaptureFixture[str]) -> None:
    for haystack in ("essays", "starlight"):
        assert main(["haystack", "audit", haystack, "--seeds", "2"]) == 0
        assert f"0 accidental answers in {haystack}" in capsys.readouterr().out


def test_the_audit_names_the_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.txt").write_text("All was still. On the sill stood a jar of figs. Nobody ate.")
    assert main(["haystack", "audit", "mine.txt", "--seeds", "1"]) == 1
    out = capsys.readouterr().out
    assert "seed 1, pizza-ingredients, mine: On the sill stood a jar of figs." in out
    assert "2 accidental answers" in out, "the brief set asks for figs too"
