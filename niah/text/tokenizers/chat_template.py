"""How many tokens a model's chat template puts around a prompt, where the template is at hand.

A GGUF file carries its model's; a folder of Hugging Face's has it in tokenizer_config.json or
chat_template.jinja, beside tokenizer.json.
"""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from niah import weights
from niah.errors import ConfigError
from niah.text.tokenizers import render_chat
from niah.text.tokenizers.source import TokenizerSource, find_source

_PROMPT = "quartz"
_PATIENCE_S = 20.0
_CONTROL = 3
"""The kind of vocabulary entry (gguf.TokenType) that llama.cpp reads in templates only."""


def chat_template_tokens(name: str) -> int | None:
    """Tokens that the chat template of a tokenizer's model adds to a prompt; None where none is known.

    Counted as a server counts that reads a single message of the user's and is asked to answer it.

    Args:
        name: of a tokenizer.

    Raises:
        UserError: the name can stand for no tokenizer, or its file is broken.
        WeightsError: packaged weights cannot be fetched.
    """
    return _tokens(find_source(name))


@lru_cache(maxsize=16)
def _tokens(source: TokenizerSource) -> int | None:
    if source.kind in ("encoding", "hub"):
        return None
    path = weights.ensure_weights(source.where) if source.kind == "packaged" else Path(source.where)
    if path.suffix == ".gguf":
        return _of_gguf(path)
    return _of_folder(path if path.is_dir() else path.parent, path)


def _of_gguf(path: Path) -> int | None:
    from niah.text.tokenizers.gguf.gguf_vocabulary import gguf_vocabulary, tokenizer_json

    read = gguf_vocabulary(path)
    if read.chat_template is None:
        return None

    def special(index: int | None) -> str:
        return read.tokens[index] if index is not None and 0 <= index < len(read.tokens) else ""

    controls = [token for _, token in read.of_kind(_CONTROL)]
    values = {"bos_token": special(read.bos), "eos_token": special(read.eos)}
    return _count(tokenizer_json(path), path, controls, read.chat_template, values)


def _of_folder(folder: Path, tokenizer: Path) -> int | None:
    config = _config(folder / "tokenizer_config.json")
    template = config.get("chat_template")
    if (folder / "chat_template.jinja").is_file():
        template = (folder / "chat_template.jinja").read_text(encoding="utf-8")
    if not isinstance(template, str):
        return None
    values = {key: _content(config.get(key)) for key in ("bos_token", "eos_token", "pad_token", "unk_token")}
    path = tokenizer / "tokenizer.json" if tokenizer.is_dir() else tokenizer
    return _count(path.read_bytes(), path, [], template, values)


def _config(path: Path) -> dict[str, Any]:
    """What stands in a tokenizer_config.json; nothing where there is none. Raises ConfigError."""
    if not path.is_file():
        return {}
    try:
        config = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise ConfigError(path, "", f"is not JSON: {error.msg}.", "Mend it, or take it out.") from None
    return config if isinstance(config, dict) else {}


def _content(token: object) -> str:
    """The text of a special token, which may be written as a mapping."""
    text = token.get("content") if isinstance(token, dict) else token
    return text if isinstance(text, str) else ""


def _count(
    definition: bytes, source: Path, controls: list[str], template: str, values: dict[str, str]
) -> int | None:
    """Tokens of the whole conversation less those of the prompt; None for a template that fails on one."""
    from tokenizers import AddedToken

    from niah.text.tokenizers.hugging_face import load_definition

    message = {"role": "user", "content": _PROMPT}
    text = _rendered(template, {**values, "messages": [message], "add_generation_prompt": True})
    if text is None or text.count(_PROMPT) != 1:
        return None
    tokenizer = load_definition(definition, source)
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in controls])
    whole = tokenizer.encode(text, add_special_tokens=False)
    return len(whole.ids) - len(tokenizer.encode(_PROMPT, add_special_tokens=False).ids)


def _rendered(template: str, values: dict[str, Any]) -> str | None:
    """What a template makes of the values, in a process of its own: a stranger's may never end."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", render_chat.__name__],
            input=orjson.dumps({"template": template, "values": values}),
            capture_output=True,
            timeout=_PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
