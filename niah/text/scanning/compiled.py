"""Compiling the few loops that see every byte of a text, with numba, once per machine.

What is compiled lies in the user's cache folder, by what the loops' sources say: another version or another
environment of niah with the same loops finds it there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache as once
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

from niah.paths import cache

Function = TypeVar("Function", bound=Callable[..., object])

LOOPS = (
    "niah.text.scanning.kernels.character_kernel",
    "niah.text.scanning.kernels.short_span_kernel",
    "niah.text.scanning.kernels.utf8_kernel",
    "niah.retrieval.mixpr.kernels.term_kernel",
    "niah.retrieval.mixpr.kernels.term_stream_kernel",
    "niah.retrieval.mixpr.kernels.walk_kernel",
    "niah.retrieval.mixpr.kernels.threshold_kernel",
)
"""The modules of compiled loops."""
# Compiled loops have in them what they take from these.
_INSIDE = ("niah.text.scanning.characters", "niah.text.scanning.kernels.bits")
_WITHOUT_COUNTING: dict[str, Any] = {"_nrt": False}


def compiled(function: Function) -> Function:
    """``function`` as machine code, kept in the user's cache folder; NUMBA_CACHE_DIR overrides that.

    The first call ever compiles it (seconds), the first of a process loads it (milliseconds). Importing numba
    takes half a second, so modules of loops are imported where they are used.

    A loop makes no array, all are given to it: so numba need not count references, with which a loop whose
    parts have names took six times as long.
    """
    from numba import config, njit

    settings = vars(config)
    before = settings["CACHE_LOCATOR_CLASSES"]
    settings["CACHE_LOCATOR_CLASSES"] = f"{__name__}.{BySources.__name__}"
    try:
        return cast(Function, njit(cache=True, nogil=True, **_WITHOUT_COUNTING)(function))
    finally:
        settings["CACHE_LOCATOR_CLASSES"] = before


def inlined(function: Function) -> Function:
    """A part of a compiled loop, with a name: numba writes it out wherever it stands."""
    from numba import njit

    return cast(Function, njit(inline="always", **_WITHOUT_COUNTING)(function))


def compiled_folder() -> Path:
    """Where this Python and this numba keep these loops; it need not be there."""
    top = Path(os.environ.get("NUMBA_CACHE_DIR") or cache() / "numba")
    return top / f"{_sources()}-{sys.implementation.cache_tag}-numba-{_numba_version()}"


class BySources:
    """Tells numba where a function is kept (``numba.core.caching._CacheLocator``)."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., object], path: str) -> BySources | None:
        """None where nothing can be written, as numba wants it."""
        found = cls(function)
        try:
            found.ensure_cache_path()
        except OSError:
            return None
        return found

    def ensure_cache_path(self) -> None:
        """Raises OSError."""
        compiled_folder().mkdir(parents=True, exist_ok=True)
        if not os.access(compiled_folder(), os.W_OK):
            raise PermissionError(f"{compiled_folder()} cannot be written")

    def get_cache_path(self) -> str:
        """For all functions alike."""
        return str(compiled_folder())

    def get_source_stamp(self) -> str:
        """A function is compiled anew when any loop changes, since loops call each other."""
        return _sources()

    def get_disambiguator(self) -> str:
        """Of functions of one name."""
        return str(self._line)


@once
def _sources() -> str:
    """What the loops and what is in them are, in 16 digits."""
    hasher = sha256()
    for name in (*LOOPS, *_INSIDE):
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        hasher.update(Path(spec.origin).read_bytes())
    return hasher.hexdigest()[:16]


@once
def _numba_version() -> str:
    return version("numba")
