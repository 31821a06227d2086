"""Keep secrets out of what is logged or stored."""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

# Shorter "keys" ("none", "test") are no secrets, and would be cut out of ordinary words.
_SHORTEST_SECRET = 8
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$", re.IGNORECASE)
# Those who log addresses and headers, where a user asks for it (OPENAI_LOG=debug).
_LOGGERS = ("openai._base_client", "httpx")


def redact(text: str, secrets: Iterable[str]) -> str:
    """``text`` with every secret in it replaced by ``***``, also where it is encoded."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            for form in _forms(secret):
                text = text.replace(form, "***")
    return text


@lru_cache(maxsize=256)
def _forms(secret: str) -> tuple[str, ...]:
    """A secret as it is, in JSON, in an address and in a header, the longest first."""
    in_header = base64.b64encode(secret.encode()).decode()
    in_address = quote(secret), quote(secret, safe=""), quote_plus(secret)
    return tuple(sorted({secret, json.dumps(secret)[1:-1], *in_address, in_header}, key=len, reverse=True))


def redact_all(value: object, secrets: Iterable[str]) -> object:
    """Decoded JSON with every string in it redacted: a reply may escape any character of a secret."""
    if isinstance(value, str):
        return redact(value, secrets)
    if isinstance(value, list):
        return [redact_all(part, secrets) for part in value]
    if isinstance(value, Mapping):
        return {redact(str(key), secrets): redact_all(part, secrets) for key, part in value.items()}
    return value


def secrets_in(environment: Mapping[str, str]) -> frozenset[str]:
    """The values of environment variables that are secrets, judging by their names."""
    return frozenset(value for name, value in environment.items() if _SECRET_NAME.search(name))


def secrets_of(address: str) -> frozenset[str]:
    """What may be secret in a web address: the password (or the user, where there is none) and the query."""
    parts = urlsplit(address)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    # A header carries both together.
    pair = {f"{user}:{password}"} if user or password else set()
    return frozenset({password or user} | pair | {value for _, value in parse_qsl(parts.query)})


def without_credentials(address: str) -> str:
    """A web address without what may be secret: user, password and query."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


@contextmanager
def logs_redacted(secrets: Iterable[str]) -> Iterator[None]:
    """Meanwhile, the HTTP libraries' logs are without the secrets."""
    hidden = frozenset(secrets)

    def redacting(record: logging.LogRecord) -> bool:
        record.msg, record.args = redact(record.getMessage(), hidden), None
        if record.exc_info:
            record.exc_text = redact(logging.Formatter().formatException(record.exc_info), hidden)
        return True

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(redacting)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(redacting)
