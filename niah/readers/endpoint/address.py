"""The address of an endpoint: whether it is one, and whether anybody listens there, asked before any work."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit
from urllib.request import getproxies

from niah.errors import ReaderConfigError

_CONNECT_S = 10.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def checked_address(address: str, what: str, example: str) -> str:
    """An address of the web, without spaces around it. Raises ReaderConfigError.

    Args:
        address: as the user wrote it.
        what: it is the address of, for the message.
        example: of such an address.
    """
    try:
        parts = urlsplit(address.strip())
        parts.port  # noqa: B018 - raises when it is no number
        # urlsplit overlooks line breaks, and what comes after one may be taken for another header.
        clean = address.strip().isprintable() and " " not in address.strip()
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and clean
    except ValueError:
        whole = False
    if not whole:
        raise ReaderConfigError(
            # It may hold a password, and nobody can tell where.
            f"{what} {_hidden(address)!r} is no web address.",
            f"Give the endpoint's address with its scheme, such as {example}.",
        )
    return address.strip()


def _hidden(address: str) -> str:
    """What is no address, without all that may be a password."""
    start, at, rest = address.partition("?")[0].rpartition("@")
    return f"***{at}{rest}" if start else rest


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
