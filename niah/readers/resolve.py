"""From a model's name, as a user writes it, to its reader. Cheap; no network.

A package's entry point NAME makes, of a ``ReaderSpec``, what reads NAME/MODEL by ``async def read(request)``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from niah.errors import UnknownName, UserError
from niah.readers import credentials
from niah.readers.reader import EMBEDDED_WINDOWS, PATIENT, PromptMode, Transport
from niah.registry import Registry, described, naming_package

if TYPE_CHECKING:
    from niah.readers.retry import Reader

CONCURRENCY = 8  # requests under way at once by default
_KEY = "OPENAI_API_KEY"
_FORMS = (
    ("smollm2", "SmolLM2-135M-Instruct, embedded: runs on this CPU, needs no key"),
    ("qwen", "Qwen2.5-Coder-0.5B-Instruct, embedded: slower, with a window of 32k tokens"),
    ("PATH.gguf", "a GGUF model of your own, embedded"),
    ("openai/NAME", f"OpenAI; key from {_KEY}"),
    ("PROVIDER/NAME", "any provider of litellm's (anthropic, gemini, mistral, ...); key from its variable"),
    ("NAME --api-base URL", "any OpenAI-compatible endpoint (vLLM, llama.cpp, Ollama, ...)"),
)
# By what the names of a provider's models begin with.
_PROVIDER = {"claude": "anthropic", "gpt-": "openai", "gemini": "gemini", "mistral": "mistral", "grok": "xai"}


@dataclass(frozen=True)
class ReaderSpec:
    """What a reader is made by."""

    model: str  # as the user wrote it: one of ``reader_forms``
    api_base: str | None = None  # an OpenAI-compatible endpoint, which knows the model by exactly this name
    name: str = ""  # what the reader is called in place of the model's name
    concurrency: int | None = None
    key_variable: str | None = None  # of the key for ``api_base``; else OPENAI_API_KEY, where that may go
    transport: Transport = field(default_factory=dict)
    by_hand: bool = False  # ``api_base`` is of the command line: the user trusts it with a key
    mode: PromptMode | Literal["batch"] = "chat"


def _make(name: str, made: object) -> Callable[[ReaderSpec], Reader]:
    if not callable(made):
        raise TypeError("it is no function of a ReaderSpec that makes a reader")
    return made


_OWN = dict.fromkeys((*EMBEDDED_WINDOWS, "openai"), "niah.readers.resolve:resolve_reader")
READERS: Registry[Callable[[ReaderSpec], Reader]] = Registry("readers", _OWN, _make)


def reader_forms() -> list[tuple[str, str]]:
    """The forms a model's name can have, each with one line, for ``niah list``."""
    return [*_FORMS, *((f"{name}/NAME", described(make)) for name, make in READERS.added.items())]


def resolve_reader(spec: ReaderSpec) -> Reader:
    """The reader for a model's name. Keys come from the environment, or from a ``.env`` file here. Raises
    UnknownName for a name of none of the forms, UserError for a key that is missing and such."""
    model, (provider, _, rest) = spec.model, spec.model.partition("/")
    is_compatible = spec.api_base is not None or bool(rest and provider == "openai")
    if spec.mode == "batch" and not (is_compatible or provider == "anthropic"):
        problem = f"{model} cannot be asked in batches: OpenAI, servers of its form and anthropic/NAME can."
        raise UserError(problem, "Leave out mode: batch.")
    if spec.key_variable and spec.api_base is None:
        problem = f"{model} has no API base, so that {spec.key_variable} is no one's key."
        raise UserError(problem, "Name the endpoint, or leave the variable out.")
    if is_embedded(model, spec.api_base):
        from niah.readers.embedded import EmbeddedReader

        return EmbeddedReader(model, name=spec.name)
    if is_compatible:
        return _compatible(spec)
    if provider in READERS.added:
        with naming_package(f"reader {model}"):
            from niah.readers.retry import ReaderOfPackage

            name, package, given = spec.name or model, READERS.package(provider), READERS[provider](spec)
            return ReaderOfPackage(model, name, package, given, spec.concurrency or 1)
    if failure := READERS.failure(provider, "reader"):
        raise failure
    if not (provider and rest):
        error = UnknownName("model", model, [*EMBEDDED_WINDOWS, *READERS.added])
        if of := next((of for start, of in _PROVIDER.items() if model.lower().startswith(start)), ""):
            error.remedy = f"Did you mean {of}/{model}?"
        error.remedy += " Write PROVIDER/NAME, or add --api-base URL of your server. See: niah list readers."
        raise error
    if spec.mode == "completion":
        problem = f"{model} cannot be asked for a plain completion."
        raise UserError(problem, "Leave mode out, or give the api_base of a compatible endpoint.")
    credentials.load_dotenv_here()
    credentials.lacks_key(model)
    from niah.readers.batch import AnthropicBatchReader
    from niah.readers.litellm_reader import LiteLLMReader

    made = AnthropicBatchReader if spec.mode == "batch" else LiteLLMReader
    at_once = spec.concurrency or CONCURRENCY
    return made(model, name=spec.name, concurrency=at_once, patience=replace(PATIENT, **spec.transport))


def is_embedded(model: str, api_base: str | None) -> bool:
    """Whether the model runs on this machine's CPU, one prompt at a time."""
    return api_base is None and (model in EMBEDDED_WINDOWS or model.endswith(".gguf"))


def _compatible(spec: ReaderSpec) -> Reader:
    """A reader of an OpenAI-compatible endpoint, OpenAI's own by default, with the key that may go there."""
    base, variable = spec.api_base, spec.key_variable or _KEY
    may_go = base is None or credentials.may_have_key(variable, base, by_hand=spec.by_hand)
    if spec.key_variable and not may_go:
        host = urlsplit(base or "").hostname
        problem = f"{variable} is not known to be for {host}, and is not sent there."
        remedy = f"Name its own key, or set {credentials.KEY_HOSTS}={variable}@{host} in the environment."
        raise UserError(problem, remedy)
    key = ""
    if may_go:
        credentials.load_dotenv_here()
        key = os.environ.get(variable, "").strip()
    if not key and (base is None or spec.key_variable):
        credentials.missing_key(spec.model, variable)
    from niah.readers.batch import OpenAIBatchReader
    from niah.readers.openai_compatible import OPENAI_BASE, OpenAICompatibleReader

    made = OpenAIBatchReader if spec.mode == "batch" else OpenAICompatibleReader
    return made(
        spec.model.removeprefix("openai/") if base is None else spec.model,
        base or os.environ.get("OPENAI_BASE_URL") or OPENAI_BASE,
        key or "none",
        name=spec.name or spec.model,
        concurrency=spec.concurrency or CONCURRENCY,
        patience=replace(PATIENT, **spec.transport),
    )
