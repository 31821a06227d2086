"""From a model's name, as a user writes it, to its reader. Cheap; no network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from niah.errors import ReaderConfigError, UnknownName
from niah.plugins.registry import described
from niah.readers.added import READERS, WantedReader, added_reader
from niah.readers.credentials import (
    check_key_variable,
    lacks_key,
    load_dotenv_here,
    may_have_key,
    missing_key,
)
from niah.readers.reader import EMBEDDED
from niah.readers.transport import Transport

if TYPE_CHECKING:
    from niah.readers.http.retries.patience import Patience
    from niah.readers.options import PromptMode
from niah.readers.reader import Reader

CONCURRENCY = 8
"""So many requests may be under way at once, where nobody says otherwise."""

_FORMS = (
    (EMBEDDED, "SmolLM2-135M-Instruct, embedded: runs on this CPU, needs no key"),
    ("PATH.gguf", "a GGUF model of your own, embedded"),
    ("openai/NAME", "OpenAI; key from OPENAI_API_KEY"),
    ("PROVIDER/NAME", "any provider of litellm's (anthropic, gemini, mistral, ...); key from its variable"),
    ("NAME --api-base URL", "any OpenAI-compatible endpoint (vLLM, llama.cpp, Ollama, ...)"),
)


def reader_forms() -> list[tuple[str, str]]:
    """The forms a model's name can have, each with one line, for ``niah list``."""
    added = ((f"{name}/NAME", described(make)) for name, make in READERS.added.items())
    return [*_FORMS, *added]


def resolve_reader(
    model: str,
    api_base: str | None = None,
    *,
    name: str = "",
    concurrency: int | None = None,
    key_variable: str | None = None,
    without_key: str = f"read with {EMBEDDED}",
    transport: Transport | None = None,
    by_hand: bool = False,
) -> Reader:
    """The reader for a model's name.

    Keys come from the environment, or from a ``.env`` file in the working folder.

    Args:
        model: one of ``reader_forms``.
        api_base: an OpenAI-compatible endpoint, which then knows the model by exactly this name.
        name: what the reader is called in place of the model's name.
        concurrency: how many requests may be under way at once; the usual number without it.
        key_variable: the environment variable that holds the key for ``api_base``; OPENAI_API_KEY, if it is
            set and for that host, without it.
        without_key: what else to do where a key is missing.
        transport: how patiently an endpoint is asked.
        by_hand: whether the user gave ``api_base`` on the command line, and so trusts it with a key.

    Raises:
        UnknownName: the name has none of the forms.
        ReaderConfigError: a key is missing, ``api_base`` is no web address, or an embedded reader should
            answer several requests at once.
    """
    if key_variable and api_base is None:
        raise ReaderConfigError(
            f"{model} has no API base, so that {key_variable} is nobody's key.",
            "Name the endpoint, or leave the variable out.",
        )
    transport = transport or Transport()
    wanted = WantedReader(model, name, concurrency, without_key, transport)
    if is_embedded(model, api_base):
        return embedded_reader(wanted)
    at_once = concurrency or CONCURRENCY
    if api_base is not None:
        key, variables = _key_for(model, api_base, key_variable, by_hand=by_hand)
        return _compatible(model, api_base, name, at_once, key, variables, transport.patience)
    provider, slash, rest = model.partition("/")
    if slash and rest and provider in READERS.own:
        return READERS[provider](wanted)
    if reader := added_reader(wanted):
        return reader
    if not (provider and slash and rest):
        raise _unknown(model)
    return _litellm(model, name, at_once, transport.patience)


def is_embedded(model: str, api_base: str | None = None) -> bool:
    """Whether the model runs on this machine's CPU, one prompt at a time."""
    return api_base is None and (model == EMBEDDED or model.endswith(".gguf"))


def check_mode(model: str, api_base: str | None, mode: PromptMode) -> None:
    """Raise ReaderConfigError where a model cannot be asked in that mode."""
    reached = is_embedded(model, api_base) or api_base is not None or model.startswith("openai/")
    if mode == "completion" and not reached:
        raise ReaderConfigError(
            f"{model} cannot be asked for a plain completion.",
            "Leave mode out, or give the api_base of an OpenAI-compatible endpoint that has the model.",
        )


def reader_name(model: str, api_base: str | None = None) -> str:
    """What ``resolve_reader`` calls the reader of a model that is given no name of its own."""
    return Path(model).name if is_embedded(model, api_base) else model


def embedded_reader(wanted: WantedReader) -> Reader:
    """The packaged model, or a GGUF file, on this machine's CPU."""
    from niah.readers.embedded.embedded import EmbeddedReader

    if wanted.concurrency not in (None, 1):
        raise ReaderConfigError(
            f"{wanted.model} is embedded and reads one prompt at a time: concurrency must be 1, "
            f"not {wanted.concurrency}.",
            "Leave it out.",
        )
    return EmbeddedReader(wanted.model, name=wanted.name)


def _key_for(
    model: str, api_base: str, key_variable: str | None, *, by_hand: bool
) -> tuple[str, tuple[str, ...]]:
    """The key for an endpoint, "none" where it has none, and where it is from. Raises ReaderConfigError."""
    if key_variable is None:
        variable = "OPENAI_API_KEY"
        key = find_key(variable) if may_have_key(variable, api_base, by_hand=by_hand) else ""
        return key or "none", (variable,) if key else ()
    check_key_variable(key_variable, api_base, by_hand=by_hand)
    if key := find_key(key_variable):
        return key, (key_variable,)
    missing_key(model, key_variable, "Set it in the environment or in a .env file here.")
    return "none", (key_variable,)


def _compatible(
    model: str,
    api_base: str,
    name: str,
    concurrency: int,
    key: str,
    key_variables: tuple[str, ...],
    patience: Patience,
) -> Reader:
    from niah.readers.http.openai_compatible import OpenAICompatibleReader

    return OpenAICompatibleReader(
        model,
        api_base,
        key,
        name=name,
        concurrency=concurrency,
        patience=patience,
        key_variables=key_variables,
    )


def openai_reader(wanted: WantedReader) -> Reader:
    """OpenAI's own endpoint, or the one that OPENAI_BASE_URL names."""
    key = find_key("OPENAI_API_KEY")
    if not key:
        missing_key(
            wanted.model,
            "OPENAI_API_KEY",
            f"Set OPENAI_API_KEY in the environment or in a .env file here, or {wanted.without_key}, "
            "which needs no key.",
        )
    from niah.readers.http.openai_compatible import OPENAI_BASE, OpenAICompatibleReader

    base = os.environ.get("OPENAI_BASE_URL") or OPENAI_BASE
    return OpenAICompatibleReader(
        wanted.model.removeprefix("openai/"),
        base,
        key or "none",
        name=wanted.name or wanted.model,
        concurrency=wanted.concurrency or CONCURRENCY,
        patience=wanted.transport.patience,
        key_variables=("OPENAI_API_KEY",),
    )


def _litellm(model: str, name: str, concurrency: int, patience: Patience) -> Reader:
    load_dotenv_here()
    lacks_key(model)
    from niah.readers.litellm_reader import LiteLLMReader

    return LiteLLMReader(model, name=name, concurrency=concurrency, patience=patience)


def find_key(variable: str) -> str:
    """The key that the environment, or the working folder's ``.env``, has under that name; "" for none."""
    load_dotenv_here()
    return os.environ.get(variable, "").strip()


def _unknown(model: str) -> UnknownName:
    error = UnknownName("reader", model, [EMBEDDED, *READERS.added])
    forms = "; ".join(f"{form} ({line})" for form, line in reader_forms())
    error.remedy = f"{error.remedy} A reader is one of: {forms}."
    return error
