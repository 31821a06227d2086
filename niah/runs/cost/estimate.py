"""What a run will take, before anything is asked: no retrieval, no embedding, no language model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from niah.runs.cost.amounts import known_sum
from niah.runs.cost.estimate_embedders import EmbedderPlan
from niah.runs.cost.estimate_judges import JudgePlan
from niah.runs.cost.estimate_seen import Finished, Seen, counts_own, differences, seen_in
from niah.runs.cost.estimate_tokens import Tokens, reported_at_most, tokens_of
from niah.runs.cost.prices import Price
from niah.runs.trial import Trial

__all__ = ["Finished", "Plan", "ReaderPlan", "differences", "make_plan", "seen_in"]


@dataclass(frozen=True)
class ReaderPlan:
    """What one reader will take for the trials that are left to ask.

    Attributes:
        trials: of the run.
        kept: of them, those not finished whose answers are kept from earlier runs. All that follows leaves
            them out, bounds too: an answer may be dropped before the run asks for it, but what a run takes is
            kept within its budget by its accounts, trial by trial.
        calls: the others not finished: one call each, retries not counted.
        prompt_tokens: as our own tokenizer counts them.
        prompt_tokens_at_most, answer_tokens_at_most: bounds; as the reader counts, where trials showed it.
        answer_tokens: expected.
        usd, usd_at_most: expected and bound, without any discount for cached tokens; None where the price is
            unknown.
        free: whether nothing is paid by nature.
        seconds: at the pace of recent trials, all workers busy; None before any.
        tokenizers: whose tokens these are.
        counts_own: whether those are the reader's own.
    """

    reader: str
    trials: int
    kept: int
    calls: int
    prompt_tokens: int
    prompt_tokens_at_most: int
    answer_tokens: int
    answer_tokens_at_most: int
    usd: Decimal | None
    usd_at_most: Decimal | None
    free: bool
    seconds: float | None
    tokenizers: tuple[str, ...]
    counts_own: bool

    @property
    def tokens_at_most(self) -> int:
        """Prompts and answers together."""
        return self.prompt_tokens_at_most + self.answer_tokens_at_most


@dataclass(frozen=True)
class Plan:
    """What a run will take.

    Attributes:
        readers: in the config's order.
        judge: None where no model is asked to judge.
        embedders: those that are asked for money or over a network, by name.
    """

    readers: tuple[ReaderPlan, ...]
    judge: JudgePlan | None = None
    embedders: tuple[EmbedderPlan, ...] = ()

    @property
    def kept(self) -> int:
        """Of all readers."""
        return sum(reader.kept for reader in self.readers)

    @property
    def calls(self) -> int:
        """Of all that is asked."""
        return sum(part.calls for part in self._parts)

    @property
    def tokens_at_most(self) -> int:
        """Prompts and answers of readers and judge, and the texts that are embedded."""
        return sum(part.tokens_at_most for part in self._parts)

    @property
    def usd(self) -> Decimal | None:
        """Expected, of all that is asked; None where one price is unknown."""
        return known_sum(part.usd for part in self._parts)

    @property
    def usd_at_most(self) -> Decimal | None:
        """Bound, of all that is asked; None where one price is unknown."""
        return known_sum(part.usd_at_most for part in self._parts)

    @property
    def seconds(self) -> float | None:
        """One reader after another; None where one pace is unknown. Embedding is left out.

        An answer is judged as soon as it is there, in its reader's turn: the longer of both counts.
        """
        reading, judging = self._reading_s, self.judge.seconds if self.judge else 0.0
        return None if reading is None or judging is None else max(reading, judging)

    @property
    def _parts(self) -> tuple[ReaderPlan | JudgePlan | EmbedderPlan, ...]:
        return (*self.readers, *([self.judge] if self.judge else []), *self.embedders)

    @property
    def _reading_s(self) -> float | None:
        known = [reader.seconds for reader in self.readers]
        return sum(seconds for seconds in known if seconds is not None) if None not in known else None


def make_plan(
    trials: Sequence[Trial],
    finished: Collection[str],
    concurrency: Mapping[str, int],
    prices: Mapping[str, Price | None],
    seen: Mapping[str, Seen],
    kept: Collection[str] = (),
    judge: JudgePlan | None = None,
    embedders: Sequence[EmbedderPlan] = (),
) -> Plan:
    """The plan of a run.

    Args:
        trials: all of them.
        finished: ids of those that are not asked again.
        concurrency: of each reader, by name, in the order of the config.
        prices: of each reader.
        seen: of each reader that has finished trials.
        kept: ids of trials whose answers are kept from earlier runs.
        judge: what judging will take.
        embedders: what embedding will take.
    """
    left = [trial for trial in trials if trial.trial_id not in finished]
    asked = [trial for trial in left if trial.trial_id not in kept]
    readers = tuple(
        _reader_plan(
            name,
            sum(trial.reader == name for trial in trials),
            sum(trial.reader == name for trial in left),
            [trial for trial in asked if trial.reader == name],
            at_once,
            prices[name],
            seen.get(name, Seen()),
        )
        for name, at_once in concurrency.items()
    )
    return Plan(readers, judge, tuple(embedders))


def _reader_plan(
    name: str,
    planned: int,
    left: int,
    asked: Sequence[Trial],
    concurrency: int,
    price: Price | None,
    seen: Seen,
) -> ReaderPlan:
    tokens = [tokens_of(trial) for trial in asked]
    answers = [_expected_answer(t, seen) for t in tokens]
    prompts_at_most = [reported_at_most(t, seen.bound) for t in tokens]
    tokenizers = tuple(sorted({trial.case.tokenizer for trial in asked}))
    prompt_tokens = sum(t.prompt for t in tokens)
    pace = seen.seconds_per_token
    return ReaderPlan(
        reader=name,
        trials=planned,
        kept=left - len(asked),
        calls=len(asked),
        prompt_tokens=prompt_tokens,
        prompt_tokens_at_most=sum(prompts_at_most),
        answer_tokens=sum(answers),
        answer_tokens_at_most=sum(t.answer_at_most for t in tokens),
        usd=known_sum(
            price.of(ceil(t.prompt * (seen.prompt_ratio or 1)), answer) if price else None
            for t, answer in zip(tokens, answers, strict=True)
        ),
        usd_at_most=known_sum(
            price.of(prompt, t.answer_at_most) if price else None
            for t, prompt in zip(tokens, prompts_at_most, strict=True)
        ),
        free=price is not None and price.free,
        seconds=0.0 if not asked else None if pace is None else pace * prompt_tokens / concurrency,
        tokenizers=tokenizers,
        counts_own=all(counts_own(name, tokenizer) for tokenizer in tokenizers),
    )


def _expected_answer(tokens: Tokens, seen: Seen) -> int:
    expected = tokens.answer if seen.answer_tokens is None else ceil(seen.answer_tokens)
    return min(expected, tokens.answer_at_most)
