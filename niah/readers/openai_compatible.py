"""Any endpoint that speaks OpenAI's chat completions: OpenAI's own, vLLM, llama.cpp, Ollama, gateways."""

from __future__ import annotations

import base64
import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

import orjson

from niah.errors import ReaderConfigError
from niah.readers.dialect import is_plain, request_body, template_switch
from niah.readers.outcomes import Fault, fault_in_reply, one_line, read_completion
from niah.readers.patience import Patience
from niah.readers.preflight import (
    Preflight,
    ServedWindow,
    checked_address,
    is_loopback,
    why_nothing_listens,
)
from niah.readers.reader import Failure, Request, Response
from niah.readers.redaction import logs_redacted, redact, redact_all, secrets_of, without_credentials
from niah.readers.retry import RetryingReader, retry_after_s

if TYPE_CHECKING:
    import httpx
    import openai

OPENAI_BASE = "https://api.openai.com/v1"
_QUESTIONS = "/chat/completions"
_STREAMED = "the reply is no JSON but a stream of events: switch streaming off at the endpoint"


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
        address = checked_address(api_base, "the API base", "http://localhost:8000/v1")
        # Questions are sent to what is below it.
        self._api_base = re.sub(rf"{_QUESTIONS}/*(?=$|\?)", "", address)
        self._api_key = _checked_key(api_key)
        self._key_variables = key_variables
        self._secrets = secrets_of(self._api_base) | {self._api_key}
        self._clean = partial(redact, secrets=self._secrets)
        self._shown = without_credentials(self._api_base)
        self._is_openai = api_base == OPENAI_BASE
        headers = {"Authorization": f"Bearer {self._api_key}"} | _basic_auth(self._api_base)
        self._preflight = Preflight(self._api_base, model, headers, self._secrets)
        self._windows: list[ServedWindow | None] = [None] if self._is_openai else []  # which states none
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

    def served_window(self) -> ServedWindow | None:
        """The window that the endpoint states; None where it states none. Asked once."""
        if not self._windows:
            self._windows.append(self._preflight.window())
        return self._windows[0]

    def check_model(self) -> str:
        """What is odd about the model; ReaderConfigError where the endpoint has none, or is at ``/v1``."""
        return self._preflight.check_model()

    async def __aenter__(self) -> Self:
        import openai

        from niah.readers.body_limit import ACCEPTED, limit_body

        self._client = openai.AsyncOpenAI(
            base_url=self._shown,
            api_key=self._api_key,
            default_headers=_basic_auth(self._api_base),
            default_query=dict(parse_qsl(urlsplit(self._api_base).query)),
            max_retries=0,
            timeout=None,  # the endpoint's loop sets a total limit; httpx's are per read
            # A proxy from the environment must not stand between us and this very machine.
            http_client=openai.DefaultAioHttpClient(
                timeout=None,
                follow_redirects=False,  # the key is for this address
                headers={"Accept-Encoding": ACCEPTED},
                trust_env=not is_loopback(self._api_base),
                event_hooks={"response": [limit_body]},
            ),
        )
        self._logs.enter_context(logs_redacted(self._secrets))
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None
        self._logs.close()

    async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
        import httpx
        import openai

        assert self._client is not None, "a reader is opened with `async with`"
        started = time.perf_counter()
        switched = not self._is_openai and "chat_template_kwargs" not in rejected
        body = request_body(self._model, request, rejected)
        body = template_switch(request) | body if switched else body
        if request.prefix_key and self._is_openai:
            body["prompt_cache_key"] = request.prefix_key
        try:
            # Not chat.completions.create: checking a body that we made costs a third of the call. And encoded
            # here, since the standard library takes a tenth of it for a long prompt.
            path = "/completions" if is_plain(request) else _QUESTIONS
            reply = await self._client.post(path, cast_to=httpx.Response, content=_encoded(body))
        except openai.APIStatusError as error:
            fault = self._rejection(error.response, time.perf_counter() - started)
            return replace(fault, key_variables=self._key_variables)
        except openai.OpenAIError as error:
            message = self._clean(f"no reply: {self._why_refused(error) or error.__cause__ or error}")
            return Fault(message, latency_s=time.perf_counter() - started)
        return self._completion(reply, request, time.perf_counter() - started)

    def _why_refused(self, error: BaseException) -> str:
        """That nothing answers, and why, where no connection was made; "" for all else."""
        why: BaseException | None = error
        while why is not None and not (isinstance(why, ConnectionRefusedError) and why.errno):
            why = getattr(why, "os_error", None) or why.__cause__
        return f"nothing answers at {self._shown}: {os.strerror(why.errno or 0)}" if why else ""

    def _completion(self, reply: httpx.Response, request: Request, latency_s: float) -> Response | Fault:
        try:
            body = redact_all(json.loads(reply.content.decode()), self._secrets)
        except (ValueError, RecursionError) as error:
            text = self._clean(_text(reply))
            wrong = "UTF-8" if isinstance(error, UnicodeDecodeError) else "JSON"
            begins = f"the reply is no {wrong}: {text[:200]!r}"
            reason = one_line(_STREAMED if text.startswith(("data:", "event:")) else begins)
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


def _encoded(body: Mapping[str, Any]) -> bytes:
    """The body as JSON; a prompt that is no Unicode text (half a character) with that escaped."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return json.dumps(body).encode()


def _text(reply: httpx.Response) -> str:
    """The body as UTF-8, which JSON is, whatever charset the endpoint made up."""
    return reply.content.decode(errors="replace")


def _basic_auth(api_base: str) -> dict[str, str]:
    """The header that a user and password in the address stand for."""
    parts = urlsplit(api_base)
    pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    return {} if pair == ":" else {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def _checked_key(api_key: str) -> str:
    key = api_key.strip()
    if not key.isascii() or not key.isprintable() or not key:
        raise ReaderConfigError(
            "the API key holds characters that no HTTP header can carry.",
            "Set the key again, without quotes, line breaks or typographic characters.",
        )
    return key
