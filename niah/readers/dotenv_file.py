"""Keys and addresses from a ``.env`` file."""

from __future__ import annotations

from pathlib import Path

from niah.errors import ReaderConfigError


def load_dotenv_here() -> None:
    """Take over the working folder's ``.env``, if there is one; what the environment has stays.

    Raises ReaderConfigError where it is no text or cannot be read.
    """
    file = Path(".env")
    if file.is_file():
        from dotenv import load_dotenv

        try:
            load_dotenv(file, override=False)
        except (OSError, ValueError):  # bytes that are no UTF-8, or a NUL in a value
            problem = f"{file.absolute()} is no text file, or may not be read."
            raise ReaderConfigError(problem, "Write lines such as OPENAI_API_KEY=sk-...") from None
