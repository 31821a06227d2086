"""Nobody waits for compiling who need not.

Until all loops lie compiled in the cache, texts that the plain form is through with sooner take the plain
form, and a process of its own compiles meanwhile.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import cache
from importlib.util import find_spec

from niah.errors import UserError
from niah.plugins.optional import require
from niah.text.scanning.compiled import compiled_folder

WHEN = "NIAH_COMPILE"
"""An environment variable: "now" compiles what is asked for and waits, "never" does without."""
_COMPILE_ALL = "niah.retrieval.mixpr.kernels.compile_all"
# Loading the compiled loops takes half a second; so many characters take the plain form less.
_WORTH_LOADING = 1_000_000
# Whoever has not compiled them by then was stopped.
_COMPILING_S = 300
_started: list[subprocess.Popen[bytes]] = []
_asked = 0


def loops_for(size: int, most: int) -> bool:
    """Whether to use the compiled loops for a text, rather than the plain form of the same.

    A process that asks for little in all does without them; so does every one without numba (niah's extra
    `fast`).

    Args:
        size: of the text, in characters or bytes.
        most: from more on, the plain form takes longer than compiling.
    """
    if not _has_numba():
        return False
    match os.environ.get(WHEN):
        case "now":
            return True
        case "never":
            return False
    global _asked
    _asked += size
    if _asked < _WORTH_LOADING and "numba" not in sys.modules:
        return False
    if size > most or _are_compiled():
        return True
    _compile_meanwhile()
    return False


def require_loops(asker: str, instead: str) -> None:
    """Raise UserError without numba; for what takes hours without compiled loops.

    Args:
        asker: what needs them, as the user wrote it.
        instead: what does without, after "or".
    """
    require("numba", asker, extra="fast", instead=instead)


def note_all_compiled() -> None:
    """Tell all processes, these and later ones, that every loop lies compiled in the cache."""
    folder = compiled_folder()
    (folder / "compiled").touch()
    (folder / "compiling").unlink(missing_ok=True)


@cache
def _has_numba() -> bool:
    return find_spec("numba") is not None


def _are_compiled() -> bool:
    try:
        return (compiled_folder() / "compiled").exists()
    except UserError:  # no cache: compiling would have to be done each time
        return False


def _compile_meanwhile() -> None:
    """Unless somebody does."""
    try:
        folder = compiled_folder()
        folder.mkdir(parents=True, exist_ok=True)
        mark = folder / "compiling"
        if mark.exists() and time.time() - mark.stat().st_mtime > _COMPILING_S:
            mark.unlink(missing_ok=True)
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        _started.append(
            subprocess.Popen(
                [sys.executable, "-m", _COMPILE_ALL],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=os.environ | {WHEN: "now"},
                start_new_session=True,  # Ctrl-C is not for it
            )
        )
    except (OSError, UserError):
        return  # another process compiles, or nothing can be kept: the plain form does as well
