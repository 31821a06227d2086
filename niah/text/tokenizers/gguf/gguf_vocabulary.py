"""The vocabulary inside a GGUF model file, as the tokenizer.json that reads text as llama.cpp does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from niah.errors import ConfigError
from niah.file_mistakes import first_mistake
from niah.text.tokenizers.gguf.gguf_fields import gguf_fields

_REMEDY = "Give the model's tokenizer.json instead, or its name on the Hugging Face hub (owner/name)."

# Kinds of vocabulary entry (gguf.TokenType): those that llama.cpp finds in plain text before any merge.
_USER_DEFINED = 4

# How GPT-2 cuts text before it merges bytes (Radford et al. 2019, section 2.2: categories do not mix).
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# Its successors: a mark sticks to the word after it, and line breaks end a piece.
# (Contractions by ASCII letters, as llama.cpp spells them: to fold case would also take the long s for one.)
_BEFORE_DIGITS = r"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|"
_AFTER_DIGITS = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_DIGIT = r"\p{N}"


@dataclass(frozen=True)
class _Cut:
    """How text is cut into pieces before bytes are merged.

    Attributes:
        patterns: expressions, each applied to what the ones before it left.
        whole_first: whether a piece that is in the vocabulary is one token, whatever the merges say.
    """

    patterns: tuple[str, ...]
    whole_first: bool = False


_DIGIT_BY_DIGIT = _Cut((_DIGIT, _GPT2))
# By ``tokenizer.ggml.pre``; each is compared with llama.cpp in the tests.
_CUTS = {
    "gpt-2": _Cut((_GPT2,)),
    "smollm": _DIGIT_BY_DIGIT,
    "starcoder": _DIGIT_BY_DIGIT,
    "refact": _DIGIT_BY_DIGIT,
    "command-r": _DIGIT_BY_DIGIT,
    "llama-bpe": _Cut((_BEFORE_DIGITS + r"\p{N}{1,3}" + _AFTER_DIGITS,), whole_first=True),
    "qwen2": _Cut((_BEFORE_DIGITS + _DIGIT + _AFTER_DIGITS,)),
}


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
    except ValueError as error:
        raise ConfigError(path, "", f"is no whole GGUF file ({error}).", _REMEDY) from None
    try:
        return GgufVocabulary.model_validate(fields)
    except ValidationError as error:
        mistake = first_mistake(GgufVocabulary, fields, error.errors())
        raise ConfigError(path, mistake.key, mistake.problem, _REMEDY) from None


def tokenizer_json(path: Path) -> bytes:
    """A tokenizer.json made from the vocabulary of a GGUF file.

    Raises:
        ConfigError: the file is not GGUF, or its vocabulary is of a kind that is not byte-pair encoding as
            niah knows it.
    """
    read = gguf_vocabulary(path)
    if read.kind != "gpt2":
        raise ConfigError(path, "tokenizer.ggml.model", f"vocabularies {read.kind!r} are not read.", _REMEDY)
    if read.pre not in _CUTS:
        raise ConfigError(path, "tokenizer.ggml.pre", f"text cut as in {read.pre!r} is not known.", _REMEDY)
    if read.merges is None:
        raise ConfigError(path, "tokenizer.ggml.merges", "is missing.", _REMEDY)
    return orjson.dumps(_definition(read, read.merges, _CUTS[read.pre]))


def _definition(read: GgufVocabulary, merges: list[str], cut: _Cut) -> dict[str, Any]:
    split = [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        for pattern in cut.patterns
    ]
    to_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    return {
        "version": "1.0",
        "added_tokens": [_added(token, index) for index, token in read.of_kind(_USER_DEFINED)],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*split, to_bytes]},
        "decoder": to_bytes,
        "model": {
            "type": "BPE",
            "vocab": {token: index for index, token in enumerate(read.tokens)},
            "merges": [merge.split(" ", 1) for merge in merges],
            "ignore_merges": cut.whole_first,
        },
    }


def _added(token: str, index: int) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    return {"id": index, "content": token, **flags}
