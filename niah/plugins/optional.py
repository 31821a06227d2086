"""Libraries that an extra of niah's brings, and the one line where they are asked for and missing."""

from __future__ import annotations

from importlib.util import find_spec

from niah.errors import UserError


def require(module: str, asker: str, *, extra: str, instead: str) -> None:
    """Raise UserError where a library is not installed.

    Args:
        module: its name at import; it is not imported here.
        asker: what needs it, as the user wrote it.
        extra: the extra of niah's that brings it.
        instead: what does without, after "or".
    """
    if find_spec(module) is None:
        raise UserError(
            f"{asker} needs {module}, which is not installed.",
            f"Install niah with its extra {extra} (pip install '.[{extra}]' in its source), or {instead}.",
        )
