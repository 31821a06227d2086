"""Cache folders without what earlier runs were told and worked out."""

from __future__ import annotations

from pathlib import Path

from niah.files import cache_folder

_SLOW_TO_MAKE = ("weights", "numba")


def fresh_cache(folder: Path) -> Path:
    """Make the folder a cache without answers, vectors and counts.

    Weights and compiled code are the user's own: they take minutes to fetch and to make.
    """
    folder.mkdir()
    for name in _SLOW_TO_MAKE:
        kept = cache_folder() / name
        kept.mkdir(exist_ok=True)
        (folder / name).symlink_to(kept.resolve(), target_is_directory=True)
    return folder
