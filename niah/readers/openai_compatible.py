"""Any endpoint that speaks OpenAI's chat completions: OpenAI's own, vLLM, llama.cpp, Ollama, gateways."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import socket
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, Self
from urllib.parse import parse_qsl, unquote, urlsplit
from urllib.request import getproxies

import orjson

from niah.errors import UserError, did_you_mean
from niah.event_loop import run_to_end
from niah.readers import credentials
from niah.readers.credentials import LOOPBACK
from niah.readers.dialect import request_body
from niah.readers.limits import Share, heard
from niah.readers.outcomes import Fault, failure, fault_in_reply, one_line, read_completion
from niah.readers.reader import PATIENT, Failure, Patience, Request, Response
from niah.readers.retry import PROBE, Reader

if TYPE_CHECKING:
    from ssl import SSLContext

    import httpx
    import openai

OPENAI_BASE = "https://api.openai.com/v1"
ACCEPTED = "identity"  # the encoding that a reply may come in: 2 MiB of gzip may hold 2 GiB
LARGEST_BODY = 64 * 2**20  # bytes; no answer is near it
_QUESTIONS = "/chat/completions"
_CONNECT_S, _LONGEST_S = 10.0, 5.0


class OpenAICompatibleReader(Reader):
    """A model behind an OpenAI-compatible endpoint; ``api_base`` goes up to and with ``/v1``.
    A user and password in it are sent in place of the key, a query with every request."""

    def __init__(
        self,
        model: str,
        api_base: str = OPENAI_BASE,
        api_key: str = "none",
        *,
        name: str = "",
        concurrency: int = 8,
        patience: Patience = PATIENT,
    ) -> None:
        super().__init__(model, name=name, concurrency=concurrency, patience=patience)
        # Questions are sent to what is below it.
        self._api_base = re.sub(rf"{_QUESTIONS}/*(?=$|\?)", "", _checked_address(api_base))
        self._shown = credentials.without_credentials(self._api_base)
        # OpenAI's own takes no limit of thoughts, and a key of its prompt cache.
        self._thinking: Literal["", "template"] = "" if api_base == OPENAI_BASE else "template"
        self._api_key = api_key.strip()
        if not (self._api_key and self._api_key.isascii() and self._api_key.isprintable()):
            problem = "the API key holds characters that no HTTP header can carry."
            raise UserError(problem, "Set it without quotes, line breaks or typographic characters.")
        self._secrets = credentials.redacted_in_logs(credentials.secrets_of(self._api_base) | {self._api_key})
        parts = urlsplit(self._api_base)
        self._query = dict(parse_qsl(parts.query))
        pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
        basic = f"Basic {base64.b64encode(pair.encode()).decode()}"
        self._headers = {"Authorization": f"Bearer {self._api_key}" if pair == ":" else basic}
        self._facts = {"provider": "openai-compatible", "api_base": self._shown}
        self._client: openai.AsyncOpenAI | None = None
        if self._api_key != "none" or pair != ":":
            self._share = Share(f"{self._api_base} {self._headers['Authorization']}")

    def check(self) -> None:
        """Raise UserError where nothing listens at the address."""
        check_listening(self._api_base)

    def check_model(self, *, by_asking: bool = False) -> str:
        """A line where the endpoint lists other models alone, which proves nothing; "" otherwise. Raises
        UserError, ``by_asking``, where a short question meets no model of that name either."""
        import httpx
        import openai

        async def listing() -> bytes:
            async with self, asyncio.timeout(_LONGEST_S):
                assert self._client is not None
                return (await self._client.get("/models", cast_to=httpx.Response)).content

        async def reply() -> Response | Fault:
            async with self, asyncio.timeout(_LONGEST_S):
                return await self._negotiated(PROBE)

        try:
            listed = [str(row["id"]) for row in json.loads(run_to_end(listing()))["data"]]
        except (openai.OpenAIError, ValueError, TypeError, KeyError, RecursionError, TimeoutError):
            return ""
        if self._model in listed or not listed:
            return ""
        near = one_line(credentials.redact(did_you_mean(self._model, listed), self._secrets))
        line = f"{self._shown} has no {self._model!r} on its list of models. {near}"
        with suppress(TimeoutError):  # a model that is slow is there
            fault = run_to_end(reply()) if by_asking else None
            if isinstance(fault, Fault) and fault.lasting and fault.lasting.is_mistake:
                raise UserError(f"{self.name}: {failure(fault).reason.rstrip('.')}.", line)
        return line

    async def __aenter__(self) -> Self:
        import openai

        self._client = openai.AsyncOpenAI(
            base_url=self._shown,
            api_key=self._api_key,
            default_headers=self._headers,
            default_query=self._query,
            max_retries=0,
            timeout=None,
            http_client=openai.DefaultAioHttpClient(**client_options(self._api_base, {})),
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
        import httpx
        import openai

        assert self._client is not None, "a reader is opened with `async with`"
        body = request_body(self._model, request, rejected, self._thinking)
        try:
            # Not chat.completions.create: checking a body that we made costs a third of the call. And encoded
            # here, since the standard library takes a tenth of it for a long prompt.
            path = "/completions" if "prompt" in body else _QUESTIONS
            reply = await self._client.post(path, cast_to=httpx.Response, content=encoded(body))
        except openai.APIStatusError as error:
            rejection = error.response
            heard.set(rejection.headers)
            if rejection.is_redirect:
                where = credentials.without_credentials(rejection.headers.get("location", ""))
                said = credentials.redact(f"it points to {where!r}, which is not followed", self._secrets)
                return Fault(said, rejection.status_code)
            return fault_in_reply(rejection.status_code, self._said(rejection.content), rejection.headers)
        except openai.OpenAIError as error:
            return Fault(credentials.redact(f"no reply: {error.__cause__ or error}", self._secrets))
        heard.set(reply.headers)
        said = self._said(reply.content, errors="strict")
        if isinstance(said, str) and not reply.content.lstrip().startswith(b'"'):  # a JSON text is complete
            reason = one_line(f"the reply is no JSON: {said[:200]!r}")
            is_cut = not said.strip() or said.lstrip().startswith("{")  # or damaged on its way
            return Fault(reason) if is_cut else Failure("reader_error", reason)
        return read_completion(said, request)


def encoded(body: dict[str, Any]) -> bytes:
    """The body as JSON; a prompt that is no Unicode text (half a character) with that escaped."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return json.dumps(body).encode()


def client_options(address: str, headers: Mapping[str, str], most: int = 0) -> dict[str, Any]:
    """Arguments of a client of httpx's that speaks to one address; a reply has at most ``most`` bytes."""
    return {
        "headers": {**headers, "Accept-Encoding": ACCEPTED},
        "timeout": None,  # limits of time are for all of a request; httpx's are per read
        "follow_redirects": False,  # what is sent is for this address
        "trust_env": urlsplit(address).hostname not in LOOPBACK,  # no proxy stands before this machine
        "verify": _certificates(),
        "event_hooks": {"response": [partial(_limit_body, most=most or LARGEST_BODY)]},
    }


@lru_cache
def _certificates() -> SSLContext:
    """What certificates are checked by; reading it takes as long as ten questions to a service."""
    import httpx

    return httpx.create_ssl_context()


async def _limit_body(response: httpx.Response, most: int) -> None:
    """A response hook of httpx's: an encoded body, or one of over ``most`` bytes, is an httpx.ReadError."""
    import httpx

    encoding, body = response.headers.pop("content-encoding", ACCEPTED).strip().lower(), bytearray()
    if encoding not in ("", ACCEPTED):
        raise httpx.ReadError(f"the reply is encoded as {encoding!r}, which was not asked for")
    assert isinstance(response.stream, httpx.AsyncByteStream)
    async for part in response.stream:
        body += part
        if len(body) > most:
            raise httpx.ReadError(f"the reply has more than {most // 2**20} MiB")
    await response.stream.aclose()
    response.stream = httpx.ByteStream(bytes(body))


def _checked_address(address: str) -> str:
    """An address of the web, without spaces around it. Raises UserError."""
    clean = address.strip()
    with suppress(ValueError):  # of a port that is no number
        parts = urlsplit(clean)
        # It overlooks line breaks, and what comes after one may be taken for another header.
        is_plain = clean.isprintable() and " " not in clean
        if is_plain and parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return clean
    start, at, rest = address.partition("?")[0].rpartition("@")
    shown = f"***{at}{rest}" if start else rest  # it may hold a password
    remedy = "Give the endpoint's address with its scheme, such as http://localhost:8000/v1."
    raise UserError(f"the API base {shown!r} is no web address.", remedy)


def check_listening(address: str) -> None:
    """Raise UserError where no connection can be made; nothing behind a proxy, which hides it."""
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        if parts.hostname in LOOPBACK or not getproxies():
            socket.create_connection((parts.hostname or "", port), timeout=_CONNECT_S).close()
    except OSError as error:
        shown = credentials.without_credentials(address)
        problem = f"nothing answers at {shown}: {error.strerror or error}."
        raise UserError(problem, "Start the server, or correct the address.") from None
