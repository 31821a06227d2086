"""Fills in a chat template: a program of its own, since nobody knows what a stranger's template does.

Reads ``{"template", "values"}`` as JSON from standard input and writes the text. What such templates count on
is there: white space as Transformers treats it, loop controls, ``raise_exception``, ``tojson`` and the date.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from typing import Any

_MOST_SECONDS = 5
_MOST_MEMORY = 1 << 30
_LONGEST = 100_000
"""Characters of a conversation with one short message."""


def fill_in() -> None:
    """Exits with 1 where the template cannot be filled in within bounds."""
    _limit()
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    asked = json.load(sys.stdin)
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = _to_json
    environment.globals |= {"raise_exception": _refuse, "strftime_now": datetime.now().strftime}
    text = environment.from_string(asked["template"]).render(asked["values"])
    if len(text) > _LONGEST:
        sys.exit(1)
    sys.stdout.buffer.write(text.encode())


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows: the caller's patience must do
        return
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def _to_json(value: Any, ensure_ascii: bool = False, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)


def _refuse(message: str) -> None:
    raise ValueError(message)


if __name__ == "__main__":
    fill_in()
