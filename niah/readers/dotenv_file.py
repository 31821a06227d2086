"""Keys and addresses from a ``.env`` file."""

from __future__ import annotations

from pathlib import Path


def load_dotenv_here() -> None:
    """Take over the working folder's ``.env``, if there is one; what the environment has stays."""
    file = Path(".env")
    if file.is_file():
        from dotenv import load_dotenv

        load_dotenv(file, override=False)
