"""Runs: plan, schedule, execute, store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from niah.errors import UnknownName
from niah.files import find


def run_path(run: Any) -> Path:
    """The file of a ``Run``, or of a path, or of a bare name in ``runs/``. Raises UserError."""
    try:
        return find("run file", str(getattr(run, "path", run)), [Path("runs")], (".sqlite",))
    except UnknownName as error:
        error.remedy = error.remedy or "None is in runs/ here: niah run makes one, or name the file itself."
        raise
