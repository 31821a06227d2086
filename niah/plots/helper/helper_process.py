"""The process that helps to draw the figures of a large run; started before anything heavy is imported."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

# Bytes of run files: what takes longer to draw than another process takes to start. Some 5,000 trials.
_WORTH_HELP = 6_000_000
_HELPER = "niah.plots.helper.drawing_helper"
# Python looks for garbage among what is imported, a tenth of a second of it, and finds none.
_START = "import gc, runpy; gc.disable(); runpy.run_module({!r}, run_name='__main__')"


@dataclass(frozen=True)
class Ahead:
    """What the helper draws before it is told the trials: figures of scores alone, which it reads itself.

    Attributes:
        paths: of run files.
        folder: for the figures.
    """

    paths: tuple[Path, ...]
    folder: Path


@dataclass(frozen=True)
class Helper:
    """Another process that draws figures; ``ahead``: some of them before it is told the trials."""

    to: IO[bytes]
    back: IO[bytes]
    ahead: bool = False


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def drawing_helper(paths: Sequence[Path], ahead: Path | None = None) -> Iterator[Helper | None]:
    """Another process that gets ready to draw while this one reads; None where it is not worth its while.

    Args:
        paths: of the run files; those that are not there have no size.
        ahead: the folder for figures that the helper draws before it is told the trials; without it, none.
    """
    size = sum(path.stat().st_size for path in paths if path.exists())
    if size < _WORTH_HELP or _processors() < 2:
        yield None
        return
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", _START.format(_HELPER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is the parent's to handle
        )
    except OSError:
        yield None
        return
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with suppress(OSError):  # whoever asks it for figures finds out
            pickle.dump(None if ahead is None else Ahead(tuple(paths), ahead), process.stdin)
            process.stdin.flush()
        yield Helper(process.stdin, process.stdout, ahead is not None)
    finally:
        process.kill()
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.stdout.close()
        process.wait()
