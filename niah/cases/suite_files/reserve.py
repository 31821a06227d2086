"""Tokens of each length that are kept for a reader's chat template."""

from __future__ import annotations

from pathlib import Path

from niah.cases.suite_files.suite_file import SuiteFile
from niah.errors import ConfigError
from niah.text.tokenizers.chat_template import chat_template_tokens


def reserved_tokens(path: Path, suite: SuiteFile) -> int:
    """Tokens that are kept of each length. Raises ConfigError."""
    if suite.reserve == "template":
        tokens = chat_template_tokens(suite.tokenizer)
        if tokens is None:
            problem = f"counts the chat template of {suite.tokenizer}, and none that can be counted is known."
            remedy = (
                "Write how many tokens it adds, or take the tokenizer of the model: a .gguf, or its folder."
            )
            raise ConfigError(path, "reserve", problem, remedy)
        return tokens
    least = min(suite.lengths, default=suite.reserve + 1)
    if suite.reserve >= least:
        problem = f"keeps {suite.reserve} tokens of a length of {least}."
        raise ConfigError(path, "reserve", problem, "Write fewer.")
    return suite.reserve
