"""The pages of runs as they are now: each is made when it is asked for, anew when its runs have changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from urllib.parse import parse_qs, quote, unquote, urlsplit

from niah.api.compare import compare_runs
from niah.errors import UserError
from niah.plots.report import write_live_page
from niah.plots.verdicts import Banner, comparison_banner
from niah.plots.view import RunLine, run_line, write_folder_page, write_message_page
from niah.runs.file.read_model import read_run, read_scores

_SUFFIX = ".sqlite"
_PAUSE = 4.0
"""A page rests so many times as long as it took to make: most of a core stays the run's."""


@dataclass
class _Made:
    """A page as it was made last.

    Attributes:
        version: of what it shows.
        body: the page.
        took_s: to make it.
        at: when that was, by the monotonic clock.
    """

    version: str = ""
    body: bytes = b""
    took_s: float = 0.0
    at: float = 0.0


@dataclass
class LivePages:
    """The pages of one run, or of a folder's runs.

    Attributes:
        target: a run file or a folder.
    """

    target: Path
    _made: dict[str, _Made] = field(default_factory=dict)
    _lines: dict[tuple[Path, str], RunLine] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def page(self, address: str) -> bytes | None:
        """The page at an address, such as "/runs/quick"; None where there is none."""
        found = self._found(address)
        if found is None:
            return None
        paths, write = found
        with self._lock:
            made = self._made.setdefault(address, _Made())
            version = self._version(made, paths)
            if version != made.version:
                start = time.monotonic()
                body = _written(lambda path: write(path, version), self.target, version)
                self._made[address] = made = _Made(version, body, time.monotonic() - start, time.monotonic())
        return made.body

    def version(self, address: str) -> str | None:
        """That of the page which ``page`` would give now; None where there is none."""
        found = self._found(address)
        return found and self._version(self._made.get(address, _Made()), found[0])

    def runs(self) -> list[Path]:
        """The run files, the latest changed first."""
        if self.target.is_file():
            return [self.target]
        known = [path for path in self.target.glob(f"*{_SUFFIX}") if path.is_file()]
        return sorted(known, key=lambda path: (-_changed(path), path.name))

    def _version(self, made: _Made, paths: Sequence[Path]) -> str:
        """Of the files as they are; of the page as it was made, while that is too young to be made again."""
        if made.version and time.monotonic() - made.at < _PAUSE * made.took_s:
            return made.version
        return _digest(paths)

    def _found(self, address: str) -> tuple[list[Path], Callable[[Path, str], None]] | None:
        """The files that a page shows, and how it is written."""
        parts = urlsplit(address)
        by_name = {path.stem: path for path in self.runs()}
        if parts.path == "/" and self.target.is_file():
            paths = [self.target]
        elif parts.path == "/":
            return list(by_name.values()), self._write_folder
        elif parts.path == "/compare":
            names = dict.fromkeys(parse_qs(parts.query).get("run", []))
            paths = [by_name[name] for name in names if name in by_name]
        elif parts.path.startswith("/runs/"):
            name = unquote(parts.path.removeprefix("/runs/"))
            paths = [by_name[name]] if name in by_name else []
        else:
            return None
        return (paths, lambda path, version: _write_runs(path, paths, version)) if paths else None

    def _write_folder(self, path: Path, version: str) -> None:
        lines = [self._line(run) for run in self.runs()]
        if not lines:
            raise UserError(f"{self.target} holds no run files.", "niah run writes them to runs/.")
        write_folder_page(path, f"Runs in {self.target}", lines, version)

    def _line(self, path: Path) -> RunLine:
        """Of a run; those that have not changed are not read again."""
        key = path, _digest([path])
        if key not in self._lines:
            address = f"/runs/{quote(path.stem, safe='')}"
            try:
                self._lines[key] = run_line(read_scores(path), address)
            except UserError as error:
                return RunLine(path.stem, address, problem=error.message)
        return self._lines[key]


def _written(write: Callable[[Path], None], target: Path, version: str) -> bytes:
    """What ``write`` puts into a file; a page that says why where it cannot."""
    with TemporaryDirectory(prefix="niah-view-") as scratch:
        path = Path(scratch) / "index.html"
        try:
            write(path)
        except UserError as error:
            write_message_page(path, str(target), str(error), version)
        return path.read_bytes()


def _write_runs(path: Path, paths: Sequence[Path], version: str) -> None:
    runs = [read_run(each) for each in paths]
    for run in runs:
        if not run.records:
            raise UserError(
                f"{run.name} holds no trials yet.", "It is shown as soon as its first ones are planned."
            )
    runs.sort(key=lambda run: run.invocations[-1].started_at if run.invocations else "")
    banner = _banner([run.path for run in runs]) if len(runs) == 2 else None
    write_live_page(runs, path.parent, version, banner)


def _banner(paths: Sequence[Path]) -> Banner | None:
    """Of two runs: whether the later one is worse; None where they do not compare."""
    earlier, later = paths
    try:
        comparison = compare_runs(earlier, later, common=True)
    except UserError:
        return None
    return comparison_banner(comparison, earlier.stem, later.stem)


def _digest(paths: Sequence[Path]) -> str:
    """Of the files as they are."""
    return "-".join(
        f"{status.st_mtime_ns:x}.{status.st_size:x}" for path in paths for status in _statuses(path)
    )


def _changed(path: Path) -> int:
    return max((status.st_mtime_ns for status in _statuses(path)), default=0)


def _statuses(path: Path) -> list[os.stat_result]:
    """Of a run file, and of the log beside it to which a run under way writes first; it may be empty."""
    found = []
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = each.stat()
        except FileNotFoundError:
            continue
        if status.st_size:
            found.append(status)
    return found
