"""Pages from templates: one style sheet, one script, every value escaped, and no code but the page's own."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.files import atomic_write

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
    "charts",
    "keys",
    "live",
    "main",
)


def write_report_html(path: Path, values: Mapping[str, Any], *, served: bool = False) -> None:
    """Write the page to ``path``. Every value is escaped as text; ``values`` holds no markup."""
    write_page(path, _STATIC / "report.html.jinja", values, stylesheet(), javascript(), served=served)


def stylesheet() -> str:
    """All of the page's CSS."""
    return _read("report.css")


def javascript() -> str:
    """All of the page's JavaScript, in one strict function."""
    parts = "\n".join(_read(f"{name}.js") for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


def live_script() -> str:
    """The JavaScript of a page that does no more than to follow what it shows."""
    return f'"use strict";\n(() => {{\n{_read("live.js")}followRun();\nbackToPlace();\n}})();\n'


def _read(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def write_page(
    path: Path, template: Path, values: Mapping[str, Any], style: str, script: str, *, served: bool = False
) -> None:
    """Write a page with one style sheet and one script, whole or not at all, piece by piece.

    Args:
        path: of the page; its folder is made if need be.
        template: a file; it has ``style``, ``script`` and their ``policy`` too.
        values: escaped as text; they hold no markup. An iterator is asked for the next
            one when what it gave is written.
        served: it may ask the server that it comes from, and send its forms there; others ask nobody.
    """
    policy = _policy(style, script, served=served)
    filled = _template(template).generate(values, style=style, script=script, policy=policy)
    with atomic_write(path) as file:
        for piece in filled:
            file.write(piece.encode())


def _policy(style: str, script: str, *, served: bool) -> str:
    """A content security policy: this style, this script and embedded pictures; no network, no other code."""
    own = "'self'" if served else "'none'"
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            "img-src data:",
            "base-uri 'none'",
            f"connect-src {own}",
            f"form-action {own}",
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
