"""Any endpoint that speaks OpenAI's chat completions: OpenAI's own, vLLM, llama.cpp, Ollama, gateways."""

from __future__ import annotations

import base64
import json
import re
import socket
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit
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
from niah.readers.patience import Patience
from niah.readers.reader import Failure, Request, Response
from niah.readers.retry import RetryingReader, retry_after_s

if TYPE_CHECKING:
    import httpx
    import openai

OPENAI_BASE = "https://api.openai.com/v1"
ACCEPTED = "identity"  # the encoding that a reply may come in: 2 MiB of gzip may hold 2 GiB
LARGEST_BODY = 64 * 2**20  # bytes; no answer is near it
_QUESTIONS = "/chat/completions"
_CONNECT_S, _LONGEST_S = 10.0, 5.0
_LARGEST_LIST = 4 * 2**20  # bytes


class OpenAICompatibleReader(RetryingReader):
    """A model behind an OpenAI-compatible endpoint; ``api_base`` goes up to and with ``/v1``.

    A user and password in it are sent in place of the key, a query with every request. Raises
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
        super().__init__(model, name=name, concurrency=concurrency, patience=patience)
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
        self._query = dict(parse_qsl(parts.query))
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
        """A line where the model is not on the endpoint's list, "" otherwise, and where there is none.

        It proves nothing: llama.cpp's server takes any name, and gateways list a part of what they have.
        """
        import httpx

        text, until = b"", time.monotonic() + _LONGEST_S
        address, proxied = f"{self._shown.rstrip('/')}/models", not is_loopback(self._shown)
        try:
            with (
                httpx.Client(trust_env=proxied, timeout=_LONGEST_S, headers=self._headers) as client,
                client.stream("GET", address, params=self._query) as reply,
            ):
                for part in reply.iter_bytes():
                    text += part
                    if len(text) > _LARGEST_LIST or time.monotonic() > until:
                        return ""
            listed = [str(row["id"]) for row in json.loads(text)["data"]]
        except (httpx.HTTPError, ValueError, TypeError, KeyError, RecursionError):
            return ""
        if self._model in listed or not listed:
            return ""
        near = self._clean(one_line(did_you_mean(self._model, listed)))
        return f"{self._shown} has no {self._model!r} on its list of models. {near}"

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
        body = request_body(self._model, request, rejected, "" if self._is_openai else "template")
        if request.prefix_key and self._is_openai:
            body["prompt_cache_key"] = request.prefix_key
        try:
            # Not chat.completions.create: checking a body that we made costs a third of the call. And encoded
            # here, since the standard library takes a tenth of it for a long prompt.
            path = "/completions" if "prompt" in body else _QUESTIONS
            reply = await self._client.post(path, cast_to=httpx.Response, content=_encoded(body))
        except openai.APIStatusError as error:
            return replace(self._rejection(error.response), key_variables=self._key_variables)
        except openai.OpenAIError as error:
            return Fault(self._clean(f"no reply: {error.__cause__ or error}"))
        answer, text = self._read(reply.content, errors="strict")
        if answer is None:
            reason = one_line(f"the reply is no JSON: {text[:200]!r}")
            is_cut = not text.strip() or text.lstrip().startswith("{")  # or damaged on its way
            return Fault(reason) if is_cut else Failure("reader_error", reason)
        return read_completion(answer, request.max_tokens, thinks=request.thinks)

    def _rejection(self, reply: httpx.Response) -> Fault:
        if reply.is_redirect:
            where = self._clean(without_credentials(reply.headers.get("location", "")))
            return Fault(f"it points to {where!r}, which is not followed", reply.status_code)
        body, text = self._read(reply.content, errors="replace")
        body = text if body is None else body
        return fault_in_reply(reply.status_code, body, retry_after_s(reply.headers, time.time()))

    def _read(self, content: bytes, errors: str) -> tuple[object | None, str]:
        """A body as JSON, None where it is none, and as text; it is UTF-8, whatever charset is made up."""
        text = self._clean(content.decode(errors="replace"))
        try:
            return redact_all(json.loads(content.decode(errors=errors)), self._secrets), text
        except (ValueError, RecursionError):
            return None, text


def _encoded(body: dict[str, Any]) -> bytes:
    """The body as JSON; a prompt that is no Unicode text (half a character) with that escaped."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return json.dumps(body).encode()


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
