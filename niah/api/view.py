"""``niah report RUN --serve``: the page of a run under way, for this machine alone."""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from niah.api.report import check_has_trials
from niah.errors import UserError
from niah.plots.report import write_live_page
from niah.runs.file.read import is_begun, read_run

HOST = "127.0.0.1"
_USUAL_PORT = 8765
_PAUSE = 4.0
"""A page stays for so many times as long as it took to make: most of a core is the run's."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_NOTHING_YET = "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=2><p>{}</p>"


@dataclass
class LivePage:
    """The page of a run file, made anew when the file has changed."""

    path: Path
    version: str = ""
    body: bytes = b""
    stays_until: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    def renew(self) -> tuple[str, bytes]:
        """The version of the run file that the page shows, and the page."""
        with self._lock:
            files = (self.path, self.path.with_name(f"{self.path.name}-wal"))  # a run writes to the log first
            states = [path.stat() for path in files if path.is_file()]
            version = "-".join(f"{each.st_mtime_ns:x}.{each.st_size:x}" for each in states if each.st_size)
            start = time.monotonic()
            if version != self.version and start >= self.stays_until:
                self.version, self.body = version, self._made(version)
                end = time.monotonic()
                self.stays_until = end + _PAUSE * (end - start)
            return self.version, self.body

    def _made(self, version: str) -> bytes:
        try:
            check_has_trials(run := read_run(self.path))
        except UserError as error:
            return _NOTHING_YET.format(escape(str(error))).encode()
        with TemporaryDirectory(prefix="niah-view-") as scratch:
            return write_live_page([run], Path(scratch), version).read_bytes()


@contextmanager
def view_server(path: Path, port: int | None = None) -> Iterator[ThreadingHTTPServer]:
    """A server of a run file's page; ``serve_forever`` answers.

    ``port`` is 0 for any that is free; without it the usual one, or a free one where that is taken. Raises
    UserError for a port that cannot be used, and RunFileError for a file that is no run.
    """
    is_begun(path)
    handler = type("Handler", (_Handler,), {"live": LivePage(path)})
    try:
        server = ThreadingHTTPServer((HOST, _USUAL_PORT if port is None else port), handler)
    except OSError as error:
        if port is not None or error.errno != errno.EADDRINUSE:
            raise UserError(f"--port: {port}: {error.strerror}.", "Name another one.") from None
        server = ThreadingHTTPServer((HOST, 0), handler)
    server.daemon_threads = True
    with server:
        yield server


class _Handler(BaseHTTPRequestHandler):
    """GET, and nothing else."""

    live: LivePage
    server_version, sys_version = "niah", ""

    def do_GET(self) -> None:
        """The page, or its version."""
        assert isinstance(self.server, ThreadingHTTPServer)
        # The name of another site may lead here.
        if self.headers.get("Host") not in {
            f"{name}:{self.server.server_port}" for name in (HOST, "localhost")
        }:
            return self._send(421, b"This server answers under its own address alone.")
        if self.path not in ("/", "/?version="):
            return self._send(404, b"There is no such page.")
        version, body = self.live.renew()
        if self.path != "/":
            return self._send(200, version.encode())
        return self._send(200, body, "text/html; charset=utf-8")

    def _send(self, status: int, body: bytes, kind: str = "text/plain; charset=utf-8") -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True  # the browser has left the page

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing to the terminal."""
