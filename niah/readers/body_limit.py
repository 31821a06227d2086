"""An end to replies that have none: no endpoint may fill this machine's memory."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from typing import cast

import httpx

LARGEST_BODY = 64 * 2**20
"""Bytes, unpacked; no answer is near it."""
ACCEPTED = "gzip, deflate"
"""The encodings that a reply may come in. Unpacked here: 2 MiB of gzip may hold 2 GiB."""


async def limit_body(response: httpx.Response) -> None:
    """Make reading a body of more than 64 MiB an httpx.ReadError; a response hook of httpx's."""
    stream = cast(httpx.AsyncByteStream, response.stream)
    encoding = response.headers.pop("content-encoding", "identity").strip().lower()
    response.stream = _Limited(stream, encoding)


class _Limited(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, encoding: str) -> None:
        self._stream = stream
        self._encoding = encoding

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise httpx.ReadError(f"the reply is encoded as {self._encoding!r}, which was not asked for")
        packed = None if self._encoding in ("", "identity") else zlib.decompressobj(zlib.MAX_WBITS | 32)
        size = 0
        async for chunk in self._stream:
            try:
                part = packed.decompress(chunk, LARGEST_BODY - size + 1) if packed else chunk
            except zlib.error as error:
                raise httpx.ReadError(f"the reply is no {self._encoding}: {error}") from None
            size += len(part)
            if size > LARGEST_BODY:
                raise httpx.ReadError(f"the reply has more than {LARGEST_BODY // 2**20} MiB")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
