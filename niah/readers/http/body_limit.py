"""An end to replies that have none: no endpoint may fill this machine's memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

import httpx

# No answer is near it.
LARGEST_BODY = 64 * 2**20


async def limit_body(response: httpx.Response) -> None:
    """Make reading a body of more than 64 MiB an httpx.ReadError; a response hook of httpx's client."""
    stream = cast(httpx.AsyncByteStream, response.stream)
    response.stream = _Limited(stream)


class _Limited(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > LARGEST_BODY:
                raise httpx.ReadError(f"the reply has more than {LARGEST_BODY // 2**20} MiB")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
