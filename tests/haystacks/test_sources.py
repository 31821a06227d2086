import json
import os
from pathlib import Path

import pytest

from niah.errors import HaystackError, UnknownName
from niah.haystacks.documents import load_documents, read_source


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_folder_gives_its_texts_sorted_and_nothing_hidden(tmp_path: Path) -> None:
    for name in ("b/two.md", "b.txt", "a.TXT", "c.csv", ".git/x.txt", ".hidden.md"):
        put(tmp_path / name, name)
    assert read_source(tmp_path) == [("a", "a.TXT"), ("b/two", "b/two.md"), ("b", "b.txt")]


def test_a_file_is_one_document(tmp_path: Path) -> None:
    path = put(tmp_path / "one.text", "A line\nand another.\n\nNext.")
    (document,) = load_documents(str(path))
    assert document.name == "one"
    assert document.paragraphs == ("A line and another.", "Next.")


def test_a_jsonl_file_is_a_document_a_line(tmp_path: Path) -> None:
    rows = [json.dumps({"text": "One.", "id": 7}), "", json.dumps({"text": "Two\u2028é."})]
    path = put(tmp_path / "rows.jsonl", "\ufeff" + "\r\n".join(rows))
    assert read_source(path) == [("rows:1", "One."), ("rows:3", "Two\u2028é.")]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("x.txt", b"text \0 text", "x.txt: a binary file.*byte 5 is NUL.*UTF-8"),
        ("x.txt", "text".encode("utf-16"), "UTF-16"),
        ("x.txt", b"caf\xe9s\n", "x.txt, line 1: not UTF-8: byte 3 is 0xe9.*Save it as UTF-8"),
        ("x.md", b"One.\n\nTwo \x93quoted\x94.", "x.md, line 3: not UTF-8: byte 10 is 0x93"),
        ("x.txt", b" \n \n", "no text in it"),
        ("x.jsonl", b'{"text": "a"}\n{"text": 3}', 'x.jsonl, line 2: no key "text"'),
        ("x.jsonl", b'{"body": "a"}', 'line 1: no key "text"'),
        ("x.jsonl", b"[1]", 'line 1: no key "text"'),
        ("x.jsonl", b'\n{"text": ', "line 2: not JSON"),
        ("x.jsonl", b'{"text": "\xff"}', "not UTF-8"),
        ("x.jsonl", b"", "no text in it"),
    ],
)
def test_one_clear_error_with_file_and_place(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    with pytest.raises(HaystackError, match=says) as caught:
        load_documents(str(put(tmp_path / name, content)))
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.remedy


def test_a_wrong_file_in_a_folder_is_named(tmp_path: Path) -> None:
    put(tmp_path / "good.txt", "Fine.")
    put(tmp_path / "deep" / "bad.txt", b"\xff")
    with pytest.raises(HaystackError, match=r"deep/bad\.txt, line 1"):
        load_documents(str(tmp_path))


def test_an_empty_folder_and_a_missing_path(tmp_path: Path) -> None:
    with pytest.raises(HaystackError, match=r"no \.txt or \.md file"):
        load_documents(str(tmp_path))
    with pytest.raises(HaystackError, match="no such file or folder"):
        load_documents(str(tmp_path / "nothing"))


def test_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere")
    with pytest.raises(HaystackError, match=r"gone\.txt: cannot be read: No such file"):
        load_documents(str(tmp_path))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(HaystackError, match="neither a file nor a folder"):
        load_documents(str(tmp_path / "pipe"))


def test_a_name_that_stands_for_nothing_says_that_paths_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownName, match=r"Known: essays.*path") as caught:
        load_documents("my-own-texts")
    assert "case id" in caught.value.remedy
