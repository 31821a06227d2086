"""Any endpoint that speaks OpenAI's chat completions: OpenAI's own, vLLM, llama.cpp, Ollama, gateways."""

from __future__ import annotations

import base64
import json
import re
import socket
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit
from urllib.request import getproxies

import orjson

from niah.errors import ReaderConfigError, did_you_mean
from niah.readers.credentials import (
    LOOPBACK,
    redact,
    redact_all,
    redacted_in_logs,
    secrets_of,
    without_credentials,
)
from niah.readers.dialect import request_body
from niah.readers.outcomes import Fault, fault_in_reply, one_line, read_completion
from niah.readers.reader import Failure, Request, Response
from niah.readers.retry import Patience, RetryingReader, is_unknown_model, retry_after_s

if TYPE_CHECKING:
    import httpx
    import openai

OPENAI_BASE = "https://api.openai.com/v1"
ACCEPTED = "identity"
"""The encoding that a reply may come in: 2 MiB of gzip may hold 2 GiB."""
LARGEST_BODY = 64 * 2**20
"""Bytes; no answer is near it."""
_QUESTIONS = "/chat/completions"
_CONNECT_S, _BETWEEN_BYTES_S, _LONGEST_S = 10.0, 3.0, 5.0
_LARGEST_REPLY = 4 * 2**20


@runtime_checkable
class Served(Protocol):
    """A reader whose endpoint can be asked about its model."""

    def check_model(self) -> str:
        """What is odd about the model, "" for nothing; ReaderConfigError where there is none of that name."""


class OpenAICompatibleReader(RetryingReader):
    """A model behind an OpenAI-compatible endpoint.

    A user and password in ``api_base``, which goes up to and with ``/v1``, are sent in place of the key, a
    query with every request. The key appears in no reading, no setting and no ``repr``. Raises
    ReaderConfigError for what is no http(s) address, or a key that cannot be sent in a header.
    """

    def __init__(
        self,
        model: str,
        api_base: str = OPENAI_BASE,
        api_key: str = "none",
        *,
        name: str = "",
        concurrency: int = 8,
        patience: Patience | None = None,
        key_variables: tuple[str, ...] | None = None,
    ) -> None:
        super().__init__(model, name, concurrency, patience)
        # Questions are sent to what is below it.
        self._api_base = re.sub(rf"{_QUESTIONS}/*(?=$|\?)", "", _checked_address(api_base))
        self._shown, self._is_openai = without_credentials(self._api_base), api_base == OPENAI_BASE
        self._api_key, self._key_variables = api_key.strip(), key_variables
        if not (self._api_key and self._api_key.isascii() and self._api_key.isprintable()):
            raise ReaderConfigError(
                "the API key holds characters that no HTTP header can carry.",
                "Set the key again, without quotes, line breaks or typographic characters.",
            )
        self._secrets = redacted_in_logs(secrets_of(self._api_base) | {self._api_key})
        self._clean = partial(redact, secrets=self._secrets)
        parts = urlsplit(self._api_base)
        self._v1, self._query = parts.path.rstrip("/"), dict(parse_qsl(parts.query))
        pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
        basic = f"Basic {base64.b64encode(pair.encode()).decode()}"
        self._headers = {"Authorization": f"Bearer {self._api_key}" if pair == ":" else basic}
        self._client: openai.AsyncOpenAI | None = None

    @property
    def settings(self) -> dict[str, str | int]:
        """Facts to be recorded with a run, no secrets; ``not_sent`` names what the endpoint rejected."""
        renamed = self.name not in (self._model, f"openai/{self._model}")
        facts: dict[str, str | int] = {"provider": "openai-compatible", "api_base": self._shown}
        return facts | ({"model": self._model} if renamed else {}) | self._not_sent

    def check(self) -> None:
        """Raise ReaderConfigError where nothing listens at the address."""
        if why := why_nothing_listens(self._api_base):
            problem = f"nothing answers at {self._shown}: {why}."
            raise ReaderConfigError(problem, "Start the server, or correct the address.")

    def check_model(self) -> str:
        """A line where the endpoint answers though the model is not on its list, "" otherwise.

        A list of models alone proves nothing: llama.cpp's server takes any name, and gateways list a part of
        what they have. So a model that is not listed is asked one short question. Raises ReaderConfigError
        where the endpoint has no such model, or nothing at that address.
        """
        status, body = self._ask(f"{self._v1}/models")
        has_list = status == 200 and isinstance(body, dict) and isinstance(body.get("data"), list)
        listed = [str(each.get("id")) for each in _entries(body, "data")] if has_list else []
        if self._model in listed or not (has_list or status == 404):
            return ""
        messages = [{"role": "user", "content": "Say OK."}]
        question = {"model": self._model, "messages": messages, "max_tokens": 16}
        status, body = self._ask(self._v1 + _QUESTIONS, question)
        near = self._clean(one_line(did_you_mean(self._model, listed)))
        if status < 300:  # it answers, or there is no reply
            said = f"{self._shown} answers to {self._model!r}, which is not on its list of models. {near}"
            return said if listed and status else ""
        fault = fault_in_reply(status, body)
        if is_unknown_model(fault) or (status == 404 and not has_list):
            says = one_line(self._clean(fault.message)).rstrip(".")
            problem = f"{self._shown} has no model {self._model!r}: HTTP {status}: {says}."
            raise ReaderConfigError(problem, near or "Correct its name, or the address: most end in /v1.")
        return ""

    def _beside(self, path: str) -> str:
        """The address of another path of the endpoint's."""
        return urlunsplit((*urlsplit(self._shown)[:2], path, "", ""))

    def _ask(self, path: str, question: object = None) -> tuple[int, Any]:
        """Status and body of a reply, as JSON or text; (0, None) where none comes, or a far too long one."""
        import httpx

        text, until, params = b"", time.monotonic() + _LONGEST_S, self._query
        proxied, method = not is_loopback(self._shown), "POST" if question else "GET"
        try:
            with (
                httpx.Client(trust_env=proxied, timeout=_BETWEEN_BYTES_S, headers=self._headers) as client,
                client.stream(method, self._beside(path), json=question, params=params) as reply,
            ):
                for part in reply.iter_bytes():
                    text += part
                    if len(text) > _LARGEST_REPLY or time.monotonic() > until:
                        return reply.status_code, None
        except httpx.HTTPError:
            return 0, None
        try:
            return reply.status_code, json.loads(text)
        except (ValueError, RecursionError):
            return reply.status_code, text.decode(errors="replace")

    async def __aenter__(self) -> Self:
        import openai

        self._client = openai.AsyncOpenAI(
            base_url=self._shown,
            api_key=self._api_key,
            default_headers=self._headers,
            default_query=self._query,
            max_retries=0,
            timeout=None,  # the endpoint's loop sets a total limit; httpx's are per read
            http_client=openai.DefaultAioHttpClient(
                timeout=None,
                follow_redirects=False,  # the key is for this address
                headers={"Accept-Encoding": ACCEPTED},
                trust_env=not is_loopback(self._api_base),
                event_hooks={"response": [limit_body]},
            ),
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
        started = time.perf_counter()
        body = request_body(self._model, request, rejected, "" if self._is_openai else "template")
        if request.prefix_key and self._is_openai:
            body["prompt_cache_key"] = request.prefix_key
        try:
            # Not chat.completions.create: checking a body that we made costs a third of the call. And encoded
            # here, since the standard library takes a tenth of it for a long prompt.
            path = "/completions" if "prompt" in body else _QUESTIONS
            reply = await self._client.post(path, cast_to=httpx.Response, content=_encoded(body))
        except openai.APIStatusError as error:
            fault = self._rejection(error.response, time.perf_counter() - started)
            return replace(fault, key_variables=self._key_variables)
        except openai.OpenAIError as error:
            message = self._clean(f"no reply: {error.__cause__ or error}")
            return Fault(message, latency_s=time.perf_counter() - started)
        return self._completion(reply, request, time.perf_counter() - started)

    def _completion(self, reply: httpx.Response, request: Request, latency_s: float) -> Response | Fault:
        try:
            body = redact_all(json.loads(reply.content.decode()), self._secrets)
        except (ValueError, RecursionError) as error:
            text, wrong = (
                self._clean(_text(reply)),
                "UTF-8" if isinstance(error, UnicodeDecodeError) else "JSON",
            )
            reason = one_line(f"the reply is no {wrong}: {text[:200]!r}")
            if not text.strip() or text.lstrip().startswith("{"):  # cut or damaged on its way
                return Fault(reason, latency_s=latency_s)
            return Failure("reader_error", reason, latency_s=latency_s)
        return read_completion(body, request.max_tokens, latency_s, thinks=request.thinks)

    def _rejection(self, reply: httpx.Response, latency_s: float) -> Fault:
        if reply.is_redirect:
            where = self._clean(without_credentials(reply.headers.get("location", "")))
            return Fault(f"it points to {where!r}, which is not followed", reply.status_code)
        text = _text(reply)
        try:
            body = redact_all(json.loads(text), self._secrets)
        except (ValueError, RecursionError):
            body = self._clean(text)
        return fault_in_reply(reply.status_code, body, latency_s, retry_after_s(reply.headers, time.time()))


def _encoded(body: dict[str, Any]) -> bytes:
    """The body as JSON; a prompt that is no Unicode text (half a character) with that escaped."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return json.dumps(body).encode()


def _text(reply: httpx.Response) -> str:
    """The body as UTF-8, which JSON is, whatever charset the endpoint made up."""
    return reply.content.decode(errors="replace")


async def limit_body(response: httpx.Response) -> None:
    """A response hook of httpx's: an encoded body, or one of over 64 MiB, is an httpx.ReadError."""
    import httpx

    encoding, body = response.headers.pop("content-encoding", ACCEPTED).strip().lower(), bytearray()
    if encoding not in ("", ACCEPTED):
        raise httpx.ReadError(f"the reply is encoded as {encoding!r}, which was not asked for")
    assert isinstance(response.stream, httpx.AsyncByteStream)
    async for part in response.stream:
        body += part
        if len(body) > LARGEST_BODY:
            raise httpx.ReadError(f"the reply has more than {LARGEST_BODY // 2**20} MiB")
    await response.stream.aclose()
    response.stream = httpx.ByteStream(bytes(body))


def _checked_address(address: str) -> str:
    """An address of the web, without spaces around it. Raises ReaderConfigError."""
    clean = address.strip()
    try:
        parts = urlsplit(clean)
        parts.port  # noqa: B018 - raises when it is no number
        # urlsplit overlooks line breaks, and what comes after one may be taken for another header.
        if parts.scheme in ("http", "https") and parts.hostname and clean.isprintable() and " " not in clean:
            return clean
    except ValueError:
        pass
    start, at, rest = address.partition("?")[0].rpartition("@")
    shown = f"***{at}{rest}" if start else rest  # it may hold a password
    remedy = "Give the endpoint's address with its scheme, such as http://localhost:8000/v1."
    raise ReaderConfigError(f"the API base {shown!r} is no web address.", remedy)


def why_nothing_listens(address: str) -> str | None:
    """Why no connection is made, in words; None where one is made, and behind a proxy, which hides it."""
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
    """Whether the address is of this very machine, where no proxy is to come between."""
    return urlsplit(address).hostname in LOOPBACK


def _entries(body: object, under: str) -> list[Mapping[str, Any]]:
    """The mappings in a list of a reply, or the one in its place."""
    held = body.get(under) if isinstance(body, Mapping) else None
    return [each for each in (held if isinstance(held, list) else [held]) if isinstance(each, Mapping)]
