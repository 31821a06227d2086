"""What a GGUF model file says of itself: its vocabulary, as a tokenizer.json, and its chat template.

Its beginning (ggml's docs/gguf.md) is read in a tenth of a second; the gguf package takes three to nine. A
stranger's chat template may never end: this module fills it in as a program of its own, within bounds.
"""

from __future__ import annotations

import json
import mmap
import struct
import subprocess
import sys
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, Field

from niah.errors import ConfigError

CONTROL, USER_DEFINED = 3, 4
"""Kinds of vocabulary entry (gguf.TokenType): of templates only; found in plain text before any merge."""

_STRING, _ARRAY = 8, 9
_NUMBERS = dict(enumerate("BbHhIif?")) | {10: "Q", 11: "q", 12: "d"}
"""``struct``'s names of the kinds of values that are no texts, by their numbers in the format."""
_PATIENCE_S = 20.0
_MOST_SECONDS, _MOST_MEMORY, _LONGEST = 2, 500_000_000, 100_000  # of a chat template
_REMEDY = "Give the model's tokenizer.json instead, or its name on the Hugging Face hub (owner/name)."

# How GPT-2 cuts text before it merges bytes (Radford et al. 2019, section 2.2: categories do not mix).
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# Its successors: a mark sticks to the word after it, and line breaks end a piece.
# (Contractions by ASCII letters, as llama.cpp spells them: to fold case would also take the long s for one.)
_LATER = (
    r"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{digits}"
    r"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_CUTS = {
    "gpt-2": (_GPT2,),
    **dict.fromkeys(("smollm", "starcoder", "refact", "command-r"), (r"\p{N}", _GPT2)),
    "llama-bpe": (_LATER.format(digits=r"\p{N}{1,3}"),),
    "qwen2": (_LATER.format(digits=r"\p{N}"),),
}
"""By ``tokenizer.ggml.pre``: expressions, each applied to what the ones before it left."""
_WHOLE_FIRST = "llama-bpe"  # a piece that is in the vocabulary is one token, whatever the merges say


class GgufVocabulary(BaseModel, strict=True, frozen=True):
    """The fields of a GGUF file that say how its model reads text and chats."""

    kind: str = Field(alias="tokenizer.ggml.model")
    pre: str = Field("default", alias="tokenizer.ggml.pre")
    tokens: list[str] = Field(alias="tokenizer.ggml.tokens")
    token_kinds: list[int] = Field([], alias="tokenizer.ggml.token_type")
    merges: list[str] = Field([], alias="tokenizer.ggml.merges")
    bos: int = Field(-1, alias="tokenizer.ggml.bos_token_id")
    eos: int = Field(-1, alias="tokenizer.ggml.eos_token_id")
    chat_template: str | None = Field(None, alias="tokenizer.chat_template")

    def of_kind(self, kind: int) -> list[tuple[int, str]]:
        """Ids and tokens of that kind."""
        kinds = zip(self.tokens, self.token_kinds, strict=False)
        return [(index, token) for index, (token, own) in enumerate(kinds) if own == kind]


def gguf_vocabulary(path: Path) -> GgufVocabulary:
    """The vocabulary and chat template of a GGUF file. Raises ConfigError."""
    try:
        return GgufVocabulary.model_validate(gguf_fields(path, "tokenizer."))
    except ValueError as error:  # pydantic's too
        problem = f"is no whole GGUF file ({' '.join(str(error).split())})."
        raise ConfigError(path, "", problem, _REMEDY) from None


def tokenizer_json(path: Path) -> bytes:
    """A tokenizer.json made from the vocabulary of a GGUF file. Raises ConfigError."""
    read = gguf_vocabulary(path)
    if read.kind != "gpt2" or read.pre not in _CUTS or not read.merges:
        problem = f"vocabularies {read.kind!r}, cut as in {read.pre!r}, are not read."
        raise ConfigError(path, "tokenizer.ggml", problem, _REMEDY)
    how = {"behavior": "Isolated", "invert": False}
    cuts = [{"type": "Split", "pattern": {"Regex": pattern}, **how} for pattern in _CUTS[read.pre]]
    to_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    added = [{"id": index, "content": token, **flags} for index, token in read.of_kind(USER_DEFINED)]
    vocabulary = {token: index for index, token in enumerate(read.tokens)}
    merges = [merge.split(" ") for merge in read.merges]
    pieces = {"type": "BPE", "vocab": vocabulary, "merges": merges, "ignore_merges": read.pre == _WHOLE_FIRST}
    cut = {"normalizer": None, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*cuts, to_bytes]}}
    whole = {"version": "1.0", "added_tokens": added, **cut, "decoder": to_bytes, "model": pieces}
    return orjson.dumps(whole)


def gguf_fields(path: Path, *beginnings: str) -> dict[str, Any]:
    """The values of a GGUF file whose names begin so. Raises ValueError for a file that is no whole one."""
    found = dict[str, Any]()
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ValueError("it does not begin with GGUF")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            try:
                version, _, fields = struct.unpack_from("<IQQ", data, 4)
                if version not in (2, 3):
                    raise ValueError(f"version {version} of the format is not known")
                at = 24
                for _ in range(fields):
                    (name,), at = _values(data, at, _STRING, 1)
                    (kind,), at = _values(data, at, 4, 1)
                    values, at = _values(data, at, kind, 1)
                    if name.startswith(beginnings):
                        found[name] = values[0]
            except (struct.error, KeyError):
                raise ValueError("it ends too early, or has a value of an unknown kind") from None
    return found


def _values(data: mmap.mmap, at: int, kind: int, count: int) -> tuple[list[Any], int]:
    """So many values of one kind from a place on, and where they end. Raises struct.error and KeyError."""
    if kind == _ARRAY:
        kind, length = struct.unpack_from("<IQ", data, at)
        values, at = _values(data, at + 12, kind if kind != _ARRAY else -1, length)
        return [values], at
    if kind != _STRING:
        form = struct.Struct(f"<{count}{_NUMBERS[kind]}")
        return list(form.unpack_from(data, at)), at + form.size
    found, length_at = list[str](), struct.Struct("<Q").unpack_from
    for _ in range(count):
        end = at + 8 + length_at(data, at)[0]
        if end > len(data):
            raise struct.error
        found.append(data[at + 8 : end].decode())
        at = end
    return found, at


def chat_prompt(model: GgufVocabulary, message: str) -> str | None:
    """The user's message in the model's chat template; None where that cannot be filled in within bounds."""
    tokens = dict(enumerate(model.tokens))
    special = {"bos_token": tokens.get(model.bos, ""), "eos_token": tokens.get(model.eos, "")}
    messages = [{"role": "user", "content": message}]
    values = {"messages": messages, "add_generation_prompt": True, **special}
    asked = json.dumps([model.chat_template, values]).encode()
    command = [sys.executable, "-m", "niah.text.gguf"]
    with suppress(subprocess.SubprocessError):
        done = subprocess.run(command, input=asked, capture_output=True, timeout=_PATIENCE_S, check=True)
        return done.stdout.decode("utf-8", "replace")
    return None


def _fill_in() -> None:
    """Write a template of standard input, as Transformers fills it in; exits with an error beyond bounds."""
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    with suppress(ImportError):  # on Windows the caller's patience must do
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))

    template, values = json.load(sys.stdin)
    extensions = ["jinja2.ext.loopcontrols"]
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=extensions)
    environment.filters["tojson"] = partial(json.dumps, ensure_ascii=False)
    environment.globals |= {"raise_exception": sys.exit, "strftime_now": datetime.now().strftime}
    text = environment.from_string(template).render(values)
    if len(text) > _LONGEST:
        sys.exit(1)
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    _fill_in()
