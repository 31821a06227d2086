"""Short questions to an endpoint before any work, with what Python brings: no client is loaded for them."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import SplitResult, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from niah.readers.endpoint.address import is_loopback

_LONGEST_S = 5.0
_BETWEEN_BYTES_S = 3.0
_LARGEST_REPLY = 4 * 2**20


class _NoRedirects(HTTPRedirectHandler):
    """The key is for this address."""

    def redirect_request(self, *told: object) -> None:
        return None


def opener_for(api_base: str) -> OpenerDirector:
    """What asks that address: no proxy stands before this very machine, and no redirect is followed."""
    return build_opener(*([ProxyHandler({})] if is_loopback(api_base) else []), _NoRedirects)


def parts_without_user(api_base: str) -> SplitResult:
    """The parts of an address, without user and password, which go in a header; a query stays."""
    parts = urlsplit(api_base)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="")


def json_reply(opener: OpenerDirector, request: Request) -> Any:
    """The JSON of a reply; None of what is none, of what is far too long, and of what takes too long.

    Raises HTTPError for a reply that is no success, OSError or HTTPException for none at all.
    """
    until, text = time.monotonic() + _LONGEST_S, b""
    with opener.open(request, timeout=_BETWEEN_BYTES_S) as reply:
        while part := reply.read1(2**16):
            text += part
            if len(text) > _LARGEST_REPLY or time.monotonic() > until:
                return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
