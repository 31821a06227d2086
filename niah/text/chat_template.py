"""How many tokens a model's chat template puts around a prompt, where the template is at hand.

A GGUF file carries its model's; a folder of Hugging Face's has it in tokenizer_config.json or
chat_template.jinja, next to tokenizer.json. A stranger's template may never end: it is filled in by this
module as a program of its own (``python -m niah.text.chat_template``), within bounds of time and memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from niah.errors import ConfigError
from niah.text.tokenizer import TokenizerSource, find_source, load_definition, tokenizer_file

_PROMPT = "quartz"
_PATIENCE_S = 20.0
_MOST_SECONDS, _MOST_MEMORY, _LONGEST = 2, 500_000_000, 100_000
_Template = tuple[object, dict[str, str], list[str]]
"""A template, the special tokens that it may name, and tokens that count as one."""


def chat_template_tokens(name: str) -> int | None:
    """Tokens that the chat template of a tokenizer's model adds to a prompt of the user's; None if unknown.

    Raises UserError for a broken file or name.
    """
    return _tokens(find_source(name))


@lru_cache(maxsize=16)
def _tokens(source: TokenizerSource) -> int | None:
    if source.kind in ("encoding", "hub"):
        return None
    path = tokenizer_file(source)
    template, special, controls = _of_gguf(path) if path.suffix == ".gguf" else _of_folder(path.parent)
    asked = {"messages": [{"role": "user", "content": _PROMPT}], "add_generation_prompt": True, **special}
    command = [sys.executable, "-m", "niah.text.chat_template"]
    values = json.dumps({"template": template, "values": asked}).encode()
    try:
        done = subprocess.run(command, input=values, capture_output=True, timeout=_PATIENCE_S, check=True)
    except subprocess.SubprocessError:
        return None
    text = done.stdout.decode("utf-8", "replace")
    if text.count(_PROMPT) != 1:
        return None
    from tokenizers import AddedToken

    tokenizer = load_definition(path)
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in controls])
    whole, alone = (tokenizer.encode(part, add_special_tokens=False).ids for part in (text, _PROMPT))
    return len(whole) - len(alone)


def _of_gguf(path: Path) -> _Template:
    from niah.text.gguf import CONTROL, gguf_vocabulary

    read = gguf_vocabulary(path)
    tokens = dict(enumerate(read.tokens))
    special = {"bos_token": tokens.get(read.bos, ""), "eos_token": tokens.get(read.eos, "")}
    return read.chat_template, special, [token for _, token in read.of_kind(CONTROL)]


def _of_folder(folder: Path) -> _Template:
    path, config, special = folder / "tokenizer_config.json", dict[str, Any](), dict[str, str]()
    if path.is_file():
        try:
            config = dict(json.loads(path.read_bytes()))
        except (ValueError, TypeError) as error:
            raise ConfigError(path, "", f"is no JSON object: {error}.") from None
    for key in ("bos_token", "eos_token", "pad_token", "unk_token"):
        token = config.get(key)
        special[key] = str((token.get("content") if isinstance(token, dict) else token) or "")
    with suppress(FileNotFoundError):
        return (folder / "chat_template.jinja").read_text(encoding="utf-8"), special, []
    return config.get("chat_template"), special, []


def _fill_in() -> None:
    """Write a template of standard input, as Transformers fills it in; exits with an error beyond bounds."""
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    with suppress(ImportError):  # on Windows the caller's patience must do
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))

    def to_json(value: object, indent: int | None = None) -> str:
        return json.dumps(value, ensure_ascii=False, indent=indent)

    asked = json.load(sys.stdin)
    extensions = ["jinja2.ext.loopcontrols"]
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=extensions)
    environment.filters["tojson"] = to_json
    environment.globals |= {"raise_exception": sys.exit, "strftime_now": datetime.now().strftime}
    text = environment.from_string(asked["template"]).render(asked["values"])
    if len(text) > _LONGEST:
        sys.exit(1)
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    _fill_in()
