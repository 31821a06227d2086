"""Prices that the user gives, and how a run file keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from niah.runs.cost.prices.price import Price, Rates
from niah.runs.provenance import Invocation


def own_price(fresh: Decimal, cached: Decimal, output: Decimal, thinking: Decimal | None = None) -> Price:
    """A price that the user gives, in US dollars for a million tokens; thoughts cost what output does."""
    million = Decimal(1_000_000)
    own = None if thinking in (None, output) else thinking / million
    return Price((Rates(0, fresh / million, cached / million, output / million, own),))


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
