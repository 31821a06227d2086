"""What the preparing model is asked: templates that ship, each with a version."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

_VERSION = re.compile(r"\A\{#\s*version:\s*(\S+)\s*#\}\n")


def render(name: str, **fields: Any) -> str:
    """The prompt that a template makes of its fields."""
    from jinja2 import Environment, StrictUndefined

    # Ours alone; what is filled in is never read as a template.
    return Environment(undefined=StrictUndefined).from_string(_source(name)).render(fields)


@cache
def template_identity(name: str) -> str:
    """Name, version and digest: what makes two prompts the same."""
    digest = hashlib.sha256(_source(name).encode()).hexdigest()[:12]
    found = _VERSION.match(_text(name))
    assert found is not None
    return f"{name}@{found[1]}#{digest}"


@cache
def _source(name: str) -> str:
    return _VERSION.sub("", _text(name)).rstrip("\n")


def _text(name: str) -> str:
    return (_folder() / f"{name}.jinja").read_text(encoding="utf-8")


def _folder() -> Path:
    return Path(__file__).with_name("templates")
