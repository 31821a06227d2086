"""Readers that are asked in batches, at half the price, within a day: OpenAI's form and Anthropic's.

A provider's batch carries our id at the beginning of every ``custom_id``.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import orjson

from niah.event_loop import within
from niah.readers import credentials
from niah.readers.dialect import request_body
from niah.readers.litellm_reader import LiteLLMReader, import_litellm
from niah.readers.openai_compatible import OpenAICompatibleReader, client_options, encoded
from niah.readers.outcomes import Fault, failure, fault_in_reply, mapping, one_line, read_completion
from niah.readers.reader import Batch, Failure, Lasting, Request, Response
from niah.readers.retry import Reader

if TYPE_CHECKING:
    import httpx

WITHOUT = "--reader-option mode=chat asks without batches, in the same run file."
_LATE_S, _EARLIER_S = 5.0, 600.0  # so late a batch may appear on the list; so slow a provider's clock may be
_MIB = 2**20
_UNANSWERED = ("batch_expired", "batch_cancelled", "expired", "canceled")  # and not paid for


class BatchFault(Exception):
    """Why a batch was not submitted, looked up or collected; ``is_refused``: there is certainly none."""

    def __init__(self, failed: Failure, status: int | None = None, is_refused: bool = False) -> None:
        self.status, self.is_refused = status, is_refused
        why = failed.lasting or Lasting(1, "The same command goes on.")
        self.why = replace(why, reason=failed.reason, in_a_row=1, is_mistake=False)

    def about(self, what: str, remedy: str, is_mistake: bool = False) -> Lasting:
        """Why, with what it is about before the reason, and ``remedy``, if there is one, for its own."""
        reason, remedy = f"{what}: {self.why.reason}", f"{remedy or self.why.remedy} {WITHOUT}"
        return replace(self.why, reason=reason, remedy=remedy, is_mistake=is_mistake)


class _Batches(Reader):
    """What both forms have in common. ``read`` asks without a batch."""

    most_requests: ClassVar[int]
    most_bytes: ClassVar[int]  # a batch that has so many gets no more
    _mode = "batch"
    _path: ClassVar[str]  # of batches
    _after: ClassVar[str]  # the parameter of the list's next page

    async def create(self, body: bytes) -> str:
        """Submit a batch once; the provider's id, "" where the reply has none. Raises BatchFault."""
        return str((await self._call("POST", self._path, once=True, content=body)).get("id") or "")

    async def look_up(self, batch: Batch, known: Collection[str]) -> str | None:
        """The provider's id of a batch that may have been submitted: "" for none, None where it is not known.
        ``known`` are ids of other batches. Raises BatchFault."""
        await asyncio.sleep(max(0.0, batch.intended_at + _LATE_S - time.time()))
        may_be = False
        async for listed in self._listed(batch.intended_at - _EARLIER_S):
            if (provider_id := listed.get("id")) not in (None, *known):
                if is_it := await self._is(listed, batch):
                    return str(provider_id)
                may_be |= is_it is None
        return None if may_be else ""

    async def _is(self, listed: Mapping[str, Any], batch: Batch) -> bool | None:
        """Whether a batch on the provider's list is this one; None where that is seen when it has ended."""
        raise NotImplementedError

    async def _where(self) -> tuple[str, dict[str, str], dict[str, str]]:
        """Address, headers and query of requests."""
        raise NotImplementedError

    async def _listed(self, since: float) -> AsyncIterator[Mapping[str, Any]]:
        """The provider's batches, the newest first, as far back as ``since``."""
        more: dict[str, str] = {}
        while True:
            page = await self._call("GET", self._path, params={"limit": "100", **more})
            data = page.get("data")
            rows = [row for row in data if isinstance(row, dict)] if isinstance(data, list) else []
            for row in rows:
                yield row
            if not (page.get("has_more") and rows) or _seconds(rows[-1].get("created_at")) < since:
                return
            more = {self._after: str(rows[-1].get("id"))}

    async def _results(self, path: str) -> dict[str, Any]:
        """The lines of a file of results by ``custom_id``; what is no JSON object is left out."""
        found: dict[str, Any] = {}
        for line in (await self._content("GET", path)).splitlines():
            if isinstance(row := self._said(line), dict):
                found.setdefault(str(row.get("custom_id")), row)
        return found

    async def _call(self, method: str, path: str, **sent: Any) -> dict[str, Any]:
        if isinstance(read := self._said(await self._content(method, path, **sent)), dict):
            return read
        raise BatchFault(Failure("reader_error", f"{method} {path} gave no JSON object"))

    async def _content(self, method: str, path: str, *, once: bool = False, **sent: Any) -> bytes:
        """The body of a successful reply; asked ``once``, what may have been done is not asked again."""
        import httpx

        (base, headers, query), last = await self._where(), Fault("no reply")
        client = httpx.AsyncClient(**client_options(base, headers, 1024 * _MIB), params=query)

        async def attempt() -> bytes | Failure | Fault:
            nonlocal last
            try:
                reply = await client.request(method, base + path, **sent)
                if reply.is_success:
                    return reply.content
                last = fault_in_reply(reply.status_code, self._said(reply.content), reply.headers)
            except httpx.HTTPError as error:
                said = credentials.redact(f"no reply: {error or type(error).__name__}", self._secrets)
                last = Fault(one_line(said))
            return failure(last) if once and not last.limited else last

        async with client:
            result = await self.ask(attempt)
        if isinstance(result, bytes):
            return result
        assert isinstance(result, Failure)
        # A file is no batch yet. 408 and 409 may have come to a batch all the same.
        is_refused = path == "/files" or (300 <= (last.status or 0) < 500 and last.status not in (408, 409))
        raise BatchFault(result, last.status, is_refused)


def _seconds(at: object) -> float:
    """Seconds since the epoch of a time as a provider writes it; 0 where it is none."""
    with suppress(ValueError, TypeError, OverflowError):
        return at if isinstance(at, int | float) else datetime.fromisoformat(str(at)).timestamp()
    return 0.0


class OpenAIBatchReader(_Batches, OpenAICompatibleReader):
    """Files of requests, and batches of them: OpenAI's, and what serves the same form."""

    most_requests, most_bytes, _path, _after = 50_000, 150 * _MIB, "/batches", "after"

    async def line(self, custom_id: str, request: Request) -> bytes | Failure:
        """A request as a line of the file."""
        body = request_body(self._model, request, self._rejected, self._thinking)
        row = {"custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions", "body": body}
        return encoded(row) + b"\n"

    async def upload(self, batch: Batch, lines: Sequence[bytes]) -> tuple[Batch, bytes]:
        """The batch with the id of its file, and what creates it. Raises BatchFault."""
        file = {"file": (f"niah-{batch.batch_id}.jsonl", b"".join(lines), "application/jsonl")}
        made = await self._call("POST", "/files", files=file, data={"purpose": "batch"})
        file_id, endpoint = str(made.get("id")), "/v1/chat/completions"
        asked = {"input_file_id": file_id, "endpoint": endpoint, "completion_window": "24h"}
        return replace(batch, file_id=file_id), orjson.dumps(asked)

    async def ended(self, batch: Batch) -> tuple[Mapping[str, Any], str] | None:
        """Results by ``custom_id``, and why some lack; None while it is not over. Raises BatchFault."""
        about, results = await self._call("GET", f"{self._path}/{batch.provider_id}"), dict[str, Any]()
        status = str(about.get("status", "")).lower()
        if status not in ("completed", "failed", "expired", "cancelled"):
            return None
        for file in filter(None, (about.get("output_file_id"), about.get("error_file_id"))):
            results = await self._results(f"/files/{file}/content") | results
        errors = mapping(about.get("errors")).get("data")
        said = mapping(errors[0] if isinstance(errors, list) and errors else None).get("message")
        said = f" ({one_line(str(said))})" if said else ""
        return results, "" if status == "completed" else f"{status}{said}"

    async def reading(self, result: Any, request: Request) -> Response | None:
        """What a result says; None where the request was not answered, and is not paid for."""
        reply, error = mapping(result.get("response")), mapping(result.get("error"))
        status, body = reply.get("status_code", 200), reply.get("body")
        if not body and error.get("code") in _UNANSWERED:
            return None
        if not body or status != 200:
            said = body or error or "the result says nothing"
            return failure(fault_in_reply(status if body and isinstance(status, int) else 400, said))
        read = read_completion(body, request)
        return failure(read) if isinstance(read, Fault) else read

    async def _is(self, listed: Mapping[str, Any], batch: Batch) -> bool | None:
        return bool(batch.file_id) and listed.get("input_file_id") == batch.file_id

    async def _where(self) -> tuple[str, dict[str, str], dict[str, str]]:
        return self._shown, self._headers, self._query


# What keeps this task's requests, and replies to them.
_keeping: ContextVar[Callable[[httpx.Request], httpx.Response]] = ContextVar("keeping")


class AnthropicBatchReader(_Batches, LiteLLMReader):
    """Anthropic's message batches: litellm writes each request and reads each reply, and sends nothing."""

    most_requests, most_bytes, _path, _after = 100_000, 200 * _MIB, "/messages/batches", "after_id"

    async def line(self, custom_id: str, request: Request) -> bytes | Failure:
        """A request as an entry of the batch."""
        said, asked = await self._without_sending(request, {}, 200)
        if asked is None:
            return failure(said if isinstance(said, Fault) else Fault("litellm sent nothing"))
        return b'{"custom_id":"%s","params":%s}' % (custom_id.encode(), asked.content)

    async def upload(self, batch: Batch, lines: Sequence[bytes]) -> tuple[Batch, bytes]:
        """The batch, and what creates it: its requests are sent with it."""
        return batch, b'{"requests":[%s]}' % b",".join(lines)

    async def ended(self, batch: Batch) -> tuple[Mapping[str, Any], str] | None:
        """Results by ``custom_id``; None while it is not over. Raises BatchFault."""
        path = f"{self._path}/{batch.provider_id}"
        is_over = (await self._call("GET", path)).get("processing_status") == "ended"
        return (await self._results(f"{path}/results"), "") if is_over else None

    async def reading(self, result: Any, request: Request) -> Response | None:
        """What a result says; None where the request was not answered, and is not paid for."""
        said = mapping(result.get("result"))
        if said.get("type") in _UNANSWERED:
            return None
        reply, status = said.get("message"), 200
        if said.get("type") != "succeeded":
            reply = mapping(said.get("error"))
            is_wrong = mapping(reply.get("error")).get("type") == "invalid_request_error"
            status = 400 if is_wrong else 500
        read, _ = await self._without_sending(replace(request, prompt="?"), reply, status)
        return failure(read) if isinstance(read, Fault) else read

    async def _is(self, listed: Mapping[str, Any], batch: Batch) -> bool | None:
        is_late = _seconds(listed.get("created_at")) >= batch.intended_at - _EARLIER_S
        counts = [each for each in mapping(listed.get("request_counts")).values() if isinstance(each, int)]
        if not is_late or sum(counts) != batch.requests:
            return False
        if listed.get("processing_status") != "ended":
            return None
        results = await self._results(f"{self._path}/{listed.get('id')}/results")
        return any(custom_id.startswith(batch.batch_id) for custom_id in results)

    async def _where(self) -> tuple[str, dict[str, str], dict[str, str]]:
        said, asked = await self._without_sending(Request("Say OK.", 16), {}, 200)
        if asked is None:
            raise BatchFault(failure(said if isinstance(said, Fault) else Fault("litellm sent nothing")))
        named = ("x-api-key", "authorization", "anthropic-version", "anthropic-beta", "content-type")
        headers = {name: asked.headers[name] for name in named if name in asked.headers}
        return str(asked.url).rpartition("/messages")[0], headers, {}

    @cached_property
    def _handler(self) -> Any:
        import httpx

        handler = import_litellm().AsyncHTTPHandler()
        handler.client = httpx.AsyncClient(transport=httpx.MockTransport(lambda asked: _keeping.get()(asked)))
        return handler

    async def _without_sending(
        self, request: Request, reply: Any, status: int
    ) -> tuple[Response | Fault, httpx.Request | None]:
        """How a reply to a request is read, and what would have been sent."""
        import httpx

        kept: list[httpx.Request] = []

        def keep(asked: httpx.Request) -> httpx.Response:
            kept.append(asked)
            return httpx.Response(status, json=reply)

        with within(_keeping, keep):
            read = await self._attempt(request, self._rejected, client=self._handler)
            return read, kept[0] if kept else None


BatchReader = OpenAIBatchReader | AnthropicBatchReader
