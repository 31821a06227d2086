"""Compiling the few loops that see every byte of a text, with numba, once per machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from niah.paths import cache

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """``function`` as machine code, kept in the user's cache folder; NUMBA_CACHE_DIR overrides that.

    The first call ever compiles it (seconds), the first of a process loads it (milliseconds). numba notices a
    changed file, but not changes in what it calls: a kernel and its helpers stand in one file. Importing
    numba takes half a second, so modules of kernels are imported where they are used.
    """
    from numba import config, njit

    settings = vars(config)
    before = settings["CACHE_DIR"]
    settings["CACHE_DIR"] = before or str(cache() / "numba")
    try:
        return cast(Function, njit(cache=True, nogil=True)(function))
    finally:
        settings["CACHE_DIR"] = before
