"""Run files by name."""

from __future__ import annotations

from pathlib import Path

from niah.errors import UnknownName

SUFFIX = ".sqlite"


def run_path(name: str) -> Path:
    """The run file that ``name`` means: a path, or a bare name in ``runs/``. Raises UnknownName."""
    folder = Path("runs")
    for candidate in (Path(name), folder / name, folder / f"{name}{SUFFIX}"):
        if candidate.is_file():
            return candidate
    raise UnknownName("run file", name, [path.stem for path in folder.glob(f"*{SUFFIX}")])
