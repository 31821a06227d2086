"""Keep secrets out of what is logged or stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

# Shorter "keys" ("none", "test") are no secrets, and would be cut out of ordinary words.
_SHORTEST_SECRET = 8
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$", re.IGNORECASE)


def redact(text: str, secrets: Iterable[str]) -> str:
    """``text`` with every secret in it replaced by ``***``."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "***")
    return text


def secrets_in(environment: Mapping[str, str]) -> frozenset[str]:
    """The values of environment variables that are secrets, judging by their names."""
    return frozenset(value for name, value in environment.items() if _SECRET_NAME.search(name))


def shown(address: str) -> str:
    """A web address without what may be secret: user, password and query."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
