"""How many tokens a model's chat template puts around a prompt, where the template is at hand.

A GGUF file carries its model's; a folder of Hugging Face's has it in tokenizer_config.json or
chat_template.jinja, next to tokenizer.json. A stranger's template may never end: it is filled in by this
module as a program of its own (``python -m niah.text.chat_template``), within bounds of time and memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from niah.errors import ConfigError
from niah.text.tokenizer import TokenizerSource, definition_in, find_source, load_definition, tokenizer_file

_PROMPT = "quartz"
_PATIENCE_S = 20.0
_MOST_SECONDS, _MOST_MEMORY, _LONGEST = 2, 500_000_000, 100_000


def chat_template_tokens(name: str) -> int | None:
    """Tokens that the chat template of a tokenizer's model adds to a prompt; None where none is known.

    Counted as a server counts that reads a single message of the user's and is asked to answer it.

    Args:
        name: of a tokenizer.

    Raises:
        UserError: the name has no form of a tokenizer's, or its file is broken.
        WeightsError: packaged weights cannot be fetched.
    """
    return _tokens(find_source(name))


@lru_cache(maxsize=16)
def _tokens(source: TokenizerSource) -> int | None:
    if source.kind in ("encoding", "hub"):
        return None
    path = tokenizer_file(source)
    template, values, controls = _of_gguf(path) if path.suffix == ".gguf" else _of_folder(path.parent)
    if template is None:
        return None
    message = {"role": "user", "content": _PROMPT}
    text = _rendered(template, {**values, "messages": [message], "add_generation_prompt": True})
    if text is None or text.count(_PROMPT) != 1:
        return None
    from tokenizers import AddedToken

    tokenizer = load_definition(definition_in(path), path)
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in controls])
    whole, alone = (tokenizer.encode(part, add_special_tokens=False).ids for part in (text, _PROMPT))
    return len(whole) - len(alone)


_Chat = tuple[str | None, dict[str, str], list[str]]
"""A template, the special tokens that it may name, and tokens that count as one."""


def _of_gguf(path: Path) -> _Chat:
    from niah.text.gguf import CONTROL, gguf_vocabulary

    read = gguf_vocabulary(path)
    special = {
        name: read.tokens[index] if index is not None and 0 <= index < len(read.tokens) else ""
        for name, index in (("bos_token", read.bos), ("eos_token", read.eos))
    }
    return read.chat_template, special, [token for _, token in read.of_kind(CONTROL)]


def _of_folder(folder: Path) -> _Chat:
    path = folder / "tokenizer_config.json"
    try:
        config: dict[str, Any] = json.loads(path.read_bytes()) if path.is_file() else {}
    except ValueError as error:
        raise ConfigError(path, "", f"is not JSON: {error}.", "Mend it, or take it out.") from None
    config = config if isinstance(config, dict) else {}
    template = config.get("chat_template")
    if (folder / "chat_template.jinja").is_file():
        template = (folder / "chat_template.jinja").read_text(encoding="utf-8")
    values = {}
    for key in ("bos_token", "eos_token", "pad_token", "unk_token"):
        token = config.get(key)
        text = token.get("content") if isinstance(token, dict) else token
        values[key] = text if isinstance(text, str) else ""
    return template if isinstance(template, str) else None, values, []


def _rendered(template: str, values: dict[str, Any]) -> str | None:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "niah.text.chat_template"],
            input=json.dumps({"template": template, "values": values}).encode(),
            capture_output=True,
            timeout=_PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def _fill_in() -> None:
    """Write a template of standard input, filled in; exits with an error where that is not within bounds.

    What such templates count on is there: white space as Transformers treats it, loop controls,
    ``raise_exception``, ``tojson`` and the date.
    """
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    except ImportError:  # Windows: the caller's patience must do
        pass

    def refuse(message: str) -> None:
        raise ValueError(message)

    asked = json.load(sys.stdin)
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = lambda value, indent=None: json.dumps(
        value, ensure_ascii=False, indent=indent
    )
    environment.globals |= {"raise_exception": refuse, "strftime_now": datetime.now().strftime}
    text = environment.from_string(asked["template"]).render(asked["values"])
    if len(text) > _LONGEST:
        sys.exit(1)
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    _fill_in()
