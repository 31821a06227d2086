"""The prices of readers and of judges that ask a model: None, never 0, where nobody knows one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol
from urllib.parse import urlsplit

from niah.judges.llm import ASKS
from niah.runs.cost.prices.own_servers import OWN_SERVERS, is_own_host
from niah.runs.cost.prices.price import FREE, NO_PRICE_SET, Price
from niah.runs.cost.prices.price_table import listed_price, table_entry

OPENAI_HOST = "api.openai.com"


class Model(Protocol):
    """A reader, or a judge that is one."""

    @property
    def name(self) -> str:
        """Its own."""
        ...

    @property
    def settings(self) -> dict[str, str | int]:
        """Where and how it is asked."""
        ...


def prices_of(models: Iterable[Model], own: Mapping[str, Price] | None = None) -> dict[str, Price | None]:
    """The price of each model, by its name; ``own``, the user's, come before the table's.

    A judge that asks a model of another name has that one's price.
    """
    known = own or {}
    names = {model.name: str(model.settings.get(ASKS, model.name)) for model in models}
    return {
        model.name: known.get(names[model.name]) or price_of(names[model.name], model.settings)
        for model in models
    }


def price_of(name: str, settings: Mapping[str, str | int]) -> Price | None:
    """The price of one reader, or None where it is unknown.

    A server of one's own is one at a loopback or private address, or under a name without a dot. Of other
    OpenAI-compatible endpoints only OpenAI's own has a known price: elsewhere the same model may cost more.

    Args:
        name: the reader's.
        settings: the reader's; its ``provider`` and ``api_base`` count, and its ``model`` before the name.
    """
    name = str(settings.get("model", name))
    provider = str(settings.get("provider", ""))
    if provider == "embedded":
        return FREE
    if provider == "openai-compatible":
        host = urlsplit(str(settings.get("api_base", ""))).hostname or ""
        if is_own_host(host):
            return NO_PRICE_SET
        return listed_price("openai/" + name.removeprefix("openai/")) if host == OPENAI_HOST else None
    if provider in OWN_SERVERS and not name.endswith("cloud"):
        return NO_PRICE_SET
    return listed_price(name)


def listed_window(name: str, settings: Mapping[str, str | int]) -> int | None:
    """Tokens that a hosted model takes, by the table; None where it does not say.

    Args: see ``price_of``.
    """
    name, provider = str(settings.get("model", name)), str(settings.get("provider", ""))
    if provider in OWN_SERVERS:
        return None  # these hold what they were started with
    if provider == "openai-compatible":
        if urlsplit(str(settings.get("api_base", ""))).hostname != OPENAI_HOST:
            return None
        name = "openai/" + name.removeprefix("openai/")
    tokens = table_entry(name).get("max_input_tokens")
    return tokens if isinstance(tokens, int) else None
