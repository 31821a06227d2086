"""Every other provider, through litellm: Anthropic, Gemini, Mistral, Bedrock, ..."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from typing import Any, Self

from niah.errors import UserError, did_you_mean
from niah.readers import credentials
from niah.readers.dialect import request_body
from niah.readers.limits import Share, heard
from niah.readers.outcomes import Fault, fault_in_reply, read_completion
from niah.readers.reader import Request, Response
from niah.readers.retry import Reader
from niah.registry import require

_FINDS_CREDENTIALS = ("bedrock", "sagemaker", "vertex_ai")  # in files and machine roles too
_ADDRESS = ("_API_BASE", "_BASE_URL")
_OWNED = frozenset({"base_url", "api_key", "api_version", "extra_headers", "deployment_id", "shared_session"})
_BROKEN_ENDING = re.compile(r"error|malformed|unexpected|too_many|missing", re.IGNORECASE)


class LiteLLMReader(Reader):
    """A model of any provider that litellm knows, by litellm's name for it: ``provider/model``."""

    _open_readers = 0  # which share litellm's HTTP clients: the last one closes them

    @property
    def settings(self) -> dict[str, str | int]:
        """As of all readers, with litellm's version and the provider's address."""
        facts = {"provider": self._provider, "litellm": version("litellm")}
        return {**facts, **provider_addresses(self._provider), **super().settings}

    def check(self) -> None:
        """Raise UserError without litellm, for an unknown provider and for a missing key."""
        require("litellm", self._model, extra="providers", instead="name an endpoint with --api-base")
        if credentials.lacks_key(self._model):
            return
        litellm = import_litellm()
        try:
            litellm.get_llm_provider(self._model)
        except litellm.exceptions.BadRequestError:
            names = (str(getattr(each, "value", each)) for each in litellm.provider_list)
            near = did_you_mean(self._provider, names, "https://docs.litellm.ai/docs/providers")
            problem = f"litellm knows no provider called {self._provider!r}."
            raise UserError(problem, f"{near} Your own endpoint needs an api_base.") from None
        keys = {*litellm.validate_environment(self._model)["missing_keys"]} - {"OLLAMA_API_BASE"}
        if keys and not self._model.startswith(_FINDS_CREDENTIALS):
            credentials.missing_key(self._model, ", ".join(sorted(keys)))

    async def __aenter__(self) -> Self:
        """Open, after ``check``."""
        addresses = (value for name, value in os.environ.items() if name.endswith(_ADDRESS))
        secrets = credentials.secrets_in(os.environ).union(*map(credentials.secrets_of, addresses))
        self._secrets = credentials.redacted_in_logs(secrets)
        self._share = Share(f"{self._provider} {provider_addresses(self._provider)}")  # it has one key
        LiteLLMReader._open_readers += 1
        return self

    async def __aexit__(self, *exc: object) -> None:
        LiteLLMReader._open_readers -= 1
        if not LiteLLMReader._open_readers:
            litellm = import_litellm()
            await litellm.close_litellm_async_clients()
            # Closed clients must not be found again by a later event loop.
            litellm.in_memory_llm_clients_cache.flush_cache()

    async def _attempt(self, request: Request, rejected: frozenset[str], **more: Any) -> Response | Fault:
        """See ``Reader``; ``more`` are arguments of litellm's."""
        self._rejected |= not_taken(self._model, request)
        arguments = request_body(self._model, request, rejected | self._rejected, "budget")
        if "tools" in arguments:  # else litellm looks for its gateway's in a package that it may lack
            arguments["_skip_mcp_handler"] = True
        try:
            # litellm leaves out what it knows that a provider does not take: not_taken says what.
            once = {"drop_params": True, "num_retries": 0, "max_retries": 0}
            reply = await import_litellm().acompletion(**arguments, **once, **more)
        # litellm wraps most failures, yet lets some of its providers' own through: ValueError, KeyError, ...
        except Exception as error:
            return fault_of_exception(error, self._secrets)
        heard.set((getattr(reply, "_hidden_params", None) or {}).get("additional_headers") or {})
        body = reply.model_dump()
        for choice in body.get("choices") or []:
            own = str((choice.get("provider_specific_fields") or {}).get("native_finish_reason") or "")
            if _BROKEN_ENDING.search(own):  # which litellm calls "stop"
                choice["finish_reason"] = own
        return read_completion(credentials.redact_all(body, self._secrets), request)


def import_litellm() -> Any:
    """litellm, silent and offline: without its own ``.env`` files and prices. Takes 3 seconds at first."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


def fault_of_exception(error: Exception, secrets: Collection[str]) -> Fault:
    """What an exception of litellm's says, in the terms of an HTTP reply, without the secrets."""
    said, code = credentials.redact(str(error), secrets), getattr(error, "code", None)
    body = {"message": said, "code": code, "type": type(error).__name__}
    own, status = getattr(error, "litellm_response_headers", None), getattr(error, "status_code", None)
    headers = own or getattr(getattr(error, "response", None), "headers", None) or {}
    lowered = {str(name).lower(): str(value) for name, value in dict(headers).items()}
    heard.set(lowered)
    # No status at all is a surprise inside litellm, which a second attempt would only repeat.
    return fault_in_reply(status if isinstance(status, int) else 400, body, lowered)


def provider_addresses(provider: str) -> dict[str, str]:
    """The addresses in the environment that litellm takes in place of the provider's own; no passwords."""
    set_here = {name: os.environ.get(name) for name in (provider.upper() + end for end in _ADDRESS)}
    return {name.lower(): credentials.without_credentials(url) for name, url in set_here.items() if url}


def not_taken(model: str, request: Request) -> set[str]:
    """What of a request the provider is known not to take."""
    litellm = import_litellm()
    (provider, _, name), others = model.partition("/"), {"model", "messages", "prompt", "max_tokens"}
    body = request_body("", replace(request, extra_body={}, schema=None), frozenset(), "budget")
    asked = {key: value for key, value in body.items() if key not in others}

    def sent(**parameters: Any) -> Any:
        """What litellm sends of them: it also drops, for single models, what its table calls supported."""
        return litellm.utils.get_optional_params(
            name, custom_llm_provider=provider, drop_params=True, max_tokens=1, **parameters
        )

    left_out = set[str]()
    with suppress(litellm.exceptions.BadRequestError, ValueError):
        whole = sent(**asked)
        left_out = {key for key in asked if sent(**{k: v for k, v in asked.items() if k != key}) == whole}
    # What litellm takes for itself is no field of a request: an address, a key, a canned reply.
    is_owned = litellm.types.utils.is_litellm_owned_kwarg
    left_out |= {name for name in request.extra_body if name in _OWNED or is_owned(name)}
    if "claude" in model and request.thinking_tokens == 0:
        left_out.add("thinking")  # it does not think unless it is asked to
    elif "claude" in model and (request.thinking_tokens or request.reasoning_effort):
        left_out |= {"temperature", "top_p"} & asked.keys()
    return left_out
