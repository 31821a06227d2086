"""A web server for this machine alone: it reads, and answers nobody who came by another name."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from niah.api.viewing.pages import LivePages
from niah.errors import UserError
from niah.runs.file.read_model import is_begun

HOST = "127.0.0.1"
USUAL_PORT = 8765

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_ASKS_VERSION = "version="


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
        server = ThreadingHTTPServer((HOST, USUAL_PORT if port is None else port), Handler)
    except OSError as error:
        if port is None and error.errno == errno.EADDRINUSE:
            server = ThreadingHTTPServer((HOST, 0), Handler)
        else:
            raise UserError(f"--port: {port}: {error.strerror}.", "Name another one.") from None
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
        if not self._is_for_us():
            return self._send(421, "This server answers under its own address alone.")
        address, separator, rest = self.path.rpartition(_ASKS_VERSION)
        if separator and not rest and address[-1:] in ("?", "&"):
            version = self.live.version(address[:-1])
            return self._send(200, version) if version else self._send(404, "There is no such page.")
        body = self.live.page(self.path)
        if body is None:
            return self._send(404, "There is no such page. The runs are listed at /.")
        return self._send(200, body, "text/html; charset=utf-8")

    def _is_for_us(self) -> bool:
        """Whether the browser came by our address: another site's name may be made to lead here."""
        assert isinstance(self.server, ThreadingHTTPServer)
        port = self.server.server_port
        return self.headers.get("Host") in {f"{name}:{port}" for name in (HOST, "localhost")}

    def _send(self, status: int, body: str | bytes, kind: str = "text/plain; charset=utf-8") -> None:
        content = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(content)
        except ConnectionError:
            self.close_connection = True  # the page was left meanwhile

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal is the user's."""
