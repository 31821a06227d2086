"""Files by name, and files that appear whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from niah.files import atomic_write, check_folder, find, without_formula


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_name_comes_before_a_folder_of_that_name() -> None:
    Path("quick").mkdir()
    Path("cases").mkdir()
    Path("cases/quick.yaml").write_text("")
    assert find("suite", "quick", [Path("cases")]) == Path("cases/quick.yaml")


def test_a_file_appears_only_when_it_is_whole() -> None:
    with atomic_write(Path("new/file")) as file:
        file.write(b"whole")
        assert not Path("new/file").exists()
    assert Path("new/file").read_bytes() == b"whole"
    with pytest.raises(ZeroDivisionError), atomic_write(Path("new/file")) as file:
        file.write(b"half" * (1 // 0))
    assert Path("new/file").read_bytes() == b"whole"
    assert list(Path("new").iterdir()) == [Path("new/file")]


def test_what_cannot_be_written_is_called_what_the_user_called_it() -> None:
    Path("file").write_text("")
    Path("folder").mkdir()
    for name in ("a" * 256, "file/below", "folder"):
        with pytest.raises(OSError, match=name) as caught, atomic_write(Path(name)):
            pass
        assert caught.value.filename == name


def test_a_draft_that_cannot_take_the_place_of_the_file_is_not_named() -> None:
    with pytest.raises(IsADirectoryError) as caught, atomic_write(Path("file")):
        Path("file").mkdir()  # meanwhile, by somebody else
    assert caught.value.filename == "file"
    assert list(Path().iterdir()) == [Path("file")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only_names_the_file_and_no_draft() -> None:
    Path("shut").mkdir(mode=0o555)
    with pytest.raises(PermissionError) as caught, atomic_write(Path("shut/file")):
        pass
    assert caught.value.filename == "shut/file"


def test_a_folder_that_could_be_made_is_told_from_one_that_could_not() -> None:
    Path("file").write_text("")
    check_folder(Path("new/and/newer"))
    assert not Path("new").exists()
    for name in ("file", "file/below/it"):
        with pytest.raises(NotADirectoryError) as caught:
            check_folder(Path(name))
        assert caught.value.filename == "file"


def test_a_link_stays_one() -> None:
    Path("link").symlink_to("real")
    with atomic_write(Path("link")) as file:
        file.write(b"whole")
    assert Path("link").is_symlink()
    assert Path("real").read_bytes() == b"whole"


def test_a_pipe_is_written_to_and_stays() -> None:
    os.mkfifo("pipe")
    reading = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    with atomic_write(Path("pipe")) as file:
        file.write(b"whole")
    assert os.read(reading, 9) == b"whole"
    assert Path("pipe").is_fifo()
    os.close(reading)


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "  =1", "\r=1"])
def test_a_text_that_begins_like_a_formula_is_a_text(text: str) -> None:
    assert without_formula(text) == f"'{text}"
