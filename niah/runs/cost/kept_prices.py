"""The user's own prices as a run file keeps them: in the settings of each invocation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from niah.runs.cost.prices import Price, own_price
from niah.runs.provenance import Invocation

_MILLION = 1_000_000


def as_kept(prices: Mapping[str, Price]) -> dict[str, dict[str, str]]:
    """Prices of a run config, JSON-ready: US dollars for a million tokens, digit for digit."""
    return {name: _as_kept(price) for name, price in prices.items()}


def kept_prices(invocations: Sequence[Invocation]) -> dict[str, Price]:
    """The prices of the latest invocation, by reader, judge or embedder; none where none were kept."""
    if not invocations:
        return {}
    kept = invocations[-1].settings.get("prices", {}).get("value") or {}
    return {
        name: own_price(Decimal(price["input"]), Decimal(price["cached_input"]), Decimal(price["output"]))
        for name, price in kept.items()
    }


def _as_kept(price: Price) -> dict[str, str]:
    rates = price.rates[0]
    amounts = {"input": rates.input, "cached_input": rates.cached_input, "output": rates.output}
    return {name: f"{(amount * _MILLION).normalize():f}" for name, amount in amounts.items()}
