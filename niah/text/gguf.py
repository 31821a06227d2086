"""What a GGUF model file says of itself, and its vocabulary as a tokenizer.json that reads as llama.cpp.

Names and values are at the file's beginning (versions 2 and 3 of the format: ggml's docs/gguf.md). They are
read in a tenth of a second, for which the gguf package takes seconds.
"""

from __future__ import annotations

import mmap
import struct
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from niah.errors import ConfigError
from niah.files import first_mistake

CONTROL, USER_DEFINED = 3, 4
"""Kinds of vocabulary entry (gguf.TokenType): of templates only; found in plain text before any merge."""

_STRING, _ARRAY = 8, 9
_NUMBERS = dict(enumerate("BbHhIif?")) | {10: "Q", 11: "q", 12: "d"}
"""``struct``'s names of the kinds of values that are no texts, by their numbers in the format."""
_MOST_VALUES = 1 << 24
_REMEDY = "Give the model's tokenizer.json instead, or its name on the Hugging Face hub (owner/name)."

# How GPT-2 cuts text before it merges bytes (Radford et al. 2019, section 2.2: categories do not mix).
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# Its successors: a mark sticks to the word after it, and line breaks end a piece.
# (Contractions by ASCII letters, as llama.cpp spells them: to fold case would also take the long s for one.)
_LATER = (
    r"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{digits}"
    r"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_DIGIT = r"\p{N}"
_CUTS = {
    "gpt-2": (_GPT2,),
    **dict.fromkeys(("smollm", "starcoder", "refact", "command-r"), (_DIGIT, _GPT2)),
    "llama-bpe": (_LATER.format(digits=r"\p{N}{1,3}"),),
    "qwen2": (_LATER.format(digits=_DIGIT),),
}
"""By ``tokenizer.ggml.pre``: expressions, each applied to what the ones before it left."""
_WHOLE_FIRST = "llama-bpe"
"""Where a piece that is in the vocabulary is one token, whatever the merges say."""


class GgufVocabulary(BaseModel):
    """The fields of a GGUF file that say how its model reads text and chats.

    Attributes:
        kind: the algorithm.
        pre: how text is cut before it.
        tokens: by id.
        token_kinds: of each token (gguf.TokenType).
        merges: each two tokens with a space between them.
        bos, eos: ids of the tokens that begin and end a text.
        chat_template: in Jinja.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    kind: str = Field(alias="tokenizer.ggml.model")
    pre: str = Field("default", alias="tokenizer.ggml.pre")
    tokens: list[str] = Field(alias="tokenizer.ggml.tokens")
    token_kinds: list[int] = Field([], alias="tokenizer.ggml.token_type")
    merges: list[str] | None = Field(None, alias="tokenizer.ggml.merges")
    bos: int | None = Field(None, alias="tokenizer.ggml.bos_token_id")
    eos: int | None = Field(None, alias="tokenizer.ggml.eos_token_id")
    chat_template: str | None = Field(None, alias="tokenizer.chat_template")

    def of_kind(self, kind: int) -> list[tuple[int, str]]:
        """Ids and tokens of that kind."""
        kinds = zip(self.tokens, self.token_kinds, strict=False)
        return [(index, token) for index, (token, own) in enumerate(kinds) if own == kind]


def gguf_vocabulary(path: Path) -> GgufVocabulary:
    """The vocabulary and chat template of a GGUF file. Raises ConfigError."""
    return _vocabulary(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _vocabulary(path: Path, written: int) -> GgufVocabulary:
    """Those of a file ``written`` then, read once."""
    try:
        fields = gguf_fields(path, "tokenizer.")
        return GgufVocabulary.model_validate(fields)
    except ValidationError as error:
        mistake = first_mistake(GgufVocabulary, fields, error.errors())
        raise ConfigError(path, mistake.key, mistake.problem, _REMEDY) from None
    except ValueError as error:
        raise ConfigError(path, "", f"is no whole GGUF file ({error}).", _REMEDY) from None


def tokenizer_json(path: Path) -> bytes:
    """A tokenizer.json made from the vocabulary of a GGUF file.

    Raises ConfigError where the file is not GGUF, or its vocabulary is of an unknown kind.
    """
    read = gguf_vocabulary(path)
    if read.kind != "gpt2":
        raise ConfigError(path, "tokenizer.ggml.model", f"vocabularies {read.kind!r} are not read.", _REMEDY)
    if read.pre not in _CUTS:
        raise ConfigError(path, "tokenizer.ggml.pre", f"text cut as in {read.pre!r} is not known.", _REMEDY)
    if read.merges is None:
        raise ConfigError(path, "tokenizer.ggml.merges", "is missing.", _REMEDY)
    split = [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        for pattern in _CUTS[read.pre]
    ]
    to_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    return orjson.dumps(
        {
            "version": "1.0",
            "added_tokens": [
                {"id": index, "content": token, **flags} for index, token in read.of_kind(USER_DEFINED)
            ],
            "normalizer": None,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*split, to_bytes]},
            "decoder": to_bytes,
            "model": {
                "type": "BPE",
                "vocab": {token: index for index, token in enumerate(read.tokens)},
                "merges": [merge.split(" ", 1) for merge in read.merges],
                "ignore_merges": read.pre == _WHOLE_FIRST,
            },
        }
    )


def gguf_fields(path: Path, *beginnings: str) -> dict[str, Any]:
    """The values of a GGUF file whose names begin so: texts, numbers, truth values, lists of one of these.

    Raises ValueError, with the reason, for a file that is none or ends too early.
    """
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ValueError("it does not begin with GGUF")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            walk, found = _Walk(data), dict[str, Any]()
            version, _, count = walk.numbers("IQQ")
            if version not in (2, 3):
                raise ValueError(f"version {version} of the format is not known")
            for _ in range(count):
                name = walk.texts(1)[0].decode()
                found[name] = walk.value(walk.numbers("I")[0])
    return {name: _decoded(value) for name, value in found.items() if name.startswith(beginnings)}


class _Walk:
    """Through a file, from behind its first word; texts are left as bytes. Raises ValueError."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data, self._at = data, 4

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.texts(1)[0]
        if kind != _ARRAY:
            return self.numbers(_form(kind))[0]
        kind, count = self.numbers("IQ")
        if count > _MOST_VALUES:
            raise ValueError(f"it claims to have a list of {count} values")
        return self.texts(count) if kind == _STRING else list(self.numbers(f"{count}{_form(kind)}"))

    def texts(self, count: int) -> list[bytes]:
        data, size, start = self._data, len(self._data), self._at
        length_at = struct.Struct("<Q").unpack_from
        found = []
        for _ in range(count):
            end = start + 8 + length_at(data, start)[0] if start + 8 <= size else size + 1
            if end > size:
                raise ValueError("it ends too early")
            found.append(data[start + 8 : end])
            start = end
        self._at = start
        return found

    def numbers(self, form: str) -> tuple[Any, ...]:
        try:
            found = struct.unpack_from(f"<{form}", self._data, self._at)
        except struct.error:
            raise ValueError("it ends too early") from None
        self._at += struct.calcsize(f"<{form}")
        return found


def _form(kind: int) -> str:
    if kind not in _NUMBERS:
        raise ValueError(f"a value of kind {kind} is not known")
    return _NUMBERS[kind]


def _decoded(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    return [_decoded(each) for each in value] if isinstance(value, list) else value
