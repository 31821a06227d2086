"""What models cost, by the user or litellm's table, and what a call took. An unknown price is None, never 0.

The table is a file of the installed litellm, or came with the tokenizers; litellm is not imported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from niah.errors import UserError
from niah.judges.llm import ASKS
from niah.judges.registry import Judge
from niah.readers.credentials import is_private
from niah.readers.reader import Usage
from niah.readers.retry import Reader
from niah.weights import fetched_weights

BudgetUnit = Literal["usd", "tok"]
_OPENAI_HOST = "api.openai.com"
_OWN_SERVERS = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "lemonade"})
"""Providers of litellm's that are servers of one's own; names that end in "cloud" are hosted models."""
_TABLE = "model_prices_and_context_window_backup.json"
_TIER = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")
_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(usd|[km]?tok)", re.IGNORECASE | re.ASCII)
_SCALE = {"usd": 1, "tok": 1, "ktok": 1000, "mtok": 1_000_000}
_INPUT, _OUTPUT = "input_cost_per_token", "output_cost_per_token"
_MODES, _CALLS = ("chat", "completion", "responses"), ("query", "request")


@dataclass(frozen=True)
class Rates:
    """US dollars per token, for prompts of more than ``above`` tokens; thoughts are output."""

    above: int
    input: Decimal
    cached_input: Decimal
    output: Decimal
    stored_input: Decimal | None = None  # written into the provider's cache; as all input where it is None


@dataclass(frozen=True)
class Price:
    """What a model costs. A long prompt costs more for all of its tokens."""

    rates: tuple[Rates, ...]  # by rising ``above``; the first has 0
    free: bool = False  # embedded, or a server of one's own: 0 is no guess
    assumed: bool = False  # free only because no price of a server of one's own is set
    share: Decimal = Decimal(1)  # of the rates, that is asked

    def of(self, prompt: int, completion: int, cached: int = 0, stored: int = 0) -> Decimal:
        """US dollars for a call; the prompt has cached and stored tokens in it, the completion thoughts."""
        rates, cached = self.rates_of(prompt), min(cached, prompt)
        stored = min(stored, prompt - cached)
        read = (prompt - cached - stored) * rates.input + cached * rates.cached_input
        return self.share * (read + stored * (rates.stored_input or rates.input) + completion * rates.output)

    @cached_property
    def in_batches(self) -> Price:
        """Half of it, as OpenAI, Anthropic and others ask."""
        return replace(self, share=Decimal("0.5"))

    def rates_of(self, prompt: int) -> Rates:
        """The rates of a prompt of so many tokens."""
        return next(each for each in reversed(self.rates) if each.above == 0 or prompt > each.above)


_ZERO = Rates(0, Decimal(0), Decimal(0), Decimal(0))
FREE = Price((_ZERO,), free=True)
NO_PRICE_SET = replace(FREE, assumed=True)


def prices_of(models: Iterable[Reader | Judge], own: Mapping[str, Price]) -> dict[str, Price | None]:
    """The price of each reader, or judge that is a model, by its name; ``own``, the user's, come first."""
    asked = {model.name: (str(model.settings.get(ASKS, model.name)), model.settings) for model in models}
    return {name: own.get(model) or price_of(model, given) for name, (model, given) in asked.items()}


def price_of(name: str, settings: Mapping[str, str | int]) -> Price | None:
    """The price of a reader by its settings; None where the table has none, or tokens do not say it."""
    provider, model, host = str(settings.get("provider", "")), str(settings.get("model", name)), ""
    if provider == "embedded":
        return FREE
    if provider == "openai-compatible":
        host = urlsplit(str(settings.get("api_base", ""))).hostname or ""
        provider, model = "openai", "openai/" + model.removeprefix("openai/")
    if is_private(host) or (provider in _OWN_SERVERS and not model.endswith("cloud")):
        return NO_PRICE_SET
    entry, is_elsewhere = _entry(model), provider == "openai" and host not in ("", _OPENAI_HOST)
    if is_elsewhere or entry.get("mode") not in _MODES or None in (entry.get(_INPUT), entry.get(_OUTPUT)):
        return None
    base = _rates(entry, 0, _ZERO)
    # In the table, 0 for a hosted model is a price that is not entered.
    if not (base.input or base.output) or any(entry.get(f"input_cost_per_{call}") for call in _CALLS):
        return None
    above = sorted(int(match[1]) for key in entry if (match := _TIER.fullmatch(key)))
    return Price((base, *(_rates(entry, size * 1000, base) for size in above)))


def _rates(entry: Mapping[str, Any], above: int, base: Rates) -> Rates:
    """The rates of prompts above so many tokens; what the table does not say is as in ``base``."""
    suffix = f"_above_{above // 1000}k_tokens" if above else ""

    def rate(name: str, otherwise: Decimal) -> Decimal:
        value = entry.get(f"{name}{suffix}")
        return otherwise if value is None else Decimal(value)

    fresh, output = rate(_INPUT, base.input), rate(_OUTPUT, base.output)
    output = max(output, rate("output_cost_per_reasoning_token", output))  # 16 models ask more for thoughts
    cached, stored = (rate(f"cache_{each}_input_token_cost", fresh) for each in ("read", "creation"))
    return Rates(above, fresh, cached, output, None if stored == fresh else stored)


def caches_from(models: Iterable[Reader]) -> dict[str, int]:
    """By name, of models that cache at breakpoints alone (Anthropic's), the fewest tokens that are cached."""
    asked = {each.name: each.settings for each in models if each.settings.get("provider") == "anthropic"}
    entries = {name: _entry(str(given.get("model", name))) for name, given in asked.items()}
    return {name: int(entry.get("prompt_cache_min_tokens", 1024)) for name, entry in entries.items()}


def _entry(name: str) -> Mapping[str, Any]:
    """The table's entry under ``provider/model``, or under ``model`` of the same provider; {} without one."""
    provider, _, model = name.partition("/")
    entry = _table().get(model, {})
    if name in _table() or not str(entry.get("litellm_provider", "")).startswith(provider):
        return _table().get(name, {})
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


@dataclass(frozen=True)
class Spending:
    """Tokens of prompt and answer together, and US dollars; None where a price is unknown."""

    tokens: int
    usd: Decimal | None

    def of(self, unit: BudgetUnit) -> Decimal:
        """One of both; 0 for dollars that are unknown."""
        return Decimal(self.tokens) if unit == "tok" else self.usd or Decimal(0)


def total_usd(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """The sum; None where one of the amounts is unknown."""
    known = list(amounts)
    return None if None in known else sum((each for each in known if each is not None), Decimal(0))


def cost(price: Price | None, usage: Usage) -> Decimal | None:
    """US dollars that a call took, by the usage reported; None where price or usage is unknown."""
    read, written = usage.prompt_tokens, usage.completion_tokens
    if read == written == 0 or (price is not None and price.free):
        return Decimal(0)  # nothing was asked, or nothing is paid
    if price is None or read is None or written is None:
        return None
    return price.of(read, written, usage.cached_tokens or 0, usage.stored_tokens or 0)


def thinking_cost(price: Price | None, usage: Usage) -> Decimal | None:
    """US dollars that the thoughts of a call took; None where price or their number is unknown."""
    if price is None or usage.thinking_tokens is None or usage.prompt_tokens is None:
        return None
    return usage.thinking_tokens * price.rates_of(usage.prompt_tokens).output * price.share


@dataclass(frozen=True)
class Budget:
    """US dollars, or tokens of prompts and answers together."""

    amount: Decimal
    unit: BudgetUnit

    def __str__(self) -> str:
        return spending_label(self.amount, self.unit)


def parse_budget(text: str) -> Budget:
    """The budget that ``text`` writes down: "25usd", "0.50 USD", "40Mtok", "500ktok". Raises UserError."""
    if found := _BUDGET.fullmatch(text.strip()):
        unit = found[2].lower()
        return Budget(Decimal(found[1]) * _SCALE[unit], "usd" if unit == "usd" else "tok")
    raise UserError(f"{text!r} is no budget.", "Write 25usd, 40Mtok or 500ktok.")


def spending_label(amount: Decimal, unit: BudgetUnit) -> str:
    """An amount for people: "1.50 USD", "0.034 USD", "0.000086 USD", "1,200 tokens"."""
    if unit == "tok":
        return f"{amount:,.0f} tokens"
    small = Decimal(f"{float(amount):.2g}")
    return f"{small:f} USD" if 0 < small < Decimal("0.1") else f"{amount:,.2f} USD"
