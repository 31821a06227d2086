"""An end to replies that have none: no endpoint may fill this machine's memory."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable
from typing import cast

import httpx

# No answer is near it.
LARGEST_BODY = 64 * 2**20

ACCEPTED = "gzip, deflate"
"""The encodings that a reply may come in. Unpacked here: a bomb of 2 MiB unpacks to 2 GiB."""

_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


async def limit_body(response: httpx.Response) -> None:
    """Make reading a body of more than 64 MiB, unpacked, an httpx.ReadError; a response hook of httpx's."""
    stream = cast(httpx.AsyncByteStream, response.stream)
    encoding = response.headers.pop("content-encoding", "identity").strip().lower()
    response.stream = _Limited(stream, encoding)


class _Limited(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, encoding: str) -> None:
        self._stream = stream
        self._encoding = encoding

    async def __aiter__(self) -> AsyncIterator[bytes]:
        unpack, size = _unpacker(self._encoding), 0
        async for chunk in self._stream:
            part = unpack(chunk, LARGEST_BODY - size + 1)
            size += len(part)
            if size > LARGEST_BODY:
                raise httpx.ReadError(f"the reply has more than {LARGEST_BODY // 2**20} MiB")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


def _unpacker(encoding: str) -> Callable[[bytes, int], bytes]:
    """Unpacks one chunk after another, to so many bytes at most."""
    if encoding in ("", "identity"):
        return lambda chunk, most: chunk
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise httpx.ReadError(f"the reply is encoded as {encoding!r}, which was not asked for")
    packed = zlib.decompressobj(_GZIP_OR_ZLIB)

    def unpack(chunk: bytes, most: int) -> bytes:
        try:
            return packed.decompress(chunk, most)
        except zlib.error as error:
            raise httpx.ReadError(f"the reply is no {encoding}: {error}") from None

    return unpack
