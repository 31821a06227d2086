"""Every error niah raises on purpose, and the words that messages share.

    NiahError
    |-- UserError   the user's to mend: message and remedy, exit code 2, no traceback
    `-- Defect      a promise of our own broken (a failed audit); exits with a traceback

What goes wrong while one trial runs is not an exception but an outcome: see ``niah.readers.reader``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

_LONGEST = 1000  # characters of a message that are shown
_LONGEST_VALUE = 60
_MOST_LISTED = 400  # characters of names that are all listed

Say = Callable[[str], None]  # is called with a line for people


class NiahError(Exception):
    """Root of the tree."""


class UserError(NiahError):
    """Something the user can mend: what was wrong and where, and what to do about it, one line each."""

    exit_code = 2

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message, self.remedy = message, remedy

    def __str__(self) -> str:
        return printable(f"{shortened(self.message)} {self.remedy}".strip())


class ConfigError(UserError):
    """A file is wrong at ``key``, dotted ("needles.2.elements"); "" is the whole file."""

    def __init__(self, path: Path | str, key: str, problem: str, remedy: str = "") -> None:
        super().__init__(f"{path}: {key}: {problem}" if key else f"{path}: {problem}", remedy)
        self.path, self.key, self.problem = Path(path), key, problem
        self.others: Sequence[ConfigError] = ()  # what else is wrong in the same file or line

    @classmethod
    def of_all(cls, mistakes: Iterable[ConfigError]) -> ConfigError:
        """The first of one mistake or more, with the ``others``."""
        first, *first.others = mistakes
        return first


class UnknownName(UserError):
    """No ``kind`` ("needle set") is called ``name``; the nearest of ``known`` is suggested."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"no {kind} called {name!r}.", did_you_mean(name, known))


class HaystackError(UserError):
    """A haystack that cannot be read or is too short."""


class NeedleError(UserError):
    """A needle set that contradicts itself."""


class CaseError(UserError):
    """A case that cannot be built as asked; cases with the same hindrance share the words of ``reason``."""

    def __init__(self, message: str, remedy: str = "", reason: str = "") -> None:
        super().__init__(message, remedy)
        self.reason = reason or message


class OutsideError(UserError):
    """A retriever or system of the user's own that failed: for one question, or for each (``meets_all``)."""

    def __init__(self, message: str, remedy: str = "", *, meets_all: bool = False) -> None:
        super().__init__(message, remedy)
        self.meets_all = meets_all


class RunFileError(UserError):
    """A run file that cannot be read, or that belongs to another config."""


class Defect(NiahError):
    """A promise of our own broken. Not the user's to mend: it keeps its traceback."""


def printable(text: str) -> str:
    """The text with what is not UTF-8 in it escaped, as in names of files: "caf\\xe9.txt"."""
    escaped = re.sub("[\udc80-\udcff]", lambda half: f"\\x{ord(half[0]) - 0xDC00:02x}", text)
    return escaped.encode("utf-8", "replace").decode()


def shortened(message: str) -> str:
    """The beginning and the end of a long message, which fill no screen."""
    half = _LONGEST // 2
    return message if len(message) <= _LONGEST else f"{message[:half]} ... {message[-half:]}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 trial", "1,200 trials"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def as_yaml(value: object) -> str:
    """A value as YAML has it, for a message: 'lc', 3, true, a list."""
    if isinstance(value, list | dict):
        return f"{'a' if value else 'an empty'} {'list' if isinstance(value, list) else 'mapping'}"
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        return f"{value[:_LONGEST_VALUE]!r}..."
    if value is None or isinstance(value, bool):
        return "nothing" if value is None else str(value).lower()
    return repr(value)


def did_you_mean(name: str, known: Iterable[str], listing: str = "niah list") -> str:
    """A remedy that names the nearest of ``known``, or all of them; of many a few, and what lists all."""
    names = sorted(set(known))
    if near := get_close_matches(name, names):
        return f"Did you mean {near[0]!r}?"
    if sum(map(len, names)) <= _MOST_LISTED:
        return f"Known: {', '.join(names)}." if names else ""
    shown = get_close_matches(name, names, n=5, cutoff=0)
    return f"Known: {', '.join(shown)} and {len(names) - len(shown)} more: {listing}."
