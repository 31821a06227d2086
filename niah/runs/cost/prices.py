"""What readers, judges and embedders cost: money per token, from the price table that comes with litellm.

The table is a file inside the installed package, or came with the vocabularies of tokens, and is as old as
that: litellm is not imported, no network is asked. A price that is not known is None, never 0; what runs on
a machine of one's own is free.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

from niah.judges.cascade import ASKS
from niah.readers.reader import Usage
from niah.retrieval.names import parse_name
from niah.runs.provenance import Invocation
from niah.weights import fetched_weights

BudgetUnit = Literal["usd", "tok"]

_TABLE = "model_prices_and_context_window_backup.json"
_OPENAI_HOST = "api.openai.com"
# Providers of litellm's that are servers of one's own. Names that end in "cloud" are Ollama's hosted models.
_OWN_SERVERS = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "lemonade"})
_TIER = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")
_MODES = frozenset({"chat", "completion", "responses"})
_EMBEDDING = frozenset({"embedding"})


@dataclass(frozen=True)
class Rates:
    """US dollars per token, for requests whose prompt has more than ``above`` tokens."""

    above: int
    input: Decimal
    cached_input: Decimal
    output: Decimal
    thinking: Decimal | None = None
    """Of thoughts, where they cost other than what other output does."""


@dataclass(frozen=True)
class Price:
    """What a model costs. Long prompts may cost more per token, all of their tokens.

    Attributes:
        rates: by rising ``above``; the first has 0.
        free: nothing is paid by nature (embedded, or a server of one's own), so that 0 is no guess.
        call: US dollars for each call beside its tokens, as rerankers cost.
    """

    rates: tuple[Rates, ...]
    free: bool = False
    call: Decimal = Decimal(0)

    @property
    def counts_thoughts(self) -> bool:
        """Whether thoughts cost other than what other output does."""
        return any(rates.thinking is not None for rates in self.rates)

    def of(
        self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0, thinking_tokens: int = 0
    ) -> Decimal:
        """US dollars for one call.

        Args:
            prompt_tokens: of its whole prompt.
            completion_tokens: all that was written.
            cached_tokens: of the prompt, in the provider's prompt cache.
            thinking_tokens: of what was written.
        """
        rates = self._rates(prompt_tokens)
        cached, thinking = min(cached_tokens, prompt_tokens), min(thinking_tokens, completion_tokens)
        fresh = (prompt_tokens - cached) * rates.input
        answer = (completion_tokens - thinking) * rates.output
        thoughts = self.of_thoughts(prompt_tokens, thinking)
        return self.call + fresh + cached * rates.cached_input + answer + thoughts

    def of_thoughts(self, prompt_tokens: int, thinking_tokens: int) -> Decimal:
        """US dollars for the thoughts of a call."""
        rates = self._rates(prompt_tokens)
        return thinking_tokens * (rates.output if rates.thinking is None else rates.thinking)

    def at_most(self, prompt_tokens: int, room: int) -> Decimal:
        """US dollars for one call that fills its room, be it with an answer or with thoughts."""
        return max(self.of(prompt_tokens, room), self.of(prompt_tokens, room, 0, room))

    def _rates(self, prompt_tokens: int) -> Rates:
        return next(
            rates for rates in reversed(self.rates) if rates.above == 0 or prompt_tokens > rates.above
        )


FREE = Price((Rates(0, Decimal(0), Decimal(0), Decimal(0)),), free=True)


@dataclass(frozen=True)
class Spending:
    """Tokens of prompt and answer together, and US dollars; None where they are unknown."""

    tokens: int | None
    usd: Decimal | None

    def of(self, unit: BudgetUnit) -> Decimal | None:
        """One of both."""
        return self.usd if unit == "usd" else None if self.tokens is None else Decimal(self.tokens)


def spending_of(usage: Usage, usd: Decimal | None) -> Spending:
    """What a call took, by the usage reported."""
    read, written = usage.prompt_tokens, usage.completion_tokens
    return Spending(None if read is None or written is None else read + written, usd)


def total_usd(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """The sum; None where one of the amounts is unknown."""
    every = list(amounts)
    known = [amount for amount in every if amount is not None]
    return sum(known, Decimal(0)) if len(known) == len(every) else None


def cost(price: Price | None, usage: Usage) -> Decimal | None:
    """US dollars that a call took, by the usage reported; None where price or usage is unknown."""
    if usage.prompt_tokens == usage.completion_tokens == 0:
        return Decimal(0)  # nobody was asked
    if price is None:
        return None
    if price.free:
        return Decimal(0)
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    if price.counts_thoughts and usage.thinking_tokens is None:
        return None
    return price.of(
        usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens or 0, usage.thinking_tokens or 0
    )


def thinking_cost(price: Price | None, usage: Usage) -> Decimal | None:
    """US dollars that the thoughts of a call took; None where price or their number is unknown."""
    if price is None or usage.thinking_tokens is None or usage.prompt_tokens is None:
        return None
    return price.of_thoughts(usage.prompt_tokens, usage.thinking_tokens)


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


def stored_prices(invocations: Sequence[Invocation]) -> dict[str, Price]:
    """The user's own prices of the latest invocation of a run, by reader, judge or embedder."""
    if not invocations:
        return {}
    stored = invocations[-1].settings.get("prices", {}).get("value") or {}
    return {
        name: own_price(
            Decimal(price["input"]),
            Decimal(price["cached_input"]),
            Decimal(price["output"]),
            Decimal(price["thinking"]) if "thinking" in price else None,
        )
        for name, price in stored.items()
    }


def prices_to_store(prices: Mapping[str, Price]) -> dict[str, dict[str, str]]:
    """Prices of a run config, JSON-ready: US dollars for a million tokens, digit for digit."""
    names = ("input", "cached_input", "output", "thinking")
    return {
        name: {
            each: f"{(rate * 1_000_000).normalize():f}"
            for each in names
            if (rate := getattr(price.rates[0], each)) is not None
        }
        for name, price in prices.items()
    }


def own_price(fresh: Decimal, cached: Decimal, output: Decimal, thinking: Decimal | None = None) -> Price:
    """A price that the user gives, in US dollars for a million tokens; thoughts cost what output does."""
    million = Decimal(1_000_000)
    own = None if thinking in (None, output) else thinking / million
    return Price((Rates(0, fresh / million, cached / million, output / million, own),))


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
        if _is_own(host):
            return FREE
        return _listed("openai/" + name.removeprefix("openai/")) if host == _OPENAI_HOST else None
    if provider in _OWN_SERVERS and not name.endswith("cloud"):
        return FREE
    return _listed(name)


def listed_window(name: str, settings: Mapping[str, str | int]) -> int | None:
    """Tokens that a hosted model takes, by the table; None where it does not say.

    Args: see ``price_of``.
    """
    name, provider = str(settings.get("model", name)), str(settings.get("provider", ""))
    if provider in _OWN_SERVERS:
        return None  # these hold what they were started with
    if provider == "openai-compatible":
        if urlsplit(str(settings.get("api_base", ""))).hostname != _OPENAI_HOST:
            return None
        name = "openai/" + name.removeprefix("openai/")
    tokens = _entry(name).get("max_input_tokens")
    return tokens if isinstance(tokens, int) else None


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
    if _is_own(host) or (provider in _OWN_SERVERS and not model.endswith("cloud")):
        return FREE
    if provider == "openai" and host not in ("", _OPENAI_HOST):
        return None
    return _listed(model, _EMBEDDING)


def reranker_prices(names: Iterable[str], own: Mapping[str, Price] | None = None) -> dict[str, Price | None]:
    """The price of each reranker that litellm asks, by its name; the user's come first."""
    known = own or {}
    return {name: known.get(name) or reranker_price(name, os.environ) for name in names}


def reranker_price(model: str, environment: Mapping[str, str]) -> Price | None:
    """The price of a reranker, for each request and for input, or None where it is unknown.

    Args: see ``embedder_price``.
    """
    model = model.removeprefix("litellm:")
    if _is_own(_host_of(model.partition("/")[0], environment)):
        return FREE
    entry = _entry(model)
    base = _rates({"input_cost_per_token": 0, **entry, "output_cost_per_token": 0}, 0, "")
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


@lru_cache(maxsize=256)
def _listed(name: str, modes: frozenset[str] = _MODES) -> Price | None:
    """The price under ``provider/model``, or under ``model`` where that is the same provider's."""
    entry = _entry(name)
    # Embeddings have no output, and some entries no price for it.
    return _price({**entry, "output_cost_per_token": 0} if modes == _EMBEDDING else entry, modes)


def _entry(name: str) -> Mapping[str, Any]:
    """The table's, under ``provider/model`` or under ``model`` of the same provider; empty where none is."""
    entry = _table().get(name)
    if entry is None:
        provider, _, model = name.partition("/")
        entry = _table().get(model, {})
        if not str(entry.get("litellm_provider", "")).startswith(provider):
            return {}
    return entry


def _price(entry: Mapping[str, Any], modes: Collection[str]) -> Price | None:
    """An entry of the table as a price; None where tokens alone do not say what a call costs."""
    base = _rates(entry, 0, "")
    if (
        base is None
        or entry.get("mode") not in modes
        or entry.get("input_cost_per_request")
        or entry.get("input_cost_per_query")
        # In the table, 0 for a hosted model stands for a price that nobody has entered.
        or not (base.input or base.output)
    ):
        return None
    above = sorted(int(match[1]) for key in entry if (match := _TIER.fullmatch(key)))
    tiers = [_rates(entry, size * 1000, f"_above_{size}k_tokens", base) for size in above]
    return Price((base, *filter(None, tiers)))


def _rates(entry: Mapping[str, Any], above: int, suffix: str, base: Rates | None = None) -> Rates | None:
    paid = entry.get(f"input_cost_per_token{suffix}")
    output = entry.get(f"output_cost_per_token{suffix}", base.output if base else None)
    if paid is None or output is None:
        return None
    # Without a price of its own, a cached token costs what any other does.
    cached = entry.get(f"cache_read_input_token_cost{suffix}", paid)
    thinking = entry.get(f"output_cost_per_reasoning_token{suffix}", base.thinking if base else None)
    own = None if thinking is None or Decimal(thinking) == Decimal(output) else Decimal(thinking)
    return Rates(above, Decimal(paid), Decimal(paid if cached is None else cached), Decimal(output), own)


def _is_own(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(".local"))
    return address.is_private or address.is_loopback


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, Any]]:
    """The table as it ships; numbers are read as decimals, digit for digit. Empty where none is here."""
    folder = _table_folder()
    if folder is None or not (folder / _TABLE).is_file():
        return {}
    table: dict[str, dict[str, Any]] = json.loads((folder / _TABLE).read_bytes(), parse_float=Decimal)
    return table


def _table_folder() -> Path | None:
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return fetched_weights("vocabularies")
    return Path(spec.origin).parent
