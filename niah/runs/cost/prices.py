"""What models cost: prices by token, the table they come from, and what a call took.

The table is a file inside the installed litellm, or came with the vocabularies of tokens, and is as old as
that: litellm is not imported, and no network is asked. An unknown price is None, never 0.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from niah.errors import UserError
from niah.judges.llm import ASKS
from niah.readers.reader import Usage
from niah.retrieval.names import parse_name
from niah.weights import fetched_weights

if TYPE_CHECKING:
    from niah.judges.registry import Judge
    from niah.readers.reader import Reader
    from niah.runs.provenance import Invocation

BudgetUnit = Literal["usd", "tok"]
_MILLION = Decimal(1_000_000)
_OPENAI_HOST = "api.openai.com"
_OWN_SERVERS = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "lemonade"})
"""Providers of litellm's that are servers of one's own; names that end in "cloud" are hosted models."""
_TABLE = "model_prices_and_context_window_backup.json"
_TIER = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")
_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(usd|[km]?tok)", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_SCALE = {"usd": 1, "tok": 1, "ktok": 1000, "mtok": 1_000_000}
_CHAT_MODES = frozenset({"chat", "completion", "responses"})


@dataclass(frozen=True)
class Rates:
    """US dollars per token, for requests whose prompt has more than ``above`` tokens.

    ``thinking`` is the rate of thoughts, where it is not that of other output.
    """

    above: int
    input: Decimal
    cached_input: Decimal
    output: Decimal
    thinking: Decimal | None = None


@dataclass(frozen=True)
class Price:
    """What a model costs. Long prompts may cost more per token, all of their tokens.

    Attributes:
        rates: by rising ``above``; the first has 0.
        free: embedded, or a server of one's own: 0 is no guess.
        assumed: free only because the user has not said what a server of one's own costs.
        call: US dollars for each call besides its tokens, as rerankers cost.
    """

    rates: tuple[Rates, ...]
    free: bool = False
    call: Decimal = Decimal(0)
    assumed: bool = False

    def of(
        self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0, thinking_tokens: int = 0
    ) -> Decimal:
        """US dollars for one call; cached tokens are part of the prompt, thoughts of the completion."""
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
        """US dollars for one call that fills its room, with an answer or with thoughts."""
        return max(self.of(prompt_tokens, room), self.of(prompt_tokens, room, 0, room))

    def _rates(self, prompt_tokens: int) -> Rates:
        return next(
            rates for rates in reversed(self.rates) if rates.above == 0 or prompt_tokens > rates.above
        )


FREE = Price((Rates(0, Decimal(0), Decimal(0), Decimal(0)),), free=True)
NO_PRICE_SET = replace(FREE, assumed=True)


# Prices of models


def prices_of(
    models: Iterable[Reader | Judge], own: Mapping[str, Price] | None = None
) -> dict[str, Price | None]:
    """The price of each reader, or judge that is a model, by its name; ``own``, the user's, come first."""
    known = own or {}
    asked = {model.name: str(model.settings.get(ASKS, model.name)) for model in models}
    return {
        model.name: known.get(asked[model.name]) or price_of(asked[model.name], model.settings)
        for model in models
    }


def price_of(name: str, settings: Mapping[str, str | int]) -> Price | None:
    """The price of one reader. Of OpenAI-compatible endpoints only OpenAI's own has a known price."""
    name, provider = str(settings.get("model", name)), str(settings.get("provider", ""))
    if provider == "embedded":
        return FREE
    if provider == "openai-compatible":
        host = urlsplit(str(settings.get("api_base", ""))).hostname or ""
        if is_own_host(host):
            return NO_PRICE_SET
        return listed_price("openai/" + name.removeprefix("openai/")) if host == _OPENAI_HOST else None
    if provider in _OWN_SERVERS and not name.endswith("cloud"):
        return NO_PRICE_SET
    return listed_price(name)


def listed_window(name: str, settings: Mapping[str, str | int]) -> int | None:
    """Tokens that a hosted model takes, by the table."""
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
    return {name: known.get(name) or embedder_price(parse_name(name).model) for name in names}


def embedder_price(model: str, environment: Mapping[str, str] = os.environ) -> Price | None:
    """The price of an embedder, ``provider/model``; its address may stand in litellm's variables."""
    provider = model.partition("/")[0] if "/" in model else "openai"
    host = _host_of(provider, environment)
    if is_own_host(host) or (provider in _OWN_SERVERS and not model.endswith("cloud")):
        return NO_PRICE_SET
    if provider == "openai" and host not in ("", _OPENAI_HOST):
        return None
    return listed_price(model, frozenset({"embedding"}))


def reranker_prices(names: Iterable[str], own: Mapping[str, Price] | None = None) -> dict[str, Price | None]:
    """The price of each reranker that litellm asks, by its name; the user's come first."""
    known = own or {}
    return {name: known.get(name) or reranker_price(name) for name in names}


def reranker_price(model: str, environment: Mapping[str, str] = os.environ) -> Price | None:
    """The price of a reranker, for each request and for input."""
    model = model.removeprefix("litellm:")
    if is_own_host(_host_of(model.partition("/")[0], environment)):
        return NO_PRICE_SET
    entry = _entry(model)
    base = _table_rates({"input_cost_per_token": 0, **entry, "output_cost_per_token": 0}, 0, "")
    call = Decimal(entry.get("input_cost_per_query") or 0)
    # In the table, 0 for a hosted model is a price that is not entered.
    if entry.get("mode") != "rerank" or base is None or not (base.input or call):
        return None
    return Price((base,), call=call)


def is_own_host(host: str) -> bool:
    """Whether a server is one's own: a private address, or a name without a dot or in ``.local``."""
    try:
        address = ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(".local"))
    return address.is_private or address.is_loopback


def _host_of(provider: str, environment: Mapping[str, str]) -> str:
    """Where litellm finds a provider, by the environment; "" for the provider's own address."""
    variables = (f"{provider.upper()}_API_BASE", f"{provider.upper()}_BASE_URL")
    address = next((environment[name] for name in variables if environment.get(name)), "")
    return urlsplit(address).hostname or ""


# litellm's table


@lru_cache(maxsize=256)
def listed_price(name: str, modes: frozenset[str] = _CHAT_MODES) -> Price | None:
    """The table's price; None where tokens alone do not say what a call costs."""
    entry = _entry(name)
    if "embedding" in modes:
        entry = {**entry, "output_cost_per_token": 0}
    base = _table_rates(entry, 0, "")
    by_call = entry.get("input_cost_per_request") or entry.get("input_cost_per_query")
    # In the table, 0 for a hosted model is a price that is not entered.
    if base is None or entry.get("mode") not in modes or by_call or not (base.input or base.output):
        return None
    above = sorted(int(match[1]) for key in entry if (match := _TIER.fullmatch(key)))
    tiers = [_table_rates(entry, size * 1000, f"_above_{size}k_tokens", base) for size in above]
    return Price((base, *filter(None, tiers)))


def _table_rates(
    entry: Mapping[str, Any], above: int, suffix: str, base: Rates | None = None
) -> Rates | None:
    """The rates of prompts above ``above`` tokens, by the keys that end in ``suffix``."""
    paid = entry.get(f"input_cost_per_token{suffix}")
    output = entry.get(f"output_cost_per_token{suffix}", base.output if base else None)
    if paid is None or output is None:
        return None
    cached = entry.get(f"cache_read_input_token_cost{suffix}", paid)
    thinking = entry.get(f"output_cost_per_reasoning_token{suffix}", base.thinking if base else None)
    own = None if thinking is None or Decimal(thinking) == Decimal(output) else Decimal(thinking)
    return Rates(above, Decimal(paid), Decimal(paid if cached is None else cached), Decimal(output), own)


def _entry(name: str) -> Mapping[str, Any]:
    """The table's entry under ``provider/model``, or under ``model`` of the same provider; {} without one."""
    entry = _table().get(name)
    if entry is None:
        provider, _, model = name.partition("/")
        entry = _table().get(model, {})
        if not str(entry.get("litellm_provider", "")).startswith(provider):
            return {}
    return entry


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, Any]]:
    """The table as it ships; numbers are read as decimals, digit for digit. {} where there is none."""
    spec = find_spec("litellm")
    folder = Path(spec.origin).parent if spec and spec.origin else fetched_weights("vocabularies")
    if folder is None or not (folder / _TABLE).is_file():
        return {}
    table: dict[str, dict[str, Any]] = json.loads((folder / _TABLE).read_bytes(), parse_float=Decimal)
    return table


# The user's own prices


def own_price(fresh: Decimal, cached: Decimal, output: Decimal, thinking: Decimal | None = None) -> Price:
    """A price that the user gives, in US dollars for a million tokens."""
    own = None if thinking in (None, output) else thinking / _MILLION
    return Price((Rates(0, fresh / _MILLION, cached / _MILLION, output / _MILLION, own),))


def prices_to_store(prices: Mapping[str, Price]) -> dict[str, dict[str, str]]:
    """Prices of a run config, JSON-ready: US dollars for a million tokens, digit for digit."""
    names = ("input", "cached_input", "output", "thinking")
    return {
        name: {
            each: f"{(rate * _MILLION).normalize():f}"
            for each in names
            if (rate := getattr(price.rates[0], each)) is not None
        }
        for name, price in prices.items()
    }


def stored_prices(invocations: Sequence[Invocation]) -> dict[str, Price]:
    """The user's own prices of the latest invocation of a run, by reader, judge or embedder."""
    stored = invocations[-1].settings.get("prices", {}).get("value") if invocations else None
    prices = {}
    for name, price in (stored or {}).items():
        thinking = Decimal(price["thinking"]) if "thinking" in price else None
        fresh, cached, output = (Decimal(price[key]) for key in ("input", "cached_input", "output"))
        prices[name] = own_price(fresh, cached, output, thinking)
    return prices


# What a call took


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


def known_amount(spending: Spending, unit: BudgetUnit, otherwise: Decimal = Decimal(0)) -> Decimal:
    """What was spent, in that unit; ``otherwise`` where it is unknown."""
    amount = spending.of(unit)
    return otherwise if amount is None else amount


def total_usd(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """The sum; None where one of the amounts is unknown."""
    total = Decimal(0)
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total


def cost(price: Price | None, usage: Usage) -> Decimal | None:
    """US dollars that a call took, by the usage reported; None where price or usage is unknown."""
    if usage.prompt_tokens == usage.completion_tokens == 0:
        return Decimal(0)  # nothing was asked
    if price is None:
        return None
    if price.free:
        return Decimal(0)
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    if usage.thinking_tokens is None and any(rates.thinking is not None for rates in price.rates):
        return None
    return price.of(
        usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens or 0, usage.thinking_tokens or 0
    )


def thinking_cost(price: Price | None, usage: Usage) -> Decimal | None:
    """US dollars that the thoughts of a call took; None where price or their number is unknown."""
    if price is None or usage.thinking_tokens is None or usage.prompt_tokens is None:
        return None
    return price.of_thoughts(usage.prompt_tokens, usage.thinking_tokens)


# Budgets


@dataclass(frozen=True)
class Budget:
    """US dollars, or tokens of prompts and answers together."""

    amount: Decimal
    unit: BudgetUnit

    def __str__(self) -> str:
        return spending_label(self.amount, self.unit)


def parse_budget(text: str) -> Budget:
    """The budget that ``text`` writes down: "25usd", "0.50 USD", "40Mtok", "500ktok". Raises UserError."""
    found = _BUDGET.fullmatch(text.strip())
    if found is None:
        number = text.strip()
        known = f"Write {number}usd or {number}Mtok."
        forms = known if _NUMBER.fullmatch(number) else "Write 25usd, 40Mtok or 500ktok."
        raise UserError(f"{text!r} is no budget.", forms)
    unit = found[2].lower()
    return Budget(Decimal(found[1]) * _SCALE[unit], "usd" if unit == "usd" else "tok")


def spending_label(amount: Decimal, unit: BudgetUnit) -> str:
    """An amount for people: "1.50 USD", "0.034 USD", "0.000086 USD", "1,200 tokens"."""
    if unit == "tok":
        return f"{amount:,.0f} tokens"
    small = Decimal(f"{float(amount):.2g}")
    return f"{small:f} USD" if 0 < small < Decimal("0.1") else f"{amount:,.2f} USD"
