"""What is known of the code behind a user's own function, without importing it."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from niah.retrieval.brought.function import find_modules_in
from niah.retrieval.brought.reference import PYTHON, kind_of


def code_of(reference: str) -> str:
    """Digest of the file that holds the function; "" of a service, and where there is no such file.

    Another file that it imports may change unseen.
    """
    if kind_of(reference) != "function":
        return ""
    module = reference.removeprefix(PYTHON).rpartition(":")[0]
    try:
        return hashlib.sha256(_file_of(module).read_bytes()).hexdigest()[:16]
    except (OSError, ValueError, ImportError):
        return ""


def _file_of(module: str) -> Path:
    """Raises ImportError where there is none."""
    if module.endswith(".py"):
        return Path(module).expanduser()
    find_modules_in(Path.cwd())
    found = importlib.util.find_spec(module)
    if found is None or not found.origin:
        raise ImportError(module)
    return Path(found.origin)
