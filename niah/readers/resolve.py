"""From a model's name, as a user writes it, to its reader. Cheap; no network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from niah.errors import ReaderConfigError, UnknownName

if TYPE_CHECKING:
    from niah.readers.reader import Reader

EMBEDDED = "smollm2"

_FORMS = (
    (EMBEDDED, "SmolLM2-135M-Instruct, embedded: runs on this CPU, needs no key"),
    ("PATH.gguf", "a GGUF model of your own, embedded"),
    ("openai/NAME", "OpenAI; key from OPENAI_API_KEY"),
    ("PROVIDER/NAME", "any provider of litellm's (anthropic, gemini, mistral, ...); key from its variable"),
    ("NAME --api-base URL", "any OpenAI-compatible endpoint (vLLM, llama.cpp, Ollama, ...)"),
)


def names() -> list[tuple[str, str]]:
    """The forms a model's name can have, each with one line, for ``niah list``."""
    return list(_FORMS)


def resolve(model: str, api_base: str | None = None) -> Reader:
    """The reader for a model's name.

    Keys come from the environment, or from a ``.env`` file in the working folder.

    Args:
        model: one of the forms of ``names``.
        api_base: an OpenAI-compatible endpoint, which then knows the model by exactly this name.

    Raises:
        UnknownName: the name has none of the forms.
        ReaderConfigError: a key is missing, or ``api_base`` is no web address.
    """
    if api_base is not None:
        return _compatible(model, api_base)
    if model == EMBEDDED or model.endswith(".gguf"):
        return _embedded(model)
    provider, slash, name = model.partition("/")
    if not (provider and slash and name):
        raise _unknown(model)
    return _openai(model, name) if provider == "openai" else _litellm(model)


def _embedded(model: str) -> Reader:
    from niah.readers.embedded import EmbeddedReader

    return EmbeddedReader(model)


def _compatible(model: str, api_base: str) -> Reader:
    from niah.readers.openai_compatible import OpenAICompatibleReader

    return OpenAICompatibleReader(model, api_base, _key("OPENAI_API_KEY") or "none")


def _openai(model: str, name: str) -> Reader:
    from niah.readers.openai_compatible import OPENAI_BASE, OpenAICompatibleReader

    key = _key("OPENAI_API_KEY")
    if not key:
        raise ReaderConfigError(
            f"{model} needs OPENAI_API_KEY, which is not set.",
            "Set OPENAI_API_KEY in the environment or in a .env file here, or read with smollm2, "
            "which needs no key.",
        )
    base = os.environ.get("OPENAI_BASE_URL") or OPENAI_BASE
    return OpenAICompatibleReader(name, base, key, name=model)


def _litellm(model: str) -> Reader:
    from niah.readers.litellm_reader import LiteLLMReader

    _load_dotenv()
    return LiteLLMReader(model)


def _key(variable: str) -> str:
    _load_dotenv()
    return os.environ.get(variable, "").strip()


def _load_dotenv() -> None:
    """Take over a ``.env`` file; what the environment has stays."""
    file = Path(".env")
    if file.is_file():
        from dotenv import load_dotenv

        load_dotenv(file, override=False)


def _unknown(model: str) -> UnknownName:
    error = UnknownName("reader", model, [EMBEDDED])
    forms = "; ".join(f"{form} ({line})" for form, line in _FORMS)
    error.remedy = f"{error.remedy} A reader is one of: {forms}."
    return error
