"""What a tokenizer's name stands for, found without reading a vocabulary."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from niah.errors import UnknownName, UserError
from niah.text.tokenizers.provider_models import CLAUDE, TOKENIZER_PROVIDERS, tokenizer_of
from niah.text.tokenizers.vocabularies import claude_file

TokenizerKind = Literal["encoding", "packaged", "gguf", "json", "hub"]

SHORT_NAMES: dict[str, TokenizerKind] = {
    "cl100k": "encoding",
    "minilm": "packaged",
    "o200k": "encoding",
    "qwen": "packaged",
    "smollm2": "packaged",
}

_FORMS = ("path/to/tokenizer.json", "path/to/model.gguf", "owner/name of the hub", "provider/model")
_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")
_FORCES_HUB = "huggingface/"
_FILE = "tokenizer.json"
_LARGEST = 400_000_000
"""Bytes; those of the largest vocabularies have 40 million."""


@dataclass(frozen=True)
class TokenizerSource:
    """Where a tokenizer comes from.

    Attributes:
        name: what it is called: one of ``SHORT_NAMES`` where it is that tokenizer, else as the user wrote.
        kind: how it is read.
        where: absolute path of a file, a name on the hub, or one of ``SHORT_NAMES``.
        written: when a file was last written, in nanoseconds: one that changed is read again.
    """

    name: str
    kind: TokenizerKind
    where: str
    written: int = 0


def find_source(name: str) -> TokenizerSource:
    """What the name stands for: a short name, a file or folder that is there, a provider's model, the hub's.

    Asks no network and loads nothing; what a hub name or a file holds shows when it is opened.

    Raises:
        UnknownName: it can stand for nothing.
        UserError: a path without a tokenizer, or a provider without one.
    """
    if name in SHORT_NAMES:
        return TokenizerSource(name, SHORT_NAMES[name], name)
    path = Path(os.path.expanduser(name))  # noqa: PTH111 - Path's own raises for an unknown ~user
    if name and path.exists():
        return _in_file(name, path / _FILE if path.is_dir() else path)
    if path.suffix in {".json", ".gguf"} or name.startswith(("/", "./", "../", "~")):
        raise UserError(f"no tokenizer at {name!r}: no such file or folder.", "Check the path.")
    if name.partition("/")[0] in TOKENIZER_PROVIDERS and "/" in name:
        return _of_provider(name)
    on_hub = name.removeprefix(_FORCES_HUB)
    if _HUB_NAME.fullmatch(on_hub):
        return TokenizerSource(name, "hub", on_hub)
    raise UnknownName("tokenizer", name, [*SHORT_NAMES, *_FORMS])


def _in_file(name: str, path: Path) -> TokenizerSource:
    if not path.exists():
        raise UserError(
            f"the folder {name!r} holds no {_FILE}.",
            "Give a folder that does, or the path of a .gguf file.",
        )
    _check_file(name, path)
    kind: TokenizerKind = "gguf" if path.suffix == ".gguf" else "json"
    return TokenizerSource(name, kind, str(path.absolute()), path.stat().st_mtime_ns)


def _check_file(name: str, path: Path) -> None:
    """A file of this machine's disk, which has an end."""
    if not path.is_file():
        raise UserError(
            f"the tokenizer {name!r} is no file.", "Give the path of a tokenizer.json, or a .gguf."
        )
    if path.suffix != ".gguf" and path.stat().st_size > _LARGEST:
        problem = f"the tokenizer {name!r} has more than {_LARGEST // 10**6} MB."
        raise UserError(problem, "Is it a tokenizer.json?")


def _of_provider(name: str) -> TokenizerSource:
    found = tokenizer_of(name)
    return TokenizerSource(name, "json", str(claude_file())) if found == CLAUDE else find_source(found)
