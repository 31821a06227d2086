"""``niah report --serve``: the page of a run under way, or of a folder's runs, for this machine alone.

Each page is made when it is asked for, anew when its runs have changed. The server answers nobody who came
by another name.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from urllib.parse import parse_qs, quote, unquote, urlsplit

from niah.api.compare import compare
from niah.errors import UserError
from niah.plots.report import write_live_page
from niah.plots.verdicts import Banner, comparison_banner
from niah.plots.view import RunLine, run_line, write_folder_page, write_message_page
from niah.runs.file.read import is_begun, read_run

HOST = "127.0.0.1"
_USUAL_PORT = 8765
_PAUSE = 4.0
"""A page rests so many times as long as it took to make: most of a core stays the run's."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_ASKS_VERSION = "version="


@dataclass
class _Made:
    """A page as it was made last: the version of its files, how long that took, and when it was."""

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
    _lock: Lock = field(default_factory=Lock)

    def page(self, address: str) -> bytes | None:
        """The page at an address, such as "/runs/quick"; None where there is none."""
        if (found := self._found(address)) is None:
            return None
        paths, write = found
        with self._lock:
            made = self._made.get(address, _Made())
            version = self._version(made, paths)
            if version != made.version:
                start = time.monotonic()
                body = self._written(write, version)
                made = self._made[address] = _Made(version, body, time.monotonic() - start, time.monotonic())
        return made.body

    def version(self, address: str) -> str | None:
        """That of the page which ``page`` would give now; None where there is none."""
        found = self._found(address)
        return found and self._version(self._made.get(address, _Made()), found[0])

    def runs(self) -> list[Path]:
        """The run files, the latest changed first."""
        if self.target.is_file():
            return [self.target]
        known = [path for path in self.target.glob("*.sqlite") if path.is_file()]
        return sorted(
            known, key=lambda path: (-max((each[0] for each in _states(path)), default=0), path.name)
        )

    def _version(self, made: _Made, paths: Sequence[Path]) -> str:
        """Of the files as they are; of the page as it was made, while that is too young to be made again."""
        if made.version and time.monotonic() - made.at < _PAUSE * made.took_s:
            return made.version
        return "-".join(f"{changed:x}.{size:x}" for path in paths for changed, size in _states(path))

    def _found(self, address: str) -> tuple[list[Path], Callable[[Path, str], None]] | None:
        """The files that a page shows, and how it is written."""
        parts = urlsplit(address)
        by_name = {path.stem: path for path in self.runs()}
        if parts.path == "/" and not self.target.is_file():
            return list(by_name.values()), self._write_folder
        if parts.path == "/":
            names = list(by_name)
        elif parts.path == "/compare":
            names = list(dict.fromkeys(parse_qs(parts.query).get("run", [])))
        else:
            names = [unquote(parts.path.removeprefix("/runs/"))] if parts.path.startswith("/runs/") else []
        paths = [by_name[name] for name in names if name in by_name]
        return (paths, lambda path, version: _write_runs(path, paths, version)) if paths else None

    def _write_folder(self, path: Path, version: str) -> None:
        lines = []
        for run in self.runs():
            address = f"/runs/{quote(run.stem, safe='')}"
            try:
                lines.append(run_line(read_run(run), address))
            except UserError as error:
                lines.append(RunLine(run.stem, address, problem=error.message))
        if not lines:
            raise UserError(f"{self.target} holds no run files.", "niah run writes them to runs/.")
        write_folder_page(path, f"Runs in {self.target}", lines, version)

    def _written(self, write: Callable[[Path, str], None], version: str) -> bytes:
        """What ``write`` puts into a file; a page that says why where it cannot."""
        with TemporaryDirectory(prefix="niah-view-") as scratch:
            path = Path(scratch) / "index.html"
            try:
                write(path, version)
            except UserError as error:
                write_message_page(path, str(self.target), str(error), version)
            return path.read_bytes()


def _write_runs(path: Path, paths: Sequence[Path], version: str) -> None:
    runs = [read_run(each) for each in paths]
    for run in runs:
        if not run.records:
            raise UserError(
                f"{run.name} holds no trials yet.", "It is shown as soon as its first are planned."
            )
    runs.sort(key=lambda run: run.invocations[-1].started_at if run.invocations else "")
    banner = _banner([run.path for run in runs]) if len(runs) == 2 else None
    write_live_page(runs, path.parent, version, banner)


def _banner(paths: Sequence[Path]) -> Banner | None:
    """Of two runs: whether the later one is worse; None where they do not compare."""
    earlier, later = paths
    try:
        return comparison_banner(compare(earlier, later, common=True).comparison, earlier.stem, later.stem)
    except UserError:
        return None


def _states(path: Path) -> list[tuple[int, int]]:
    """Time and size of a run file, and of the log beside it to which a run under way writes first."""
    files = (each for each in (path, path.with_name(f"{path.name}-wal")) if each.is_file())
    found = (each.stat() for each in files)
    return [(status.st_mtime_ns, status.st_size) for status in found if status.st_size]


@contextmanager
def view_server(target: Path, port: int | None = None) -> Iterator[ThreadingHTTPServer]:
    """A server of a run's or a folder's pages; ``serve_forever`` answers.

    Args:
        target: a run file, or a folder of run files.
        port: 0 for any that is free; without it the usual one, or a free one where that is taken.

    Raises UserError where the port is taken or may not be used, and RunFileError for a file that is no run.
    """
    if target.is_file():
        is_begun(target)
    pages = LivePages(target)

    class Handler(_Handler):
        live = pages

    try:
        server = ThreadingHTTPServer((HOST, _USUAL_PORT if port is None else port), Handler)
    except OSError as error:
        if port is not None or error.errno != errno.EADDRINUSE:
            raise UserError(f"--port: {port}: {error.strerror}.", "Name another one.") from None
        server = ThreadingHTTPServer((HOST, 0), Handler)
    server.daemon_threads = True
    try:
        yield server
    finally:
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """GET, and nothing else."""

    live: LivePages
    server_version, sys_version = "niah", ""

    def do_GET(self) -> None:
        """A page, or its version."""
        assert isinstance(self.server, ThreadingHTTPServer)
        # Another site's name may be made to lead here.
        own = {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}
        if self.headers.get("Host") not in own:
            return self._send(421, b"This server answers under its own address alone.")
        address, separator, rest = self.path.rpartition(_ASKS_VERSION)
        if separator and not rest and address[-1:] in ("?", "&"):
            version = self.live.version(address[:-1])
            return (
                self._send(200, version.encode()) if version else self._send(404, b"There is no such page.")
            )
        body = self.live.page(self.path)
        if body is None:
            return self._send(404, b"There is no such page. The runs are listed at /.")
        return self._send(200, body, "text/html; charset=utf-8")

    def _send(self, status: int, body: bytes, kind: str = "text/plain; charset=utf-8") -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True  # the page was left meanwhile

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal is the user's."""
