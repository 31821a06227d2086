"""What kept answers cost, in run files of niah before it wrote that down: there they have 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isclose

from niah.runs.cost.prices.model_prices import price_of
from niah.runs.cost.prices.own_prices import stored_prices
from niah.runs.cost.prices.price import Price
from niah.runs.cost.prices.spending import cost, thinking_cost
from niah.runs.provenance import Invocation
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import strategy_of

_SAME = 1e-9


def price_kept(
    records: Iterable[TrialRecord],
    invocations: Sequence[Invocation],
    readers: Mapping[str, Mapping[str, str | int]],
) -> list[TrialRecord]:
    """The records, with what kept answers would have cost where they have 0; None where nobody can say.

    A reader's price is known where it gives what each of its trials cost that were paid for, where all
    invocations gave the same one, or where the reader is free.

    Args:
        records: of a run file.
        invocations: of the run, with the user's own prices.
        readers: how each was asked, by name.
    """
    every = list(records)
    if not any(map(_lacks_cost, every)):
        return every
    paid: dict[str, list[TrialRecord]] = {}
    for record in every:
        if record.cost is not None and record.prompt_tokens and not record.from_cache:
            paid.setdefault(_answers(record), []).append(record)
    prices = {
        record.reader: _price(record.reader, paid.get(record.reader, ()), invocations, readers)
        for record in every
        if _lacks_cost(record)
    }
    return [_priced(record, prices, paid) if _lacks_cost(record) else record for record in every]


def _lacks_cost(record: TrialRecord) -> bool:
    return record.from_cache and record.cost == 0


def _answers(record: TrialRecord) -> str:
    """Who answers: the reader, or a system in its place."""
    return record.strategy if strategy_of(record.strategy, record.definition).system else record.reader


def _price(
    name: str,
    paid: Sequence[TrialRecord],
    invocations: Sequence[Invocation],
    readers: Mapping[str, Mapping[str, str | int]],
) -> Price | None:
    """What a reader's tokens cost then; None where it cannot be told for sure."""
    own = {price for each in invocations if (price := stored_prices([each]).get(name))}
    listed = None if own else price_of(name, readers.get(name, {}))
    for price in (*own, *([listed] if listed else [])):
        is_sure = bool(paid) or price.free or len(own) == 1
        if is_sure and all(_gives(price, record) for record in paid):
            return price
    return None


def _gives(price: Price, record: TrialRecord) -> bool:
    usd = cost(price, record.usage)
    return usd is not None and isclose(usd, record.cost or 0, rel_tol=_SAME)


def _priced(
    record: TrialRecord, prices: Mapping[str, Price | None], paid: Mapping[str, Sequence[TrialRecord]]
) -> TrialRecord:
    answers = _answers(record)
    if answers != record.reader:
        is_free = answers in paid and all(each.cost == 0 for each in paid[answers])
        return record if is_free else replace(record, cost=None)
    price = prices[record.reader]
    usd, thoughts = cost(price, record.usage), thinking_cost(price, record.usage)
    return replace(
        record,
        cost=None if usd is None else float(usd),
        thinking_cost=None if thoughts is None else float(thoughts),
    )
