"""What finished trials show of readers and judges, and estimates go by."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import ceil
from statistics import fmean

from niah.cases.sample import Sample
from niah.errors import UserError
from niah.judges.llm import THINKING_ROOM
from niah.judges.verdict import Judge, Verdict
from niah.runs.cost.estimate.expected_tokens import judge_prompt_tokens, prompt_bound
from niah.runs.cost.prices.model_prices import prices_of
from niah.runs.cost.prices.price import Price
from niah.runs.cost.prices.spending import Spending
from niah.runs.cost.routed import (
    share_reading_on,
    was_read,
)
from niah.runs.trial import Trial, TrialRecord
from niah.text.tokenizer import find_source

_RECENT = 200
"""So many of the latest tell how a reader or a judge is now."""
_FEWEST_LATEST = 50
"""Of verdicts: fewer do not tell about how many answers a model is asked."""
_VERDICT_TOKENS = 200


@dataclass(frozen=True)
class ReaderHistory:
    """What finished trials of a reader have shown; None where none of them tells.

    Attributes:
        prompt_ratio: reported prompt tokens / our own count, of all prompts together.
        bound: the greatest ``prompt_bound`` of one prompt; at least 1.
        answer_tokens: mean reported length of all that was written for an answer.
        thinking_tokens: of it, thoughts.
        seconds_per_token: latency / prompt tokens, of all prompts together.
        reading_on: of the trials that may be answered before it reads, the share that was read.
    """

    prompt_ratio: float | None = None
    bound: float = 1.0
    answer_tokens: float | None = None
    seconds_per_token: float | None = None
    thinking_tokens: float | None = None
    reading_on: Decimal | None = None


@dataclass(frozen=True)
class JudgeHistory:
    """A model that is asked for verdicts, and what recent ones have shown of it.

    Attributes:
        name: the judge's.
        price: None where it is unknown.
        prompt_ratio: reported prompt tokens / what we expect, of recent verdicts together.
        reply_tokens: of one verdict.
        latency_s: mean of recent verdicts; None where there are none.
        share: of the answers, 0 to 1, it is asked about so many.
    """

    name: str
    price: Price | None
    prompt_ratio: float = 1.0
    reply_tokens: int = _VERDICT_TOKENS
    latency_s: float | None = None
    share: float = 1.0

    def expected_verdict(self, trial: Trial) -> Spending:
        """What a verdict on the trial's answer is expected to take, if the model is asked for it."""
        prompt = ceil(judge_prompt_tokens(trial.sample) * self.prompt_ratio)
        usd = self.price.of(prompt, self.reply_tokens) if self.price else None
        return Spending(prompt + self.reply_tokens, usd)


def reader_histories(
    records: Iterable[TrialRecord], routes: Collection[str] = ()
) -> dict[str, ReaderHistory]:
    """What finished trials, the latest first, show of each reader.

    Args:
        records: of the run file.
        routes: definitions of strategies by which readers may answer before they read.
    """
    latest: dict[str, list[TrialRecord]] = {}
    for record in records:
        latest.setdefault(record.reader, []).append(record)
    return {reader: _history(own[:_RECENT], routes) for reader, own in latest.items()}


def _history(latest: Sequence[TrialRecord], routes: Collection[str]) -> ReaderHistory:
    records = list(filter(was_read, latest))
    both = _both_counts(records)
    answers = [each.completion_tokens for each in records if each.completion_tokens is not None]
    thoughts = [each.thinking_tokens for each in records if each.thinking_tokens is not None]
    paced = [
        (each.latency_s, tokens)
        for each in records
        if each.latency_s and (tokens := each.own_prompt_tokens or each.prompt_tokens)
    ]
    return ReaderHistory(
        _ratio(both),
        max([1.0, *(prompt_bound(own, reported) for own, reported in both)]),
        fmean(answers) if answers else None,
        sum(latency for latency, _ in paced) / sum(tokens for _, tokens in paced) if paced else None,
        fmean(thoughts) if thoughts else None,
        share_reading_on(latest, routes),
    )


def judge_history(
    judge: Judge | None,
    prices: Mapping[str, Price],
    samples: Mapping[str, Sample] | None = None,
    records: Iterable[TrialRecord] = (),
) -> JudgeHistory | None:
    """The judge as estimates need it; None for judges that need no model.

    Args:
        judge: one that is a model.
        prices: the user's own, by name.
        samples: of the run file, by id.
        records: of its finished trials, the latest first.
    """
    if judge is None:
        return None
    price = prices_of([judge], prices)[judge.name]
    latest: list[tuple[Verdict, TrialRecord]] = []
    failed = 0
    for record in records:
        own = [(each, record) for each in record.verdicts if each.judge == judge.name]
        latest += own
        failed += record.outcome == "judge_error" and not own
        if len(latest) >= _RECENT:
            break
    # Where rules decide, the model is not asked.
    recent = [(verdict, record) for verdict, record in latest if verdict.usage.prompt_tokens != 0]
    ratio = _ratio(
        [
            (judge_prompt_tokens(samples[record.case_id]), verdict.usage.prompt_tokens)
            for verdict, record in recent
            if verdict.usage.prompt_tokens and samples
        ]
    )
    seen = len(latest) + failed  # the answers that the model gave no verdict on it was asked about
    replies = [n for verdict, _ in recent if (n := verdict.usage.completion_tokens) is not None]
    return JudgeHistory(
        judge.name,
        price,
        ratio or 1.0,
        ceil(fmean(replies)) if replies else _VERDICT_TOKENS + int(judge.settings.get(THINKING_ROOM, 0)),
        fmean(verdict.latency_s for verdict, _ in recent) if recent else None,
        round((len(recent) + failed) / seen, 3) if seen >= _FEWEST_LATEST else judge.share_asked,
    )


def count_differences(samples: Mapping[str, Sample], records: Iterable[TrialRecord]) -> dict[str, float]:
    """How many more prompt tokens each reader reports than we count with its own tokenizer: 0.05 is 5 %.

    Readers whose samples are counted by another tokenizer are left out, as are those that report nothing.

    Args:
        samples: of the run file, by id.
        records: of its trials.
    """
    own: dict[str, list[TrialRecord]] = {}
    for record in records:
        if counts_own(record.reader, samples[record.case_id].tokenizer):
            own.setdefault(record.reader, []).append(record)
    ratios = {reader: _ratio(_both_counts(each)) for reader, each in own.items()}
    return {reader: ratio - 1 for reader, ratio in ratios.items() if ratio is not None}


def _both_counts(records: Iterable[TrialRecord]) -> list[tuple[int, int]]:
    """Our own count and the reported one, of the prompts that have both."""
    counts = ((each.own_prompt_tokens, each.prompt_tokens) for each in records)
    return [(own, reported) for own, reported in counts if own and reported]


def _ratio(both: Sequence[tuple[int, int]]) -> float | None:
    return sum(reported for _, reported in both) / sum(own for own, _ in both) if both else None


@lru_cache(maxsize=256)
def counts_own(reader: str, tokenizer: str) -> bool:
    """Whether a tokenizer is the reader's own, so that both should count the same."""
    if tokenizer.endswith(".gguf"):
        return tokenizer.replace("\\", "/").rpartition("/")[2] == reader
    # Of Anthropic's models, only the tokenizer of an old one is known.
    if reader.startswith("anthropic/"):
        return False
    try:
        one, other = find_source(reader), find_source(tokenizer)
    except (UserError, OSError):
        return False
    return (one.kind, one.where) == (other.kind, other.where)
