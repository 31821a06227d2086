"""Which servers are one's own: what runs there is free."""

from __future__ import annotations

from ipaddress import ip_address

# Providers of litellm's that are servers of one's own. Names that end in "cloud" are Ollama's hosted models.
OWN_SERVERS = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "lemonade"})


def is_own_host(host: str) -> bool:
    """Whether a server's host is one's own: a private address, or a name without a dot or in ``.local``."""
    try:
        address = ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(".local"))
    return address.is_private or address.is_loopback
