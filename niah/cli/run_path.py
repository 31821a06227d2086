"""Run files by name."""

from __future__ import annotations

import os
from pathlib import Path

from niah.errors import UnknownName, UserError

SUFFIX = ".sqlite"


def run_path(name: str) -> Path:
    """The run file that ``name`` means: a path, or a bare name in ``runs/``. Raises UserError."""
    folder = Path("runs")
    for candidate in (Path(name), folder / name, folder / f"{name}{SUFFIX}"):
        if candidate.is_file():
            if not os.access(candidate, os.R_OK):
                raise UserError(f"{candidate} may not be read.", "Change its permissions.")
            return candidate
    if name and Path(name).is_dir():
        raise UserError(f"{name} is a folder, not a run file.", "Name a file in it.")
    known = [path.stem for path in folder.glob(f"*{SUFFIX}") if path.is_file()]
    raise UnknownName("run file", name, known)
