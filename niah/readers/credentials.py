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

# First words of variables, and the domains that their keys are for.
_OWNERS = {
    word: tuple(domains.split())
    for words, domains in (
        ("ANTHROPIC", "anthropic.com"),
        ("AZURE", "azure.com azure.us azure.cn"),
        ("CEREBRAS", "cerebras.ai"),
        ("COHERE", "cohere.com cohere.ai"),
        ("DEEPSEEK", "deepseek.com"),
        ("FIREWORKS", "fireworks.ai"),
        ("GEMINI GOOGLE", "googleapis.com"),
        ("GROQ", "groq.com"),
        ("HF HUGGINGFACE", "huggingface.co huggingface.cloud"),
        ("MISTRAL", "mistral.ai"),
        ("NVIDIA", "nvidia.com"),
        ("OPENAI", "openai.com openai.azure.com"),
        ("OPENROUTER", "openrouter.ai"),
        ("PERPLEXITY", "perplexity.ai"),
        ("TOGETHER TOGETHERAI", "together.xyz together.ai"),
        ("VOYAGE", "voyageai.com"),
        ("XAI", "x.ai"),
    )
    for word in words.split()
}
_USUAL = "cerebras cohere deepinfra deepseek groq mistral moonshot nvidia_nim openrouter voyage xai"
PROVIDER_KEYS = {
    **{provider: (f"{provider.upper()}_API_KEY",) for provider in _USUAL.split()},
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "fireworks_ai": tuple(
        f"FIREWORKS{end}" for end in ("_AI_API_KEY", "_API_KEY", "AI_API_KEY", "_AI_TOKEN")
    ),
    "gemini": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "together_ai": ("TOGETHERAI_API_KEY",),
}
"""What litellm's own check asks for, by provider; any one will do. Importing it takes seconds."""

# Keys of models' endpoints, and no secrets of other kinds.
_KEY = re.compile(
    r"(?!(AWS|GITHUB|GH|GITLAB|CI|NPM|PYPI|TWINE|SSH|DOCKER|KUBE|VAULT)_|.*(PASSWORD|SECRET)).*(KEY|TOKEN)",
    re.I,
)
_ADDRESS = re.compile(r"(.+)_(BASE_URL|API_BASE)$")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def may_have_key(variable: str, api_base: str, *, by_hand: bool = False) -> bool:
    """Whether the key in an environment variable may be sent to an address.

    To this machine any; to hosts of the one who gave the key, by the variable's name; to hosts that
    NIAH_KEY_HOSTS allows, or the user gave ``by_hand``; to others in a private network where the name is
    nobody's.
    """
    if not _KEY.fullmatch(variable):
        return False
    host = (urlsplit(api_base).hostname or "").lower()
    pairs = (pair.strip().rpartition("@") for pair in os.environ.get(KEY_HOSTS, "").split(","))
    allowed = {(name.upper(), host.lower()) for name, _, host in pairs}
    if by_hand or host in LOOPBACK or (variable.upper(), host) in allowed:
        return True
    if owners := _OWNERS.get(variable.upper().partition("_")[0]):
        return any(host == domain or host.endswith(f".{domain}") for domain in owners)
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan", ".home.arpa"))


def check_key_variable(variable: str, api_base: str, *, by_hand: bool = False) -> None:
    """Raise ReaderConfigError where a config sends a key to a host that it is not for."""
    if may_have_key(variable, api_base, by_hand=by_hand):
        return
    host = urlsplit(api_base).hostname
    if not _KEY.fullmatch(variable):
        problem = f"{variable} is no key of a model's endpoint, and is not sent to {host}."
        raise ReaderConfigError(problem, "Name a variable that holds one, such as VLLM_API_KEY.")
    problem = f"{variable} is not known to be for {host}, and is not sent there."
    raise ReaderConfigError(problem, f"If it is, set {KEY_HOSTS}={variable}@{host} in the environment.")


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
            _check_line(file.absolute(), name, value, read)
        os.environ.update(new)
    except (OSError, ValueError):  # bytes that are no UTF-8, or a NUL in a value
        problem = f"{file.absolute()} is no text file, or may not be read."
        raise ReaderConfigError(problem, "Write lines such as OPENAI_API_KEY=sk-...") from None


def _check_line(file: Path, name: str, value: str, read: dict[str, str]) -> None:
    """A file's own keys may go where the file says, keys of the environment not."""
    if name == KEY_HOSTS:
        problem = f"{file} sets {KEY_HOSTS}, which says whom to trust."
        raise ReaderConfigError(problem, "Set it in the environment itself.")
    address = _ADDRESS.fullmatch(name)
    variable = f"{address[1]}_API_KEY" if address else ""
    if variable in os.environ and variable not in read and not may_have_key(variable, value):
        raise ReaderConfigError(
            f"{file} would send {variable} of the environment to {urlsplit(value).hostname}.",
            f"Set {name} in the environment too, or the key in that file.",
        )


_NOTED: ContextVar[dict[str, None] | None] = ContextVar("missing keys that are noted", default=None)


@contextmanager
def noting_missing_keys() -> Iterator[None]:
    """Within, a key that is missing is noted and no error: no model is asked."""
    token = _NOTED.set(_NOTED.get() or {})
    try:
        yield
    finally:
        _NOTED.reset(token)


def missing_key(model: str, variables: str, remedy: str) -> None:
    """Raise ReaderConfigError, or note, that a model needs ``variables`` which are not set."""
    noted = _NOTED.get()
    if noted is None:
        raise ReaderConfigError(f"{model} needs {variables}, which is not set.", remedy)
    noted[f"{model} needs {variables}, which is not set: a plan goes without, niah run does not."] = None


def lacks_key(model: str) -> bool:
    """Whether no key of a provider in ``PROVIDER_KEYS`` is set; raises as ``missing_key`` does."""
    names = PROVIDER_KEYS.get(model.partition("/")[0], ())
    if not names or any(os.environ.get(name) for name in names):
        return False
    one = names[0] if len(names) == 1 else "one of them"
    missing_key(model, " or ".join(names), f"Set {one} in the environment or in a .env file here.")
    return True


def noted_missing_keys() -> tuple[str, ...]:
    """A sentence for each model whose key is missing, as noted so far."""
    return tuple(_NOTED.get() or ())
