"""The vocabularies that litellm carries as files: those of OpenAI's encodings, and Claude 2's.

Where litellm (niah's extra `providers`) is not installed, these files alone are fetched out of its
wheel, once.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from niah.weights import ensure_weights

ENCODINGS = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
"""niah's names and tiktoken's."""


def vocabulary_folder() -> Path:
    """The folder that holds them. Raises WeightsError where they are neither there nor can be fetched."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return ensure_weights("vocabularies")
    return Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"


def claude_file() -> Path:
    """Claude 2's tokenizer.json, the last tokenizer that Anthropic published."""
    return vocabulary_folder() / "anthropic_tokenizer.json"
