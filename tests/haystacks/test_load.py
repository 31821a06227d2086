"""What was tokenised once is read back, and never when anything it was made from has changed."""

from pathlib import Path

import pytest

from niah.haystacks import load
from niah.haystacks.corpus import Corpus, build_corpus
from niah.haystacks.documents import haystack_names, is_shipped, load_documents
from niah.haystacks.load import load_corpus
from niah.paths import shipped
from niah.text.tokenizer import get_tokenizer

TEXT = "One sentence here. Another one there.\n\nA second paragraph, with more in it. The end."


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    load._load.cache_clear()
    return path


def again(path: Path) -> Corpus:
    load._load.cache_clear()
    return load_corpus(str(path), "cl100k")


def kept(path: Path) -> list[Path]:
    return sorted((path.parent / "cache" / "corpora").glob("*.npz"))


def forbid_building(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> Corpus:
        raise AssertionError("tokenised again")

    monkeypatch.setattr(load, "build_corpus", fail)


def test_the_second_time_nothing_is_tokenised(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = again(text)
    forbid_building(monkeypatch)
    assert again(text) == first
    assert first == build_corpus(str(text), load_documents(str(text)), get_tokenizer("cl100k"))


def test_the_same_text_elsewhere_is_the_same_corpus(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again(text)
    forbid_building(monkeypatch)
    moved = text.parent / "folder" / "text.txt"
    moved.parent.mkdir()
    moved.write_text(TEXT)
    assert again(moved).name == str(moved)


def test_a_change_is_seen(text: Path) -> None:
    again(text)
    text.write_text(TEXT + " More.")
    assert again(text).text.rstrip().endswith("More.")
    assert len(kept(text)) == 2
    load._load.cache_clear()
    load_corpus(str(text), "o200k")
    assert len(kept(text)) == 3


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 nonsense", b"\x93NUMPY"])
def test_a_damaged_file_costs_only_time(text: Path, damage: bytes) -> None:
    first = again(text)
    (path,) = kept(text)
    path.write_bytes(damage)
    assert again(text) == first
    assert path.read_bytes() != damage


def test_a_torn_file_costs_only_time(text: Path) -> None:
    first = again(text)
    (path,) = kept(text)
    raw = path.read_bytes()
    for cut in range(0, len(raw), 97):
        path.write_bytes(raw[:cut])
        assert again(text) == first


def test_only_so_many_are_kept(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "_CACHED", 2)
    for number in range(4):
        text.write_text(f"{TEXT} Number {number}.")
        again(text)
    assert len(kept(text)) == 2


def test_what_ships_is_what_is_listed() -> None:
    listed = haystack_names()
    assert listed
    for name in (*listed, *(path.name for path in shipped("haystacks").iterdir()), "", ".", f"{listed[0]}/"):
        assert is_shipped(name) == (name in listed)
