"""Pages from templates: one style sheet, one script, every value escaped, and no code but the page's own."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Template

_STATIC = Path(__file__).resolve().parent / "static"

# In the order in which they need each other.
_SCRIPTS = (
    "dom",
    "data",
    "labels",
    "state",
    "tally",
    "facets",
    "heatmaps",
    "grid",
    "matrix",
    "marks",
    "trial",
    "drawer",
    "trials",
    "tables",
    "figures",
    "keys",
    "main",
)


def render_page(values: Mapping[str, Any]) -> str:
    """The page. Every value is escaped as text; ``values`` holds no markup."""
    return fill_template(_STATIC / "report.html.jinja", values, stylesheet(), javascript())


def stylesheet() -> str:
    """All of the page's CSS."""
    return _read("report.css")


def javascript() -> str:
    """All of the page's JavaScript, in one strict function."""
    parts = "\n".join(_read(f"{name}.js") for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


def _read(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def fill_template(template: Path, values: Mapping[str, Any], style: str, script: str) -> str:
    """A page with one style sheet and one script.

    Args:
        template: a file; it has ``style``, ``script`` and their ``policy`` too.
        values: escaped as text; they hold no markup.
    """
    return _template(template).render(values, style=style, script=script, policy=_policy(style, script))


def _policy(style: str, script: str) -> str:
    """A content security policy: this style, this script and embedded pictures; no network, no other code."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _template(path: Path) -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(path.parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(path.name)
