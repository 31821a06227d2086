"""How many tokens the chat template of a GGUF model puts around a prompt.

A stranger's template may never end: it is filled in by this module as a program of its own
(``python -m niah.text.chat_template``), within bounds of time and memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from datetime import datetime
from functools import lru_cache, partial

from niah.text.tokenizer import TokenizerSource, find_source, load_definition, tokenizer_file

_PROMPT = "quartz"
_PATIENCE_S = 20.0
_MOST_SECONDS, _MOST_MEMORY, _LONGEST = 2, 500_000_000, 100_000


def chat_template_tokens(name: str) -> int | None:
    """Tokens that the chat template of a tokenizer's model adds to a prompt of the user's; None if unknown.

    Raises UserError for a broken file or name.
    """
    return _tokens(find_source(name))


@lru_cache(maxsize=16)
def _tokens(source: TokenizerSource) -> int | None:
    path = None if source.kind in ("encoding", "hub") else tokenizer_file(source)
    if path is None or path.suffix != ".gguf":
        return None
    from niah.text.gguf import CONTROL, gguf_vocabulary

    read = gguf_vocabulary(path)
    tokens = dict(enumerate(read.tokens))
    special = {"bos_token": tokens.get(read.bos, ""), "eos_token": tokens.get(read.eos, "")}
    asked = {"messages": [{"role": "user", "content": _PROMPT}], "add_generation_prompt": True, **special}
    command = [sys.executable, "-m", "niah.text.chat_template"]
    values = json.dumps({"template": read.chat_template, "values": asked}).encode()
    try:
        done = subprocess.run(command, input=values, capture_output=True, timeout=_PATIENCE_S, check=True)
    except subprocess.SubprocessError:
        return None
    text = done.stdout.decode("utf-8", "replace")
    if text.count(_PROMPT) != 1:
        return None
    from tokenizers import AddedToken

    _, tokenizer = load_definition(path)
    tokenizer.add_special_tokens([AddedToken(token, special=True) for _, token in read.of_kind(CONTROL)])
    whole, alone = (tokenizer.encode(part, add_special_tokens=False).ids for part in (text, _PROMPT))
    return len(whole) - len(alone)


def _fill_in() -> None:
    """Write a template of standard input, as Transformers fills it in; exits with an error beyond bounds."""
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    with suppress(ImportError):  # on Windows the caller's patience must do
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))

    asked = json.load(sys.stdin)
    extensions = ["jinja2.ext.loopcontrols"]
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=extensions)
    environment.filters["tojson"] = partial(json.dumps, ensure_ascii=False)
    environment.globals |= {"raise_exception": sys.exit, "strftime_now": datetime.now().strftime}
    text = environment.from_string(asked["template"]).render(asked["values"])
    if len(text) > _LONGEST:
        sys.exit(1)
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    _fill_in()
