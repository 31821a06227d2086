"""Whether anybody listens at an address, asked before any work."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit
from urllib.request import getproxies

_CONNECT_S = 10.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def why_nothing_listens(address: str) -> str | None:
    """Why no connection is made, in words; None where one is, and behind a proxy, where nobody can tell."""
    parts = urlsplit(address)
    if getproxies() and not is_loopback(address):
        return None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=_CONNECT_S).close()
    except OSError as error:
        return error.strerror or str(error)
    return None


def is_loopback(address: str) -> bool:
    """Whether it is of this very machine."""
    return urlsplit(address).hostname in _LOOPBACK
