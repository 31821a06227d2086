"""The vocabularies that litellm carries as files: those of OpenAI's encodings, and Claude 2's."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from niah.errors import UserError

ENCODINGS = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
"""niah's names and tiktoken's."""


def vocabulary_folder() -> Path:
    """The folder that holds them. Raises UserError where litellm is not installed."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        raise UserError(
            "the package litellm, which carries the vocabularies, is not installed.",
            "Run: pip install litellm",
        )
    return Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"


def claude_file() -> Path:
    """Claude 2's tokenizer.json, the last tokenizer that Anthropic published."""
    return vocabulary_folder() / "anthropic_tokenizer.json"
