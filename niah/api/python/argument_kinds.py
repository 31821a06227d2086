"""What the arguments of public functions may be; anything else is one line that names the argument."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from numbers import Integral, Real
from os import PathLike
from typing import ParamSpec, TypeVar

from niah.errors import UserError, printable
from niah.files import telling_of_files

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class ArgumentKind:
    """What an argument may be.

    Attributes:
        words: the same for people: "a text".
        fits: whether a value is of it.
    """

    words: str
    fits: Callable[[object], bool]

    @property
    def or_none(self) -> ArgumentKind:
        """This, or None, which is as if the argument were left out."""
        return ArgumentKind(f"{self.words}, or None", lambda value: value is None or self.fits(value))

    @property
    def or_several(self) -> ArgumentKind:
        """One, or a list of them."""
        return ArgumentKind(
            f"{self.words}, or a list of such",
            lambda value: (
                self.fits(value)
                or (
                    isinstance(value, Collection)
                    and not isinstance(value, str | Mapping)
                    and all(map(self.fits, value))
                )
            ),
        )


TEXT = ArgumentKind("a text", lambda value: isinstance(value, str))
PATH = ArgumentKind("a name or a path", lambda value: _is_path(value))
NUMBER = ArgumentKind("a number", lambda value: isinstance(value, Real) and not isinstance(value, bool))
WHOLE = ArgumentKind(
    "a whole number", lambda value: isinstance(value, Integral) and not isinstance(value, bool)
)
FLAG = ArgumentKind("True or False", lambda value: isinstance(value, bool))


_LONGEST_PATH, _LONGEST_PART = 4095, 255
"""Bytes of a path, and of a name in it, that file systems take."""


def _is_path(value: object) -> bool:
    """Whether a file or folder can be called so."""
    text = value.__fspath__() if isinstance(value, PathLike) else value
    if not isinstance(text, str) or "\0" in text or printable(text) != text:
        return False
    try:
        parts = os.fsencode(text).split(os.fsencode(os.sep))
    except UnicodeEncodeError:
        return False
    letters = sum(map(len, parts)) + len(parts) - 1
    return 0 < letters <= _LONGEST_PATH and max(map(len, parts)) <= _LONGEST_PART


def check_argument(argument: str, value: object, kind: ArgumentKind) -> None:
    """Raise UserError for a value that the argument cannot be."""
    if not kind.fits(value):
        given = " ".join(repr(value).split())  # an array fills several lines
        raise UserError(f"the argument {argument} is {given}.", f"Give {kind.words}.")


def takes(**kinds: ArgumentKind) -> Callable[[Callable[_Given, _Result]], Callable[_Given, _Result]]:
    """Have a function raise UserError where an argument is none of what it may be, or names no usable file.

    Args:
        kinds: by the argument's name; those that are not here, the function checks itself.
    """

    def checked(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
        own = signature(function)

        @wraps(function)
        def call(*args: _Given.args, **kwargs: _Given.kwargs) -> _Result:
            try:
                given = own.bind(*args, **kwargs).arguments
            except TypeError:  # Python says it in its own words, with the function's name
                return function(*args, **kwargs)
            for name in kinds.keys() & given.keys():
                check_argument(name, given[name], kinds[name])
            with telling_of_files():
                return function(*args, **kwargs)

        return call

    return checked
