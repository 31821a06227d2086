"""Budgets: how much a run may take, in US dollars or in tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from niah.errors import UserError
from niah.runs.cost.prices.spending import BudgetUnit

_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(usd|[km]?tok)", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_SCALE = {"usd": 1, "tok": 1, "ktok": 1000, "mtok": 1_000_000}
_CENTS_SAY = Decimal("0.1")
"""US dollars, of which two decimals are as much as anybody wants to know."""
_FORMS = "Write 25usd, 40Mtok or 500ktok."


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
        forms = f"Write {number}usd or {number}Mtok." if _NUMBER.fullmatch(number) else _FORMS
        raise UserError(f"{text!r} is no budget.", forms)
    unit = found[2].lower()
    return Budget(Decimal(found[1]) * _SCALE[unit], "usd" if unit == "usd" else "tok")


def spending_label(amount: Decimal, unit: BudgetUnit) -> str:
    """An amount for people: "1.50 USD", "0.034 USD", "0.000086 USD", "1,200 tokens"."""
    if unit == "tok":
        return f"{amount:,.0f} tokens"
    small = Decimal(f"{float(amount):.2g}")  # two digits that say something, and no power of ten
    return f"{small:f} USD" if 0 < small < _CENTS_SAY else f"{amount:,.2f} USD"
