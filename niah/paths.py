"""Where data lives: what ships with the package, what the user keeps, what is cached."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import platformdirs

from niah.errors import UserError


@lru_cache(maxsize=16)
def shipped(folder: str) -> Path:
    """The shipped data folder of that name ("haystacks", "needles", "cases", "runs").

    An installed wheel carries them inside the package; a source tree has them at its top.
    """
    package = Path(__file__).resolve().parent
    packaged = package / "data" / folder
    return packaged if packaged.is_dir() else package.parent / folder


def places(folder: str) -> list[Path]:
    """Where files of that folder are looked for by name: in the working folder's own, then in the shipped."""
    return [Path(folder), shipped(folder)]


def check_nights_folder(folder: Path) -> None:
    """Raise UserError where the folder that is to hold the run files of nights is none."""
    if not folder.is_dir():
        problem = "a file, not a folder." if folder.exists() else "no such folder."
        remedy = "Name the one that holds the run files of the nights; --name picks a config's."
        raise UserError(f"{folder}: {problem}", remedy)


def cache() -> Path:
    """The user's cache folder, created on demand. ``NIAH_CACHE`` overrides it. Raises UserError."""
    folder = Path(os.environ.get("NIAH_CACHE") or platformdirs.user_cache_dir("niah"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"the cache folder {folder} cannot be made: {error.strerror}."
        raise UserError(problem, "Set NIAH_CACHE to a folder that is writable.") from None
    return folder
