"""One question to a reader at a real loopback endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from niah.readers.reader import Failure, Request, Response
from niah.readers.retry import Reader
from tests.loopback import Post, Reply, replying

KEY = "Zq7-private-0123456"
"""What readers send here, and must keep to themselves."""


def reason(response: Response) -> str:
    assert isinstance(response, Failure)
    assert response.outcome == "reader_error"
    return response.reason


def ask(
    open_reader: Callable[[str], AbstractAsyncContextManager[Reader]], reply: Reply, request: Request
) -> tuple[Response, list[Post], dict[str, str | int]]:
    """The reading of a request whose every attempt gets that reply, what was posted, and settings."""
    posts: list[Post] = []

    def answer(post: Post) -> Reply:
        posts.append(post)
        return reply

    async def main(address: str) -> tuple[Response, list[Post], dict[str, str | int]]:
        async with open_reader(address) as reader:
            reading = await reader.read(request)
            assert KEY not in repr(reader) + repr(reading) + repr(reader.settings)
            return reading, posts, reader.settings

    with replying(answer) as address:
        return asyncio.run(main(address))
