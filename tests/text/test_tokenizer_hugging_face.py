"""Tokenizers by file, on vocabularies small enough to work out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

from niah.errors import ConfigError
from niah.text.tokenizer import get_tokenizer

LETTERS = {letter: index for index, letter in enumerate("abcdĠ")}


def byte_level() -> Tokenizer:
    """Merges "ab" and, behind a space, " ab"; byte by byte elsewhere."""
    vocab = LETTERS | {"ab": 5, "Ġab": 6, "<s>": 7}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[("a", "b"), ("Ġ", "ab")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


def saved(tokenizer: Tokenizer, folder: Path) -> str:
    tokenizer.save(str(folder / "tokenizer.json"))
    return str(folder)


def test_a_folder_and_its_file_are_read_alike(tmp_path: Path) -> None:
    folder = saved(byte_level(), tmp_path)
    file = f"{folder}/tokenizer.json"
    # "ab" | " ab" | "cd" has no merge, so c, d | " c" neither.
    assert get_tokenizer(folder).encode("ab abcd c") == [5, 6, 2, 3, 4, 2]
    assert get_tokenizer(file).encode("ab abcd c") == [5, 6, 2, 3, 4, 2]
    assert get_tokenizer(file).starts("ab abcd c").tolist() == [0, 2, 5, 6, 7, 8]
    assert get_tokenizer(folder).name == folder
    assert not get_tokenizer(folder).additive


def test_the_home_folder_may_be_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(byte_level(), tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert get_tokenizer("~/tokenizer.json").encode("ab") == [5]


def test_what_the_file_adds_to_a_text_is_left_out(tmp_path: Path) -> None:
    tokenizer = byte_level()
    tokenizer.add_special_tokens([AddedToken("<s>", special=True)])
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=9)
    tokenizer.post_processor = processors.Sequence(
        [
            processors.ByteLevel(trim_offsets=True),
            processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 7)]),
        ]
    )
    read = get_tokenizer(saved(tokenizer, tmp_path))
    assert read.encode("ab ab ab") == [5, 6, 6]
    assert read.starts("ab ab ab").tolist() == [0, 2, 5], "the space belongs to the word's token"
    assert read.counts(["ab", "", "ab ab ab"]).tolist() == [1, 0, 3]
    assert read.encode("<s>ab") == [5], "letters that this vocabulary does not have, not the special token"


def test_merges_are_not_left_out_at_random(tmp_path: Path) -> None:
    folder = saved(byte_level(), tmp_path)
    file = tmp_path / "tokenizer.json"
    definition = json.loads(file.read_text())
    definition["model"]["dropout"] = 0.5
    file.write_text(json.dumps(definition))
    read = get_tokenizer(folder)
    assert {tuple(read.encode("ab ab ab")) for _ in range(50)} == {(5, 6, 6)}


def test_a_normalizer_may_change_the_length(tmp_path: Path) -> None:
    tokenizer = Tokenizer(models.WordLevel({"office": 0, "a": 1, "[UNK]": 2}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    read = get_tokenizer(saved(tokenizer, tmp_path))
    text = "Oﬃce a"  # "ﬃ" is one character that becomes three
    assert read.encode(text) == [0, 1]
    assert read.starts(text).tolist() == [0, 5]


def test_a_metaspace_vocabulary(tmp_path: Path) -> None:
    vocab = {"▁": 0, "a": 1, "▁a": 2, "b": 3}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[("▁", "a")]))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    read = get_tokenizer(saved(tokenizer, tmp_path))
    # A space is thought before the first word: "▁a", b, "▁a", "▁", b.
    assert read.encode("ab a b") == [2, 3, 2, 0, 3]
    assert read.starts("ab a b").tolist() == [0, 1, 2, 4, 5]


@given(text=st.text(alphabet="ab é日🪓\n", max_size=30))
def test_bytes_of_one_character_start_together(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    tokenizer = Tokenizer(
        models.BPE(vocab={byte: i for i, byte in enumerate(pre_tokenizers.ByteLevel.alphabet())}, merges=[])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    folder = tmp_path_factory.getbasetemp() / "bytes"
    folder.mkdir(exist_ok=True)
    read = get_tokenizer(saved(tokenizer, folder))
    expected = [i for i, character in enumerate(text) for _ in character.encode()]
    assert read.starts(text).tolist() == expected


def test_another_vocabulary_has_another_identity(tmp_path: Path) -> None:
    folder = saved(byte_level(), tmp_path)
    first = get_tokenizer(folder).identity
    other = byte_level()
    other.add_tokens(["cd"])
    saved(other, tmp_path)
    changed = get_tokenizer(folder)
    assert changed.encode("cd") == [8]
    assert changed.identity != first
    assert changed.identity.startswith(folder)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not JSON"),
        (b"\x00\xff", "not JSON"),
        (b"[]", 'no "model" in it'),
        (b'{"model": "bpe"}', 'no "model" in it'),
        (b'{"model": {"type": "BPE", "vocab": 3}}', "invalid type: integer"),
        (b'{"model": {"type": "Sausage"}}', "data did not match"),
    ],
)
def test_a_file_that_is_no_tokenizer(tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_bytes(content)
    with pytest.raises(
        ConfigError, match=f"is no tokenizer of Hugging Face \\({why}.*save_pretrained"
    ) as caught:
        get_tokenizer(str(file))
    assert caught.value.path == file
    assert "\n" not in str(caught.value)
