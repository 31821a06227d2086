"""The prices of embedders and rerankers that litellm asks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from decimal import Decimal
from urllib.parse import urlsplit

from niah.retrieval.names import parse_name
from niah.runs.cost.prices.model_prices import OPENAI_HOST
from niah.runs.cost.prices.own_servers import OWN_SERVERS, is_own_host
from niah.runs.cost.prices.price import NO_PRICE_SET, Price
from niah.runs.cost.prices.price_table import EMBEDDING_MODE, listed_price, table_entry, table_rates


def embedder_prices(names: Iterable[str], own: Mapping[str, Price] | None = None) -> dict[str, Price | None]:
    """The price of each embedder that litellm asks, by its retriever's name; the user's come first."""
    known = own or {}
    return {name: known.get(name) or embedder_price(parse_name(name).model, os.environ) for name in names}


def embedder_price(model: str, environment: Mapping[str, str]) -> Price | None:
    """The price of an embedder, for input alone, or None where it is unknown.

    Args:
        model: litellm's name, ``provider/model``.
        environment: variables that litellm takes addresses from (``OPENAI_API_BASE``, ...).
    """
    provider = model.partition("/")[0] if "/" in model else "openai"
    host = _host_of(provider, environment)
    if is_own_host(host) or (provider in OWN_SERVERS and not model.endswith("cloud")):
        return NO_PRICE_SET
    if provider == "openai" and host not in ("", OPENAI_HOST):
        return None
    return listed_price(model, EMBEDDING_MODE)


def reranker_prices(names: Iterable[str], own: Mapping[str, Price] | None = None) -> dict[str, Price | None]:
    """The price of each reranker that litellm asks, by its name; the user's come first."""
    known = own or {}
    return {name: known.get(name) or reranker_price(name, os.environ) for name in names}


def reranker_price(model: str, environment: Mapping[str, str]) -> Price | None:
    """The price of a reranker, for each request and for input, or None where it is unknown.

    Args: see ``embedder_price``.
    """
    model = model.removeprefix("litellm:")
    if is_own_host(_host_of(model.partition("/")[0], environment)):
        return NO_PRICE_SET
    entry = table_entry(model)
    base = table_rates({"input_cost_per_token": 0, **entry, "output_cost_per_token": 0}, 0, "")
    call = Decimal(entry.get("input_cost_per_query") or 0)
    # In the table, 0 for a hosted model stands for a price that nobody has entered.
    if entry.get("mode") != "rerank" or base is None or not (base.input or call):
        return None
    return Price((base,), call=call)


def _host_of(provider: str, environment: Mapping[str, str]) -> str:
    """Where litellm finds a provider, by the environment; "" for the provider's own address."""
    variables = (f"{provider.upper()}_API_BASE", f"{provider.upper()}_BASE_URL")
    address = next((environment[name] for name in variables if environment.get(name)), "")
    return urlsplit(address).hostname or ""
