"""What a call took, also where an endpoint reports nothing, or less than can be."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from niah.readers.reader import Usage
from niah.runs.cost.estimate.expected_tokens import prompt_bound
from niah.runs.cost.prices.price import Price
from niah.runs.cost.prices.spending import BudgetUnit, cost, spending_of
from niah.runs.trial import Trial
from niah.text.tokenizer import count, get_tokenizer

# Tokenizers differ by less; who reports less than this share of our count has not counted.
_LEAST_SHARE = 0.5
_SLACK = 16


@dataclass(frozen=True)
class ReaderBounds:
    """By how much a reader has passed what we expected at most, so far; 1 for not at all.

    Attributes:
        prompt: greatest ``prompt_bound``.
        answer: greatest share of its room that an answer took.
    """

    prompt: float = 1.0
    answer: float = 1.0

    def after(self, trial: Trial, own_prompt: int, usage: Usage) -> ReaderBounds:
        """With one more call."""
        return ReaderBounds(
            max(self.prompt, prompt_bound(own_prompt, usage.prompt_tokens or 0)),
            max(self.answer, (usage.completion_tokens or 0) / trial.room),
        )


@dataclass(frozen=True)
class Taken:
    """What a call took.

    Attributes:
        usage: that counts: as reported, or our own count.
        amount: in a budget's unit.
        by_own_count: whether the report was missing, or can not be.
    """

    usage: Usage
    amount: Decimal
    by_own_count: bool


def taken_by(
    trial: Trial,
    reported: Usage,
    answer: str,
    own_prompt: int,
    price: Price | None,
    unit: BudgetUnit,
    at_most: Decimal,
    reported_usd: Decimal | None = None,
) -> Taken:
    """What a call to a reader took, in a budget's unit.

    Args:
        trial: that it was for.
        reported: by the endpoint.
        answer: what it wrote.
        own_prompt: our own count of its prompt.
        price: of the reader.
        unit: the budget's.
        at_most: what was reserved: where nothing is reported, that much may have been taken unseen.
        reported_usd: the price of then, where it is known.
    """
    own_answer = count(get_tokenizer(trial.sample.tokenizer), answer) if answer else 0
    prompt, written = reported.prompt_tokens, reported.completion_tokens
    unseen = prompt is None or written is None
    if not unseen and _may_be(prompt, own_prompt) and _may_be(written, own_answer):
        usd = cost(price, reported) if reported_usd is None else reported_usd
        amount = spending_of(reported, usd).of(unit)
        return Taken(reported, at_most if amount is None else amount, by_own_count=False)
    usage = Usage(max(prompt or 0, own_prompt), max(written or 0, own_answer), reported.cached_tokens, 0)
    amount = spending_of(usage, cost(price, usage)).of(unit) or Decimal(0)
    return Taken(usage, max(amount, at_most) if unseen else amount, by_own_count=bool(answer))


def _may_be(reported: int | None, own: int) -> bool:
    return (reported or 0) + _SLACK >= _LEAST_SHARE * own
