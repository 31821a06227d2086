"""What calls took: tokens, and US dollars by the price of the model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from niah.readers.reader import Usage
from niah.runs.cost.prices.price import Price

BudgetUnit = Literal["usd", "tok"]


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


def known_amount(spending: Spending, unit: BudgetUnit, otherwise: Decimal = Decimal(0)) -> Decimal:
    """What was spent, in that unit; ``otherwise`` where it is unknown."""
    amount = spending.of(unit)
    return otherwise if amount is None else amount
