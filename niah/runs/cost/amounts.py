"""Amounts of money of which some may be unknown."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal


def known_sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """The sum; None where one of them is unknown."""
    total = Decimal(0)
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total
