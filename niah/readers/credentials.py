"""Keys: which may go where, what it means that one is not set, and how secrets stay out of logs and files.

A run config or a ``.env`` may come from somebody else: neither may send a key of this user's environment to
an address of its own.
"""

from __future__ import annotations

import base64
import ipaddress
import json
import logging
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from niah.errors import UserError

KEY_HOSTS = "NIAH_KEY_HOSTS"  # the variable that allows more: "VLLM_API_KEY@gpu.example.com, KEY@my.proxy"
_TRUST = re.compile(rf"(?i){KEY_HOSTS}|SSL_CERT_(FILE|DIR)|SSL_VERIFY|(REQUESTS|CURL)_CA_BUNDLE")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

# First words of variables, and the domains that their keys are for.
_OWNERS = {
    **{"ANTHROPIC": "anthropic.com", "AZURE": "azure.com azure.us azure.cn", "CEREBRAS": "cerebras.ai"},
    **{"COHERE": "cohere.com cohere.ai", "DEEPSEEK": "deepseek.com", "FIREWORKS": "fireworks.ai"},
    **{"GEMINI": "googleapis.com", "GOOGLE": "googleapis.com", "GROQ": "groq.com"},
    **dict.fromkeys(("HF", "HUGGINGFACE"), "huggingface.co huggingface.cloud"),
    **{"MISTRAL": "mistral.ai", "NVIDIA": "nvidia.com", "OPENAI": "openai.com openai.azure.com"},
    **{"OPENROUTER": "openrouter.ai", "PERPLEXITY": "perplexity.ai", "VOYAGE": "voyageai.com", "XAI": "x.ai"},
    **dict.fromkeys(("TOGETHER", "TOGETHERAI"), "together.xyz together.ai"),
}
_USUAL = "cerebras cohere deepinfra deepseek groq mistral moonshot nvidia_nim openrouter voyage xai"
PROVIDER_KEYS = {
    **{provider: f"{provider.upper()}_API_KEY" for provider in _USUAL.split()},
    "anthropic": "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN",
    "fireworks_ai": "FIREWORKS_AI_API_KEY FIREWORKS_API_KEY FIREWORKSAI_API_KEY FIREWORKS_AI_TOKEN",
    "gemini": "GOOGLE_API_KEY GEMINI_API_KEY",
    "together_ai": "TOGETHERAI_API_KEY",
}
"""What litellm's own check asks for, by provider; any one will do. Importing it takes seconds."""

# Keys of models' endpoints, and no secrets of other kinds.
_KEY = re.compile(
    r"(?i)(?!(AWS|GITHUB|GH|GITLAB|CI|NPM|PYPI|TWINE|SSH|DOCKER|KUBE|VAULT)_|.*(PASSWORD|SECRET)).*(KEY|TOKEN)"
)


def may_have_key(variable: str, api_base: str, *, by_hand: bool = False) -> bool:
    """Whether a variable's key may be sent to an address: to this machine any; to hosts of the one who gave
    it, by its name; to what NIAH_KEY_HOSTS or the user ``by_hand`` allows; in a private network if it is no
    provider's."""
    if not _KEY.fullmatch(variable):
        return False
    host = urlsplit(api_base).hostname or ""
    allowed = {pair.strip().lower() for pair in os.environ.get(KEY_HOSTS, "").split(",")}
    if by_hand or host in LOOPBACK or f"{variable}@{host}".lower() in allowed:
        return True
    if owners := _OWNERS.get(variable.upper().partition("_")[0]):
        return any(f".{host}".endswith(f".{domain}") for domain in owners.split())
    return is_private(host)


def is_private(host: str) -> bool:
    """Whether a host is in a private network, or this machine, by its address or name."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_private
    return bool(host) and ("." not in host or host.endswith((".local", ".internal", ".lan", ".home.arpa")))


def load_dotenv_here() -> None:
    """Take over the working folder's ``.env``; what the environment has stays. Raises UserError."""
    file = Path(".env").absolute()
    if not file.is_file():
        return
    from dotenv import dotenv_values

    try:
        read = {name: value for name, value in dotenv_values(file).items() if value is not None}
        new = {name: value for name, value in read.items() if name not in os.environ}
        for name, value in new.items():
            if _TRUST.fullmatch(name):
                problem = f"{file} sets {name}, which says whom to trust."
                raise UserError(problem, "Set it in the environment itself.")
            owner, is_address = re.subn(r"(?<=_)(BASE_URL|API_BASE|ENDPOINT)$", "", name)
            known = PROVIDER_KEYS.get(owner[:-1].lower(), "").split()
            for key in os.environ if is_address else ():
                is_theirs = key in known or (key.startswith(owner) and _KEY.fullmatch(key))
                if is_theirs and read.get(key) != os.environ[key] and not may_have_key(key, value):
                    problem = f"{file} would send {key} of the environment to {urlsplit(value).hostname}."
                    raise UserError(problem, f"Set {name} in the environment, or unset {key}.")
        os.environ.update(new)
    except (OSError, ValueError):  # bytes that are no UTF-8, or a NUL in a value
        problem = f"{file} is no text file, or may not be read."
        raise UserError(problem, "Write lines such as OPENAI_API_KEY=sk-...") from None


missing_keys: ContextVar[dict[str, None]] = ContextVar("missing_keys")
"""Where no model is asked: what a key that is missing adds a sentence to, in place of an error."""


def missing_key(model: str, *variables: str) -> None:
    """Raise UserError, or note, that a model needs one of ``variables``, and none is set."""
    problem, noted = f"{model} needs {' or '.join(variables)}, which is not set", missing_keys.get(None)
    if noted is None:
        raise UserError(f"{problem}.", "Set it in the environment or in a .env file here.")
    noted[f"{problem}: a plan goes without, niah run does not."] = None


def lacks_key(model: str) -> bool:
    """Whether no key of a provider in ``PROVIDER_KEYS`` is set; raises as ``missing_key`` does."""
    names = PROVIDER_KEYS.get(model.partition("/")[0], "").split()
    if not names or any(os.environ.get(name) for name in names):
        return False
    missing_key(model, *names)
    return True


_SHORTEST_SECRET = 8  # shorter "keys" ("none", "test") would be cut out of ordinary words
_SECRET_NAME = re.compile(r"(?i)(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$")


def redact(text: str, secrets: Iterable[str]) -> str:
    """``text`` with every secret in it replaced by ``***``, also where it is encoded."""
    for secret in secrets:
        for form in _forms(secret):
            text = text.replace(form, "***")
    return text


@lru_cache(maxsize=256)
def _forms(secret: str) -> tuple[str, ...]:
    """A secret as it is, in JSON, in an address and in a header, the longest first; none of a short one."""
    if len(secret) < _SHORTEST_SECRET:
        return ()
    in_header = base64.b64encode(secret.encode()).decode()
    in_address = quote(secret), quote(secret, safe=""), quote_plus(secret)
    return tuple(sorted({secret, json.dumps(secret)[1:-1], *in_address, in_header}, key=len, reverse=True))


def redact_all(value: object, secrets: Iterable[str]) -> object:
    """Decoded JSON with every string in it redacted: a reply may escape any character of a secret."""
    if isinstance(value, list):
        return [redact_all(part, secrets) for part in value]
    if isinstance(value, dict):
        return {redact(str(key), secrets): redact_all(part, secrets) for key, part in value.items()}
    return redact(value, secrets) if isinstance(value, str) else value


def secrets_in(environment: Mapping[str, str]) -> frozenset[str]:
    """The values of environment variables that are secrets, judging by their names."""
    return frozenset(value for name, value in environment.items() if _SECRET_NAME.search(name))


def secrets_of(address: str) -> frozenset[str]:
    """What may be secret in a web address: the password (or the user, where there is none) and the query."""
    parts = urlsplit(address)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    pair = {f"{user}:{password}"} if user or password else set()  # a header carries both together
    return frozenset({password or user} | pair | {value for _, value in parse_qsl(parts.query)})


def without_credentials(address: str) -> str:
    """A web address without what may be secret: user, password and query."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


@lru_cache(maxsize=256)  # a filter more for each reader would slow down every line of a log
def redacted_in_logs(secrets: frozenset[str]) -> frozenset[str]:
    """The secrets; from now on, the logs of those who log addresses and headers are without them."""

    def clean(record: logging.LogRecord) -> bool:
        record.msg, record.args = redact(record.getMessage(), secrets), None
        if record.exc_info:
            said = record.exc_text or logging.Formatter().formatException(record.exc_info)
            record.exc_text = redact(said, secrets)
        return True

    for name in ("openai._base_client", "httpx"):  # where a user asks for it (OPENAI_LOG=debug)
        logging.getLogger(name).addFilter(clean)
    return secrets
