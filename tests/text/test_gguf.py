"""The vocabularies inside GGUF files, against llama.cpp's own reading of the same files."""

from __future__ import annotations

import json
import random
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gguf import GGUFReader, GGUFWriter
from hypothesis import given
from hypothesis import strategies as st

from niah.errors import ConfigError
from niah.files import shipped
from niah.readers.embedded import load_server
from niah.text.gguf import gguf_fields
from niah.text.tokenizer import count, get_tokenizer
from niah.weights import ensure_weights

_WIDTH = 32
_MARKS = ["<think>", "\t\t"]
# SmolLM2 merges no digits. "¿" stands for the last byte of the long s, which is no letter of a contraction.
_MERGES = ["1 2", "12 3", "123 4", "¿ a"]

WRITTEN = [
    *("", "a", " ", "  ", "\n", "\n\n", "\n\n\n", " \n \n", "\t\tx\t", "a\r\nb\r\n\r\nc"),
    *("One paragraph.\n\nAnother.\n\n", "   leading and trailing   ", "naïve café e\u0301 a\u0308 Å ﬁ ﬀ"),
    *("don't DON'T we'LL it's'S o'clock x'ſa 'S", "<|im_start|>user\nhi<|im_end|><think>"),
    "12345 1,234.56 3rd ½ ²³ ١٢٣ Ⅻ 一二三 a1b22c333d4444",
    "x = [i**2 for i in range(10)]\n    if x:\n\treturn  None;;",
    "/etc/passwd\n/usr//bin\n\n//comment",
    "...---!!!??? He said: \"No.\" 'Why?' (so)",
    "日本語のテキスト。中文 한국어 हिन्दी में עברית العربية",
    "🪓👩‍👩‍👧‍👦🇩🇪👍🏽",
    "\u00a0nbsp\u2003em\u3000ideographic\u2028line\u0085next\u200bzero\ufeffbom",
    "\x00\x01\x7f\x0b\x0cx",
]
_POOLS = (
    "abcXYZ  \n\n019'.,!",
    "éüßñ ÅΩжЯ ",
    "日本한국 ",
    "🪓😀👍🏽\u200d ",
    " \t\n\r\x0b\x85\xa0\u2028a1.",
    "'stLvErd ",
    "019½²٣Ⅻ ",
)


def _drawn(number: int) -> list[str]:
    """Random texts of letters, marks, digits and white space that share few words with real ones."""
    draw = random.Random(7)
    pools = ["".join(draw.sample(_POOLS, draw.randint(1, 3))) for _ in range(number)]
    return ["".join(draw.choices(pool, k=draw.randint(1, 60))) for pool in pools]


def _every_character() -> list[str]:
    """Every character of the first two planes, after a letter and between digit and letter."""
    blocks = [range(first, first + 256) for first in range(0, 0x20000, 256)]
    return [
        "".join(f"x{chr(code)} 1{chr(code)}b" for code in block if not 0xD800 <= code < 0xE000)
        for block in blocks
    ]


def texts() -> list[str]:
    essays = [file.read_text()[:2000] for file in sorted(shipped("haystacks").rglob("*.md"))[:20]]
    code = [Path(__file__).read_text()]
    return WRITTEN + _drawn(200) + essays + code + _every_character()


def encoder(model: Path) -> Callable[[str], list[int]]:
    """llama.cpp's encoding of plain text, by the server of the embedded reader."""
    server = load_server(model, 512)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def encode(text: str) -> list[int]:
        body = json.dumps({"content": text, "parse_special": False}).encode()
        address, kind = f"{server.listening_address}/tokenize", {"content-type": "application/json"}
        tokens: list[int] = json.load(opener.open(urllib.request.Request(address, body, kind)))["tokens"]
        return tokens

    return encode


Vocabulary = dict[str, Any]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    """SmolLM2's, changed so that it tells more ways of reading apart."""
    fields = GGUFReader(ensure_weights("smollm2")).fields
    tokens, types, merges = (
        fields[f"tokenizer.ggml.{key}"].contents() for key in ("tokens", "token_type", "merges")
    )
    # Without every ninth merge some words of the vocabulary are reached only by those that look there first.
    fewer = [merge for index, merge in enumerate(merges) if index % 9]
    made = [merge.replace(" ", "") for merge in _MERGES]
    return {
        "tokens": [*tokens, *_MARKS, *made],
        "types": [*types, *(4 for _ in _MARKS), *(1 for _ in made)],
        "merges": [*_MERGES, *fewer],
    }


def write_model(file: Path, vocabulary: Vocabulary, pre: str) -> None:
    """A model of one empty layer."""
    writer = GGUFWriter(file, "llama")
    values = {
        **{"context_length": 512, "embedding_length": _WIDTH, "block_count": 1, "head_count": 1},
        **{"feed_forward_length": _WIDTH, "layer_norm_rms_eps": 1e-5, "tokenizer_model": "gpt2"},
        **{"tokenizer_pre": pre, "token_list": vocabulary["tokens"]},
        **{"token_types": vocabulary["types"], "token_merges": vocabulary["merges"]},
    }
    for name, value in values.items():
        getattr(writer, f"add_{name}")(value)
    writer.add_tensor("token_embd.weight", np.zeros((len(vocabulary["tokens"]), _WIDTH), np.float16))
    writer.add_tensor("output_norm.weight", np.zeros(_WIDTH, np.float32))
    for part in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
        writer.add_tensor(f"blk.0.{part}.weight", np.zeros((_WIDTH, _WIDTH), np.float32))
    for part in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.0.{part}.weight", np.zeros(_WIDTH, np.float32))
    finish(writer)


def finish(writer: GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def test_smollm2_reads_as_llama_cpp_does() -> None:
    tokenizer, encode = get_tokenizer("smollm2"), encoder(ensure_weights("smollm2"))
    assert [text for text in texts() if tokenizer.encode(text) != encode(text)] == []


@pytest.mark.slow
@pytest.mark.parametrize("pre", ["gpt-2", "smollm", "starcoder", "refact", "command-r", "llama-bpe", "qwen2"])
def test_other_cuts_are_llama_cpps_too(pre: str, vocabulary: Vocabulary, tmp_path: Path) -> None:
    file = tmp_path / "tiny.gguf"
    write_model(file, vocabulary, pre)
    tokenizer, encode = get_tokenizer(str(file)), encoder(file)
    assert count(tokenizer, "<think>") == 1
    assert [text for text in texts() if tokenizer.encode(text) != encode(text)] == []


def test_a_file_that_is_not_gguf(tmp_path: Path) -> None:
    file = tmp_path / "x.gguf"
    for content in (b"", b"junk" * 10, b"GGUF", ensure_weights("smollm2").read_bytes()[:100_000]):
        file.write_bytes(content)
        with pytest.raises(
            ConfigError, match=r"x\.gguf: is no whole GGUF file .* Give the model's tokenizer.json"
        ):
            get_tokenizer(str(file))


VALUES = {
    **{f"uint{bits}": 7 * 2 ** (bits - 4) for bits in (8, 16, 32, 64)},
    **{f"int{bits}": -(2 ** (bits - 2)) for bits in (8, 16, 32, 64)},
    **{"float32": 0.25, "float64": 1e300, "bool": True, "string": "Grüße, 世界"},
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model file with a value of each kind."""
    file = tmp_path_factory.mktemp("gguf") / "a.gguf"
    writer = GGUFWriter(file, "llama")
    for kind, value in VALUES.items():
        getattr(writer, f"add_{kind}")(f"a.{kind}", value)
    writer.add_array("a.texts", ["", "hay", "針"])
    writer.add_array("b.numbers", [3, -1, 2])
    writer.add_array("b.fractions", [0.5, -2.0])
    writer.add_tensor("weights", np.arange(8, dtype=np.float32))
    finish(writer)
    return file


def test_every_kind_of_value_is_as_the_package_reads_it(written: Path) -> None:
    fields = GGUFReader(written).fields.items()
    theirs = {name: field.contents() for name, field in fields if not name.startswith("GGUF.")}
    assert gguf_fields(written, "") == theirs
    assert gguf_fields(written, "b.") == {"b.numbers": [3, -1, 2], "b.fractions": [0.5, -2.0]}
    assert gguf_fields(written) == {}


@given(data=st.data())
def test_a_file_that_is_cut_or_changed_inside_its_values_is_told(data: st.DataObject, written: Path) -> None:
    content = bytearray(written.read_bytes())
    broken = written.with_name("broken.gguf")
    broken.write_bytes(content[: data.draw(st.integers(0, content.index(b"weights") - 9))])
    with pytest.raises(ValueError, match=r"does not begin with GGUF|ends too early"):
        gguf_fields(broken, "a.")
    content[data.draw(st.integers(0, 500))] = data.draw(st.integers(0, 255))
    broken.write_bytes(content)
    with suppress(ValueError):
        assert gguf_fields(broken, "")
