"""The vocabulary inside a GGUF model file, as the tokenizer.json that reads text as llama.cpp does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from niah.errors import ConfigError

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


def tokenizer_json(path: Path) -> bytes:
    """A tokenizer.json made from the vocabulary of a GGUF file.

    Raises:
        ConfigError: the file is not GGUF, or its vocabulary is of a kind that is not byte-pair encoding as
            niah knows it.
    """
    fields = gguf_fields(path)
    kind, pre = fields.get("tokenizer.ggml.model"), fields.get("tokenizer.ggml.pre", "default")
    if kind != "gpt2":
        raise ConfigError(path, "tokenizer.ggml.model", f"vocabularies {kind!r} are not read.", _REMEDY)
    if pre not in _CUTS:
        raise ConfigError(path, "tokenizer.ggml.pre", f"text cut as in {pre!r} is not known.", _REMEDY)
    return orjson.dumps(_definition(fields, _CUTS[pre]))


def gguf_fields(path: Path) -> dict[str, Any]:
    """The file's fields that describe its vocabulary and chat template. Raises ConfigError."""
    return _fields(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _fields(path: Path, written: int) -> dict[str, Any]:
    """Those of a file ``written`` then, read once."""
    from gguf import GGUFReader

    try:
        fields = GGUFReader(path).fields
        return {key: field.contents() for key, field in fields.items() if key.startswith("tokenizer.")}
    except (ValueError, IndexError, KeyError) as error:  # what a cut or foreign file ends in
        raise ConfigError(path, "", f"is no whole GGUF file ({error}).", _REMEDY) from None


def _definition(fields: dict[str, Any], cut: _Cut) -> dict[str, Any]:
    tokens: list[str] = fields["tokenizer.ggml.tokens"]
    kinds: list[int] = fields.get("tokenizer.ggml.token_type", [])
    split = [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        for pattern in cut.patterns
    ]
    to_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    return {
        "version": "1.0",
        "added_tokens": [
            _added(token, index)
            for index, (token, kind) in enumerate(zip(tokens, kinds, strict=False))
            if kind == _USER_DEFINED
        ],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*split, to_bytes]},
        "decoder": to_bytes,
        "model": {
            "type": "BPE",
            "vocab": {token: index for index, token in enumerate(tokens)},
            "merges": [merge.split(" ", 1) for merge in fields["tokenizer.ggml.merges"]],
            "ignore_merges": cut.whole_first,
        },
    }


def _added(token: str, index: int) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    return {"id": index, "content": token, **flags}
