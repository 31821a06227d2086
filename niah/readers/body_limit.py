"""An end to replies that have none: no endpoint may fill this machine's memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

import httpx

LARGEST_BODY = 64 * 2**20
"""Bytes; no answer is near it."""
ACCEPTED = "identity"
"""The encoding that a reply may come in: 2 MiB of gzip may hold 2 GiB."""


async def limit_body(response: httpx.Response) -> None:
    """A response hook of httpx's: reading an encoded body, or one of over 64 MiB, is an httpx.ReadError."""
    stream = cast(httpx.AsyncByteStream, response.stream)
    response.stream = _Limited(stream, response.headers.pop("content-encoding", ACCEPTED).strip().lower())


class _Limited(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, encoding: str) -> None:
        self._stream, self._encoding = stream, encoding

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._encoding not in ("", ACCEPTED):
            raise httpx.ReadError(f"the reply is encoded as {self._encoding!r}, which was not asked for")
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > LARGEST_BODY:
                raise httpx.ReadError(f"the reply has more than {LARGEST_BODY // 2**20} MiB")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
