"""Tokenizers count as their authors do; where tokens are, and what a text costs inside a longer one."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import huggingface_hub.constants
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors

from niah.errors import ConfigError, UnknownName, UserError
from niah.event_loop import within
from niah.text import tokenizer as module
from niah.text.tokenizer import TokenPlaces, are_start_neutral, count, find_source, get_tokenizer, token_at
from niah.weights import ensure_weights, may_fetch
from tests.loopback_hub import UNREACHABLE, Hub, point_at, serving_hub

CLAUDE = "anthropic/claude-3-5-haiku-latest"
ALL = ["cl100k", "minilm", "o200k", "smollm2", CLAUDE]
BYTE_LEVEL = [name for name in ALL if name != "minilm"]


def test_known_counts() -> None:
    # "hello world" is [15339, 1917] in cl100k, as its authors publish it.
    assert get_tokenizer("cl100k").encode("hello world") == [15339, 1917]
    # BERT's [UNK], [CLS], [SEP], hello and world are lines 100, 101, 102, 7592 and 2088 of its vocabulary.
    assert get_tokenizer("minilm").encode("Hello, wörld") == [7592, 1010, 2088]
    # What WordPiece drops belongs to the token before it.
    assert get_tokenizer("minilm").starts("  ab.\n\n cd").tolist() == [0, 4, 8]


@pytest.mark.parametrize("name", ALL)
@given(text=st.text(max_size=60))
def test_starts_ascend_and_cover(name: str, text: str) -> None:
    tokenizer = get_tokenizer(name)
    starts = tokenizer.starts(text).tolist()
    assert len(starts) == len(tokenizer.encode(text)) == tokenizer.counts([text])[0]
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)
    assert starts[:1] in ([], [0])


@pytest.mark.parametrize("name", BYTE_LEVEL)
def test_a_token_starts_where_its_text_starts(name: str) -> None:
    text = "The wöod-cutter's 1954 axe 🪓 fell.\n\nThen silence."
    tokenizer = get_tokenizer(name)
    starts = tokenizer.starts(text).tolist()
    assert tokenizer.encode(text[: starts[5]]) == tokenizer.encode(text)[:5]
    assert text.index(" fell") in starts, "the space before a word belongs to the word"


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("special", ["<|endoftext|>", "<|im_start|>", "[CLS]", "<EOT>"])
def test_special_tokens_are_plain_text(name: str, special: str) -> None:
    assert count(get_tokenizer(name), special) > 1


def test_a_model_of_openais_is_its_encoding() -> None:
    for name in ("openai/gpt-4o-mini", "azure/eu/gpt-4o-2024-08-06", "openrouter/openai/gpt-4.1"):
        assert get_tokenizer(name) is get_tokenizer("o200k")
    assert get_tokenizer("openai/gpt-4-turbo").name == "cl100k"


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("cl100", UnknownName, "Did you mean 'cl100k'"),
        ("a/b/c", UnknownName, "no tokenizer called 'a/b/c'"),
        ("./nothing", UserError, "no tokenizer at './nothing': no such file or folder"),
        ("openai/gpt-one", UserError, "tiktoken does not know this model. Use 'o200k'"),
    ],
)
def test_names_of_nothing_are_refused_before_anything_is_loaded(
    name: str, kind: type[UserError], said: str
) -> None:
    with pytest.raises(kind, match=said):
        find_source(name)


def test_a_file_too_large_for_a_vocabulary_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "model.safetensors").open("wb") as file:
        file.truncate(10**9)
    with pytest.raises(UserError, match=r"is no tokenizer\.json"):
        find_source(file.name)


LETTERS = {letter: index for index, letter in enumerate("abcdĠ")}


def byte_level() -> Tokenizer:
    """Merges "ab" and, behind a space, " ab"; byte by byte elsewhere."""
    vocab = LETTERS | {"ab": 5, "Ġab": 6, "<s>": 7}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[("a", "b"), ("Ġ", "ab")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


def saved(tokenizer: Tokenizer, folder: Path) -> str:
    folder.mkdir(exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    return str(folder)


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


def test_another_vocabulary_has_another_identity(tmp_path: Path) -> None:
    folder = saved(byte_level(), tmp_path)
    first = get_tokenizer(folder).identity
    other = byte_level()
    other.add_tokens(["cd"])
    saved(other, tmp_path)
    changed = get_tokenizer(folder)
    assert changed.encode("cd") == [8]
    assert changed.identity != first


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\x00\xff", "str is not valid UTF-8"),
        (b'{"truncation": null}', "'model'"),
        (b'{"model": {"type": "Sausage"}}', "data did not match"),
    ],
)
def test_a_file_that_is_no_tokenizer(tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=f"is no tokenizer of Hugging Face \\({why}.*save_pretrained"):
        get_tokenizer(str(file))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub that has one tokenizer, and an empty cache."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    with serving_hub(monkeypatch) as made:
        made.files["owner/name/tokenizer.json"] = (ensure_weights("minilm") / "tokenizer.json").read_bytes()
        yield made


def test_a_tokenizer_of_the_hub_is_fetched_once_and_what_it_has_not_is_one_line(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match="a run file has no hub asked"), within(may_fetch, False):
        get_tokenizer("owner/name")
    assert not any("owner" in path for path in hub.asked)
    hub.refusals["owner/other"] = "EntryNotFound"
    with pytest.raises(UserError, match=r"Entry Not Found .* give the path of a tokenizer.json.\Z"):
        get_tokenizer("owner/other")
    tokenizer = get_tokenizer("owner/name")
    assert tokenizer.encode("Hello, wörld") == [7592, 1010, 2088]
    assert tokenizer.name == "owner/name"
    module._opened.cache_clear()
    point_at(UNREACHABLE, monkeypatch)
    assert get_tokenizer("owner/name").identity == tokenizer.identity


_WORDS = " the| the |the | the the| The| the.| the, | the 3|  the  | by| a|ing|'s|é| Ω|7| 1234|.|?"
PIECES = (*_WORDS.split("|"), " the\n", "\n the ", "\n\n", "\t", " ", "  ", "\xa0", "好", " 😀")


@pytest.mark.parametrize(("name", "number"), [("cl100k", 15), ("o200k", 15), ("smollm2", 2)])
def test_places_are_those_in_the_whole_text(name: str, number: int) -> None:
    tokenizer = get_tokenizer(name)
    mixed = ["".join(random.Random(seed).choices(PIECES, k=400)) for seed in range(number)]
    for text in ["", " the ", "by the way", " the a", *mixed]:
        places, starts = TokenPlaces(tokenizer, text), tokenizer.starts(text).tolist()
        assert places.tokens == len(starts)
        offsets = [at for at in range(len(text)) if at == 0 or text[at - 1] in " \n"]
        assert [places.token_at(at) for at in offsets] == [token_at(starts, text, at) for at in offsets]


def test_an_endless_word_takes_its_own_room_only_and_is_nowhere_neutral() -> None:
    tokenizer, lines = get_tokenizer("cl100k"), [f"Line {number} ends." for number in range(1000)]
    tracemalloc.start()
    starts = are_start_neutral(tokenizer, ["x" * 20_000 + ".", *lines])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert starts.tolist() == [False] + [True] * 1000
    assert peak < 8e6  # as an array of equal words: 80 MB
