"""Which key may go where, and what it means that one is not set.

Keys belong to hosts, and what a file says moves none of them to another: a run config or a ``.env`` may come
from somebody else, and neither may send a key of this user's environment to an address of its own. A key that
is not set is an error where models are asked, and a word where a run is only planned.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from urllib.parse import urlsplit

from niah.errors import ReaderConfigError

KEY_HOSTS = "NIAH_KEY_HOSTS"
"""The environment variable that allows more: "VLLM_API_KEY@gpu.example.com, OPENAI_API_KEY@my.proxy"."""

# A variable's first word, and the domains that its keys are for.
_OWNERS: dict[str, tuple[str, ...]] = {
    "ANTHROPIC": ("anthropic.com",),
    "AZURE": ("azure.com", "azure.us", "azure.cn"),
    "CEREBRAS": ("cerebras.ai",),
    "COHERE": ("cohere.com", "cohere.ai"),
    "DEEPSEEK": ("deepseek.com",),
    "FIREWORKS": ("fireworks.ai",),
    "GEMINI": ("googleapis.com",),
    "GOOGLE": ("googleapis.com",),
    "GROQ": ("groq.com",),
    "HF": ("huggingface.co", "huggingface.cloud"),
    "HUGGINGFACE": ("huggingface.co", "huggingface.cloud"),
    "MISTRAL": ("mistral.ai",),
    "NVIDIA": ("nvidia.com",),
    "OPENAI": ("openai.com", "openai.azure.com"),
    "OPENROUTER": ("openrouter.ai",),
    "PERPLEXITY": ("perplexity.ai",),
    "TOGETHER": ("together.xyz", "together.ai"),
    "TOGETHERAI": ("together.xyz", "together.ai"),
    "VOYAGE": ("voyageai.com",),
    "XAI": ("x.ai",),
}
_USUAL = "cerebras, cohere, deepinfra, deepseek, groq, mistral, moonshot, nvidia_nim, openrouter, voyage, xai"
PROVIDER_KEYS = {
    **{provider: (f"{provider.upper()}_API_KEY",) for provider in _USUAL.split(", ")},
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "fireworks_ai": tuple(
        f"FIREWORKS{end}" for end in ("_AI_API_KEY", "_API_KEY", "AI_API_KEY", "_AI_TOKEN")
    ),
    "gemini": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "together_ai": ("TOGETHERAI_API_KEY",),
}
"""What litellm's own check asks for, by provider; any one will do. Importing it takes seconds."""

# Secrets of other kinds: no endpoint of a model takes them.
_NO_KEY = re.compile(
    r"^(AWS|GITHUB|GH|GITLAB|CI|NPM|PYPI|TWINE|SSH|DOCKER|KUBE|VAULT)_|PASSWORD|SECRET", re.I
)
_NAMED_KEY = re.compile(r"KEY$|TOKEN$", re.IGNORECASE)
_ADDRESS = re.compile(r"(.+)_(BASE_URL|API_BASE)$")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def may_have_key(variable: str, api_base: str, *, by_hand: bool = False) -> bool:
    """Whether the key in an environment variable may be sent to an address.

    To this machine any; to hosts of the one who gave the key, by the variable's name; to hosts that
    NIAH_KEY_HOSTS allows; to others in a private network where the name is nobody's.

    Args:
        variable: that holds the key.
        api_base: the address.
        by_hand: whether the user gave the address on the command line.
    """
    if _NO_KEY.search(variable) or not _NAMED_KEY.search(variable):
        return False
    host = (urlsplit(api_base).hostname or "").lower()
    if by_hand or host in _LOOPBACK or (variable.upper(), host) in _allowed():
        return True
    owners = _OWNERS.get(variable.upper().partition("_")[0])
    if owners is None:
        return _is_private(host)
    return any(host == domain or host.endswith(f".{domain}") for domain in owners)


def check_key_variable(variable: str, api_base: str, *, by_hand: bool = False) -> None:
    """Raise ReaderConfigError where a config sends a key to a host that it is not for."""
    if may_have_key(variable, api_base, by_hand=by_hand):
        return
    host = urlsplit(api_base).hostname
    if _NO_KEY.search(variable) or not _NAMED_KEY.search(variable):
        raise ReaderConfigError(
            f"{variable} is no key of a model's endpoint, and is not sent to {host}.",
            "Name a variable that holds one, such as VLLM_API_KEY.",
        )
    raise ReaderConfigError(
        f"{variable} is not known to be for {host}, and is not sent there.",
        f"If it is, set {KEY_HOSTS}={variable}@{host} in the environment.",
    )


def load_dotenv_here() -> None:
    """Take over the working folder's ``.env``, if there is one; what the environment has stays.

    Raises ReaderConfigError where it is no text, cannot be read, or sends a key of the environment elsewhere.
    """
    file = Path(".env")
    if not file.is_file():
        return
    from dotenv import dotenv_values

    try:
        read = {name: value for name, value in dotenv_values(file).items() if value is not None}
        new = {name: value for name, value in read.items() if name not in os.environ}
        for name, value in new.items():
            _check_address(file, name, value, read)
        os.environ.update(new)
    except (OSError, ValueError):  # bytes that are no UTF-8, or a NUL in a value
        problem = f"{file.absolute()} is no text file, or may not be read."
        raise ReaderConfigError(problem, "Write lines such as OPENAI_API_KEY=sk-...") from None


def _check_address(file: Path, name: str, value: str, read: dict[str, str]) -> None:
    """A file's own keys may go where the file says, keys of the environment not."""
    if name == KEY_HOSTS:
        problem = f"{file.absolute()} sets {KEY_HOSTS}, which says whom to trust."
        raise ReaderConfigError(problem, "Set it in the environment itself.")
    address = _ADDRESS.fullmatch(name)
    variable = f"{address[1]}_API_KEY" if address else ""
    if variable in os.environ and variable not in read and not may_have_key(variable, value):
        raise ReaderConfigError(
            f"{file.absolute()} would send {variable} of the environment to {urlsplit(value).hostname}.",
            f"Set {name} in the environment too, or the key in that file.",
        )


def _allowed() -> set[tuple[str, str]]:
    """Pairs of variable and host in NIAH_KEY_HOSTS."""
    pairs = (pair.strip().rpartition("@") for pair in os.environ.get(KEY_HOSTS, "").split(","))
    return {(variable.upper(), host.lower()) for variable, _, host in pairs}


def _is_private(host: str) -> bool:
    """Whether a host stands in a private network, as far as its name tells."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan", ".home.arpa"))


_NOTED: ContextVar[dict[str, None] | None] = ContextVar("missing keys that are noted", default=None)


@contextmanager
def noting_missing_keys() -> Iterator[None]:
    """Within, a key that is missing is noted and no error: nobody is asked."""
    token = _NOTED.set(_NOTED.get() or {})
    try:
        yield
    finally:
        _NOTED.reset(token)


def missing_key(model: str, variables: str, remedy: str) -> None:
    """Say that a model needs keys which are not set.

    Args:
        model: its name.
        variables: those that would hold them, with commas.
        remedy: what to do.

    Raises ReaderConfigError, unless missing keys are noted.
    """
    noted = _NOTED.get()
    if noted is None:
        raise ReaderConfigError(f"{model} needs {variables}, which is not set.", remedy)
    noted[f"{model} needs {variables}, which is not set: a plan goes without, niah run does not."] = None


def lacks_key(model: str) -> bool:
    """Whether no key is set of a provider in ``PROVIDER_KEYS``.

    Raises ReaderConfigError where that is so, unless missing keys are noted.
    """
    names = PROVIDER_KEYS.get(model.partition("/")[0], ())
    if not names or any(os.environ.get(name) for name in names):
        return False
    one = names[0] if len(names) == 1 else "one of them"
    missing_key(model, " or ".join(names), f"Set {one} in the environment or in a .env file here.")
    return True


def noted_missing_keys() -> tuple[str, ...]:
    """A sentence for each model whose key is missing, as noted so far."""
    return tuple(_NOTED.get() or ())
