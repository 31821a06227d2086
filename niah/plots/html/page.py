"""The page itself: one template, one style sheet, one script."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from niah.plots.html.template import filled

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


def rendered(values: Mapping[str, Any]) -> str:
    """The page. Every value is escaped as text; ``values`` holds no markup."""
    return filled(_STATIC / "report.html.jinja", values, stylesheet(), javascript())


def stylesheet() -> str:
    """All of the page's CSS."""
    return _read("report.css")


def javascript() -> str:
    """All of the page's JavaScript, in one strict function."""
    parts = "\n".join(_read(f"{name}.js") for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


def _read(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")
