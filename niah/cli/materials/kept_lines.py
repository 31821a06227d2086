"""Lines of ``niah list`` about what ships, kept in the user's cache: to make them takes seconds.

They count as long as niah and what ships with it are as they were: a stamp over the size and the time of each
of their files tells. Nothing is kept of what users or other packages bring, nor of what cannot be read; and
nothing kept is used where a working folder has anything by the name of something that ships.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from niah import __version__
from niah.errors import UserError
from niah.paths import cache, shipped

FOLDERS = {
    "needle-sets": ("needles", "needles/families"),
    "haystacks": ("haystacks",),
    "suites": ("cases",),
    "question-sets": ("cases/questions",),
    "runs": ("runs",),
    "prompts": ("cases/prompts",),
}
"""Where the files of each kind are, in the working folder as in what ships."""

_CONFIGS = {"runs": (".yaml", ".yml")}
"""Endings of the files that count in folders where others lie as well."""

_PACKAGE = Path(__file__).resolve().parents[2]

Lines = Mapping[str, str]
"""About each name of a kind, in the order in which they are listed."""


class KeptLines:
    """What is kept, read once; ``close`` keeps what was added."""

    def __init__(self) -> None:
        self._stamp = _stamp()
        self._usable = not any(
            own_names(kind) & _names(shipped(top) / rest, _CONFIGS.get(kind, ()))
            for kind, folders in FOLDERS.items()
            for top, _, rest in (folder.partition("/") for folder in folders)
        )
        self._lines = self._read() if self._usable else {}
        self._changed = False

    def get(self, kind: str) -> Lines | None:
        """The lines of all of a kind that ships, where they are known."""
        return self._lines.get(kind)

    def keep(self, kind: str, lines: Lines) -> None:
        """Remember the lines of all of a kind that ships."""
        self._lines[kind] = dict(lines)
        self._changed = True

    def close(self) -> None:
        """Write what was added; where that cannot be, the lines are made anew the next time."""
        if not (self._changed and self._usable):
            return
        from niah.files import atomic_write

        kept = {"stamp": self._stamp, "lines": self._lines}
        with suppress(OSError, UserError), atomic_write(_file()) as file:
            file.write(json.dumps(kept).encode())

    def _read(self) -> dict[str, Lines]:
        """What the file holds, if it is of now; nothing where it is broken."""
        try:
            kept = json.loads(_file().read_bytes())
            lines: dict[str, Lines] = {
                str(kind): {str(name): str(line) for name, line in each.items()}
                for kind, each in kept["lines"].items()
            }
            return lines if kept["stamp"] == self._stamp else {}
        except (OSError, UserError, ValueError, KeyError, TypeError, AttributeError):
            return {}


def own_names(kind: str) -> set[str]:
    """Names of what the working folder may have of a kind; none where it is what ships itself."""
    names: set[str] = set()
    for folder in FOLDERS[kind]:
        top, _, rest = folder.partition("/")
        if Path(folder).resolve() != (shipped(top) / rest).resolve():
            names |= _names(Path(folder), _CONFIGS.get(kind, ()))
    return names


def _names(folder: Path, endings: tuple[str, ...]) -> set[str]:
    """Names of what lies in a folder, without endings and without the folders of other kinds."""
    try:
        entries = [path.name for path in folder.iterdir()]
    except OSError:
        return set()
    inner = {Path(each).name for folders in FOLDERS.values() for each in folders if "/" in each}
    found = (Path(name) for name in entries if name not in inner)
    return {path.name.partition(".")[0] for path in found if not endings or path.suffix in endings} - {""}


def _file() -> Path:
    return cache() / "list.json"


def _stamp() -> str:
    """Changes with niah's version, its code, and the files that ship."""
    tops = {folder.partition("/")[0] for folders in FOLDERS.values() for folder in folders}
    roots = [_PACKAGE, *(shipped(top) for top in sorted(tops))]
    found = sorted({file for root in roots for file in _files(root)})
    return hashlib.sha256(json.dumps([__version__, found]).encode()).hexdigest()


def _files(folder: str | Path) -> Iterator[tuple[str, int, int]]:
    """Path, size and time of every file that is code or data."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _files(entry.path)
        elif not entry.name.endswith((".sqlite", "-wal", "-shm", ".draft")):
            about = entry.stat()
            yield entry.path, about.st_size, about.st_mtime_ns
