"""What a run will take, before anything is asked: no retrieval, no embedding, no language model.

Tokens are those of the samples' tokenizer, where nothing else is said. A provider counts with its own, and
adds the tokens of its chat template; what finished trials showed of that is taken into account where there
are any. A judge is called once for every answer; of a cascade, for the share of them that its rules are
expected to be unsure of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from math import ceil

from niah.runs.cost.estimate.expected_tokens import Tokens, judge_prompt_tokens, tokens_of
from niah.runs.cost.estimate.finished_trials import JudgeHistory, ReaderHistory, counts_own
from niah.runs.cost.estimate.planned_use import Plan, PlannedUse, ReaderPlan
from niah.runs.cost.prices.price import Price
from niah.runs.cost.prices.spending import Spending, total_usd
from niah.runs.cost.routed import (
    EXPECTED_SHARE,
    RoutedTrials,
    may_be_answered_first,
)
from niah.runs.trial import Trial


def make_plan(
    trials: Sequence[Trial],
    finished: Collection[str],
    concurrency: Mapping[str, int],
    prices: Mapping[str, Price | None],
    histories: Mapping[str, ReaderHistory],
    kept: Collection[str] = (),
    judge: JudgeHistory | None = None,
    embedders: Sequence[PlannedUse] = (),
    rerankers: Sequence[PlannedUse] = (),
    systems: Sequence[PlannedUse] = (),
    preparing: Sequence[PlannedUse] = (),
) -> Plan:
    """The plan of a run.

    Args:
        trials: all of them.
        finished: ids of those that are not asked again.
        concurrency: of each reader, by name, in the order of the config.
        prices: of each reader.
        histories: of each reader that has finished trials.
        kept: ids of trials whose answers are kept from earlier runs; they are judged all the same.
        judge: who is asked for verdicts.
        embedders, rerankers, systems, preparing: what they will take.
    """
    left = [trial for trial in trials if trial.trial_id not in finished]
    readers, turns = [], 0.0
    for name, at_once in concurrency.items():
        own = [trial for trial in left if trial.reader == name and not trial.strategy.system]
        asked = [trial for trial in own if trial.trial_id not in kept]
        planned = sum(trial.reader == name and not trial.strategy.system for trial in trials)
        history = histories.get(name, ReaderHistory())
        readers.append(_reader_plan(name, planned, len(own), asked, at_once, prices[name], history))
        turns += len(own) / at_once
    turns += sum(bool(trial.strategy.system) for trial in left)
    judging = _judge_plan(judge, [trial for trial in left if not trial.asks_first], turns) if judge else None
    return Plan(
        tuple(readers),
        judging,
        tuple(embedders),
        rerankers=tuple(rerankers),
        systems=tuple(systems),
        asked_first=sum(trial.asks_first for trial in left),
        preparing=tuple(preparing),
    )


def _reader_plan(
    name: str,
    planned: int,
    left: int,
    asked: Sequence[Trial],
    concurrency: int,
    price: Price | None,
    history: ReaderHistory,
) -> ReaderPlan:
    tokens = [tokens_of(trial) for trial in asked]
    reading_on = EXPECTED_SHARE if history.reading_on is None else history.reading_on
    shares = [reading_on if may_be_answered_first(trial) else Decimal(1) for trial in asked]
    pace = history.seconds_per_token
    written = [_expected_writing(t, history) for t in tokens]
    bounds = [_most(t, price, history.bound) for t in tokens]
    tokenizers = tuple(sorted({trial.sample.tokenizer for trial in asked}))
    prompt_tokens = _shared(shares, [t.prompt for t in tokens])
    return ReaderPlan(
        name=name,
        calls=_shared(shares, [1] * len(asked)),
        prompt_tokens=prompt_tokens,
        answer_tokens=_shared(shares, [answer for answer, _ in written]),
        thinking_tokens=_shared(shares, [thoughts for _, thoughts in written]),
        usd=total_usd(
            price.of(ceil(t.prompt * (history.prompt_ratio or 1)), answer + thoughts, 0, thoughts) * share
            if price
            else None
            for t, (answer, thoughts), share in zip(tokens, written, shares, strict=True)
        ),
        free=price is not None and price.free,
        unpriced=price is not None and price.assumed,
        seconds=0.0 if not asked else None if pace is None else pace * prompt_tokens / concurrency,
        tokenizers=tokenizers,
        trials=planned,
        kept=left - len(asked),
        prompt_tokens_at_most=sum(_reported_at_most(t, history.bound) for t in tokens),
        answer_tokens_at_most=sum(t.answer_at_most for t in tokens),
        usd_at_most=total_usd(bound.usd for bound in bounds),
        counts_own=all(counts_own(name, tokenizer) for tokenizer in tokenizers),
        thinking_room=max((t.thinking for t in tokens), default=0),
        thinking_is_known=history.thinking_tokens is not None,
        routed=_routed(asked, tokens, history.reading_on),
    )


def _shared(shares: Sequence[Decimal], amounts: Sequence[int]) -> int:
    """The amounts together, of each so much as is expected of it."""
    return round(sum(share * amount for share, amount in zip(shares, amounts, strict=True)))


def _routed(
    asked: Sequence[Trial], tokens: Sequence[Tokens], reading_on: Decimal | None
) -> RoutedTrials | None:
    sure = [t.prompt for trial, t in zip(asked, tokens, strict=True) if not may_be_answered_first(trial)]
    if not (trials := len(asked) - len(sure)):
        return None
    share = EXPECTED_SHARE if reading_on is None else reading_on
    return RoutedTrials(trials, round(trials * share), reading_on is not None, sum(sure))


def _expected_writing(tokens: Tokens, history: ReaderHistory) -> tuple[int, int]:
    """Tokens of an answer, and of the thoughts before it: as finished trials have them, or the reference's
    length after thoughts that fill their room.
    """
    if history.answer_tokens is None:
        return tokens.answer, tokens.thinking
    written = min(ceil(history.answer_tokens), tokens.answer_at_most)
    thoughts = min(round(history.thinking_tokens or 0), written)
    return written - thoughts, thoughts


def _judge_plan(judge: JudgeHistory, left: Sequence[Trial], turns: float) -> PlannedUse:
    """``turns``: how many verdicts one after another, since as many are asked for at once as readers are."""
    price, latency, share = judge.price, judge.latency_s, Decimal(str(judge.share))
    calls = ceil(share * len(left))
    usd = total_usd(judge.expected_verdict(trial).usd for trial in left)
    return PlannedUse(
        name=judge.name,
        calls=calls,
        prompt_tokens=ceil(share * sum(judge_prompt_tokens(trial.sample) for trial in left)),
        answer_tokens=judge.reply_tokens * calls,
        usd=None if usd is None else usd * share,
        free=price is not None and price.free,
        unpriced=price is not None and price.assumed,
        seconds=0.0 if not left else None if latency is None else latency * turns * judge.share,
        tokenizers=tuple(sorted({trial.sample.tokenizer for trial in left})),
    )


def at_most(trial: Trial, price: Price | None, bound: float = 1.0, answer_bound: float = 1.0) -> Spending:
    """The most that a reader may take for a trial.

    Args:
        trial: to be asked.
        price: of the reader.
        bound: its greatest ``prompt_bound`` so far.
        answer_bound: the greatest share of its room that an answer of it took so far.
    """
    tokens = tokens_of(trial)
    room = ceil(tokens.answer_at_most * max(1.0, answer_bound))
    return _most(replace(tokens, answer_at_most=room), price, bound)


def _most(tokens: Tokens, price: Price | None, bound: float) -> Spending:
    prompt = _reported_at_most(tokens, bound)
    usd = price.at_most(prompt, tokens.answer_at_most) if price else None
    return Spending(prompt + tokens.answer_at_most, usd)


def _reported_at_most(tokens: Tokens, bound: float) -> int:
    return ceil(tokens.prompt_at_most * max(1.0, bound))
