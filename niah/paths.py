"""Where data lives: what ships with the package, what the user keeps, what is cached."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """The shipped data folder of that name ("haystacks", "needles", "cases", "runs").

    An installed wheel carries them inside the package; a source tree has them at its top.
    """
    packaged = _PACKAGE / "data" / folder
    return packaged if packaged.is_dir() else _PACKAGE.parent / folder


def cache() -> Path:
    """The user's cache folder, created on demand. ``NIAH_CACHE`` overrides it."""
    folder = Path(os.environ.get("NIAH_CACHE") or platformdirs.user_cache_dir("niah"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
