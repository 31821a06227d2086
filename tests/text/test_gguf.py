"""The vocabularies and chat templates in GGUF files, against llama.cpp's own reading of the same files."""

from __future__ import annotations

import json
import os
import random
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gguf import GGUFReader, GGUFWriter
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import pre_tokenizers

from niah.errors import ConfigError
from niah.files import shipped
from niah.readers.embedded import _file_and_window, load_server
from niah.text.gguf import gguf_fields
from niah.text.tokenizer import _HuggingFace, chat_template_tokens, count, get_tokenizer
from niah.weights import ensure_weights

_WIDTH = 32
_MARKS = ["<think>", "\t\t"]
# SmolLM2 merges no digits. "¿" stands for the last byte of the long s, which is no letter of a contraction.
_MERGES = ["1 2", "12 3", "123 4", "¿ a"]

WRITTEN = [
    *("", "a", " ", "  ", "\n", "\n\n", "\n\n\n", " \n \n", "\t\tx\t", "a\r\nb\r\n\r\nc"),
    *("One paragraph.\n\nAnother.\n\n", "   leading and trailing   ", "naïve café e\u0301 a\u0308 Å ﬁ ﬀ"),
    *("don't DON'T we'LL it's'S o'clock x'ſa 'S", "<|im_start|>user\nhi<|im_end|><think>"),
    *("12345 1,234.56 3rd ½ ²³ ١٢٣ Ⅻ 一二三 a1b22c333d4444", "/etc/passwd\n/usr//bin\n\n//comment"),
    "x = [i**2 for i in range(10)]\n    if x:\n\treturn  None;;",
    *("...---!!!??? He said: \"No.\" 'Why?' (so)", "日本語のテキスト。中文 한국어 हिन्दी में עברית العربية"),
    *("🪓👩‍👩‍👧‍👦🇩🇪👍🏽", "\x00\x01\x7f\x0b\x0cx"),
    "\u00a0nbsp\u2003em\u3000ideographic\u2028line\u0085next\u200bzero\ufeffbom",
]
_POOLS = (
    *("abcXYZ  \n\n019'.,!", "éüßñ ÅΩжЯ ", "日本한국 ", "🪓😀👍🏽\u200d ", " \t\n\r\x0b\x85\xa0\u2028a1."),
    *("'stLvErd ", "019½²٣Ⅻ "),
)


def texts() -> list[str]:
    """Written, drawn, essays, code, and every character after a letter and between digit and letter."""
    draw = random.Random(7)
    pools = ["".join(draw.sample(_POOLS, draw.randint(1, 3))) for _ in range(200)]
    drawn = ["".join(draw.choices(pool, k=draw.randint(1, 60))) for pool in pools]
    essays = [file.read_text()[:2000] for file in sorted(shipped("haystacks").rglob("*.md"))[:20]]
    blocks = [range(first, first + 256) for first in range(0, 0x20000, 256)]
    characters = [
        "".join(f"x{chr(code)} 1{chr(code)}b" for code in block if not 0xD800 <= code < 0xE000)
        for block in blocks
    ]
    return [*WRITTEN, *drawn, *essays, Path(__file__).read_text(), *characters]


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


def write(file: Path, values: dict[str, Any], tensors: dict[str, Any]) -> Path:
    """A GGUF file of an architecture "llama"."""
    writer = GGUFWriter(file, "llama")
    for name, value in values.items():
        getattr(writer, f"add_{name}")(*(value if isinstance(value, tuple) else (value,)))
    for name, tensor in tensors.items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


@lru_cache
def smollm2_words() -> list[Any]:
    """SmolLM2's tokens, their types and merges, as the package reads them."""
    fields = GGUFReader(ensure_weights("smollm2")).fields
    return [fields[f"tokenizer.ggml.{key}"].contents() for key in ("tokens", "token_type", "merges")]


@pytest.mark.slow  # one text: tests/contract/test_cases.py
def test_smollm2_reads_as_llama_cpp_does() -> None:
    tokenizer, encode = get_tokenizer("smollm2"), encoder(ensure_weights("smollm2"))
    assert [text for text in texts() if tokenizer.encode(text) != encode(text)] == []


@pytest.mark.slow
@pytest.mark.parametrize("pre", ["gpt-2", "smollm", "starcoder", "refact", "command-r", "llama-bpe", "qwen2"])
def test_other_cuts_are_llama_cpps_too(pre: str, tmp_path: Path) -> None:
    tokens, types, merges = smollm2_words()
    # Without every ninth merge some words of the vocabulary are reached only by those that look there first.
    fewer = [*_MERGES, *(merge for index, merge in enumerate(merges) if index % 9)]
    tokens = [*tokens, *_MARKS, *(merge.replace(" ", "") for merge in _MERGES)]
    square = (*(f"attn_{part}" for part in ("q", "k", "v", "output")), "ffn_gate", "ffn_up", "ffn_down")
    layer = {part: np.zeros((_WIDTH, _WIDTH), np.float32) for part in square}
    norm = np.zeros(_WIDTH, np.float32)
    file = write(
        tmp_path / "tiny.gguf",
        {
            **{"context_length": 512, "embedding_length": _WIDTH, "block_count": 1, "head_count": 1},
            **{"feed_forward_length": _WIDTH, "layer_norm_rms_eps": 1e-5, "tokenizer_model": "gpt2"},
            **{"tokenizer_pre": pre, "token_list": tokens, "token_merges": fewer},
            "token_types": [*types, *(4 for _ in _MARKS), *(1 for _ in _MERGES)],
        },
        {
            "token_embd.weight": np.zeros((len(tokens), _WIDTH), np.float16),
            "output_norm.weight": norm,
            **{f"blk.0.{part}.weight": tensor for part, tensor in layer.items()},
            **{f"blk.0.{part}.weight": norm for part in ("attn_norm", "ffn_norm")},
        },
    )
    tokenizer, encode = get_tokenizer(str(file)), encoder(file)
    assert count(tokenizer, "<think>") == 1
    assert [text for text in texts() if tokenizer.encode(text) != encode(text)] == []


def test_a_file_that_is_not_gguf(tmp_path: Path) -> None:
    file = tmp_path / "x.gguf"
    said = r"x\.gguf: is no whole GGUF file .* Give the model's tokenizer.json"
    for content in (b"", b"junk" * 10, b"GGUF", ensure_weights("smollm2").read_bytes()[:100_000]):
        file.write_bytes(content)
        with pytest.raises(ConfigError, match=said):
            get_tokenizer(str(file))


@pytest.fixture(scope="module")
def every_kind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model file with a value of each kind."""
    numbers = {f"uint{bits}": (f"a.u{bits}", 7 * 2 ** (bits - 4)) for bits in (8, 16, 32, 64)}
    numbers |= {f"int{bits}": (f"a.i{bits}", -(2 ** (bits - 2))) for bits in (8, 16, 32, 64)}
    others = {"float32": ("a.f32", 0.25), "float64": ("a.f64", 1e300), "bool": ("a.b", True)}
    values = {**numbers, **others, "string": ("a.s", "Grüße, 世界"), "array": ("a.texts", ["", "hay", "針"])}
    file = tmp_path_factory.mktemp("gguf") / "a.gguf"
    return write(file, {**values, "token_scores": [0.5, -2.0]}, {"weights": np.arange(8, dtype=np.float32)})


def test_every_kind_of_value_is_as_the_package_reads_it(every_kind: Path) -> None:
    fields = GGUFReader(every_kind).fields.items()
    theirs = {name: field.contents() for name, field in fields if not name.startswith("GGUF.")}
    assert gguf_fields(every_kind, "") == theirs
    content = every_kind.read_bytes()
    (other := every_kind.with_name("other.gguf")).write_bytes(b"GGUF\2" + content[5:])
    assert gguf_fields(other, "") == theirs
    other.write_bytes(b"GGUF\1" + content[5:])
    with pytest.raises(ValueError, match="version 1 of the format is not known"):
        gguf_fields(other, "")
    assert gguf_fields(every_kind, "tok") == {"tokenizer.ggml.scores": [0.5, -2.0]}


@pytest.mark.parametrize(("stated", "window"), [(512, 512), (40_000, 32_768)])
def test_a_window_is_as_stated_up_to_a_bound(stated: int, window: int, tmp_path: Path) -> None:
    file = write(tmp_path / "a.gguf", {"context_length": stated}, {})
    assert _file_and_window(str(file)) == (file, window)


@given(data=st.data())
def test_a_file_that_is_cut_or_changed_inside_its_values_is_told(
    data: st.DataObject, every_kind: Path
) -> None:
    content = bytearray(every_kind.read_bytes())
    broken = every_kind.with_name("broken.gguf")
    broken.write_bytes(content[: data.draw(st.integers(0, content.index(b"weights") - 9))])
    with pytest.raises(ValueError, match=r"does not begin with GGUF|ends too early"):
        gguf_fields(broken, "a.")
    content[data.draw(st.integers(0, 500))] = data.draw(st.integers(0, 255))
    broken.write_bytes(content)
    with suppress(ValueError):
        assert gguf_fields(broken, "")


TEMPLATE = """
{%- if messages[0].role not in ['user', 'system'] %}{{ raise_exception('who is that?') }}{% endif %}
{{- bos_token }}
{%- for message in messages %}
    {% set words = ['é'] | tojson %}
    {{- words }}
    {{- '<|' + message.role + '|>' + message.content + '<|end|>' }}
    {%- if loop.index > 9 %}{% break %}{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}
"""


def model_with(file: Path, template: str) -> str:
    """A GGUF file without weights, every letter a token."""
    special = ["<s>", "<|user|>", "<|assistant|>", "<|end|>"]
    tokens = [*special, "<tool>", *sorted(pre_tokenizers.ByteLevel.alphabet()), "ab"]
    kinds = [3] * 4 + [4] + [1] * (len(tokens) - 5)
    values = {"tokenizer_model": "gpt2", "tokenizer_pre": "gpt-2", "token_list": tokens, "token_types": kinds}
    rest = {"token_merges": ["a b"], "bos_token_id": 0, "chat_template": template}
    return str(write(file, values | rest, {}))


def test_chat_templates_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # <s> ["é"] <|user|> ... <|end|> <|assistant|>; é has two bytes.
    file = model_with(tmp_path / "a.gguf", TEMPLATE)
    assert chat_template_tokens(file) == 10
    encoded = get_tokenizer(file).encode
    assert encoded("x <tool> y") == [*encoded("x "), 4, *encoded(" y")]
    # llama.cpp's server reports 33 tokens for "Say hello.", which are 3.
    assert chat_template_tokens("smollm2") == 30
    # What its vocabulary comes to is made once, and anew for a file that was written since.
    monkeypatch.setattr("niah.text.gguf.tokenizer_json", lambda path: b"made anew")
    assert count(_HuggingFace("again", Path(file)), "ab") == 1
    os.utime(file, ns=(1, 1))
    with pytest.raises(ConfigError, match="is no tokenizer"):
        get_tokenizer(file)


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize(
    "template",
    [
        "{{ messages[0].content",
        "{{ raise_exception('no') }}",
        "says nothing of the message",
        "{{ messages[0].content }}{{ 'x' * 10 ** 10 }}",
        "{{ messages[0].content }}{{ 'x' * 10 ** 5 }}",
        "{{ messages[0].content }}{% for i in range(9 ** 9) %}{% endfor %}",
        "{% set x = namespace(n='ab') %}{% for i in range(40) %}{% set x.n = x.n + x.n %}{% endfor %}",
    ],
)
def test_a_template_that_cannot_be_filled_in_is_not_counted(template: str, tmp_path: Path) -> None:
    assert chat_template_tokens(model_with(tmp_path / "a.gguf", template)) is None
