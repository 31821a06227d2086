"""What finished trials show of readers: how they count, how long they answer, how fast they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from niah.errors import UserError
from niah.readers.reader import Usage
from niah.runs.cost.estimate_tokens import PROMPT_SLACK
from niah.runs.trial import Trial
from niah.text.tokenizers.source import find_source

RECENT = 200
"""So many of the latest tell how a reader or a judge is now."""


@dataclass(frozen=True)
class Finished:
    """What one finished trial took, as far as it is known.

    Attributes:
        reader: whose trial.
        usage: as reported.
        own_prompt_tokens: our own count of its prompt.
        cost: US dollars.
        latency_s: wall seconds of the call.
        from_cache: whether all this was so in an earlier run, and nothing was asked in this one.
    """

    reader: str
    usage: Usage
    own_prompt_tokens: int | None = None
    cost: Decimal | None = None
    latency_s: float | None = None
    from_cache: bool = False


@dataclass(frozen=True)
class Seen:
    """What finished trials of a reader have shown; None where none of them tells.

    Attributes:
        prompt_ratio: reported prompt tokens / our own count, of all prompts together.
        bound: the greatest ``prompt_bound`` of one prompt; at least 1.
        answer_tokens: mean reported length of an answer.
        seconds_per_token: latency / prompt tokens, of all prompts together.
    """

    prompt_ratio: float | None = None
    bound: float = 1.0
    answer_tokens: float | None = None
    seconds_per_token: float | None = None


def seen_in(finished: Iterable[Finished]) -> dict[str, Seen]:
    """What finished trials, the latest first, show of each reader."""
    latest: dict[str, list[Finished]] = {}
    for trial in finished:
        latest.setdefault(trial.reader, []).append(trial)
    return {reader: _seen(trials[:RECENT]) for reader, trials in latest.items()}


def prompt_bound(own: int, reported: int) -> float:
    """Reported prompt tokens / the most that our own count allows: above 1, our bounds are too low."""
    return reported / (own + PROMPT_SLACK)


def differences(trials: Iterable[Trial], finished: Mapping[str, Finished]) -> dict[str, float]:
    """How many more prompt tokens each reader reports than we count with its own tokenizer: 0.05 is 5 %.

    Readers whose cases are counted by another tokenizer are left out, as are those that report nothing.

    Args:
        trials: of the run.
        finished: by trial id.
    """
    both: dict[str, list[tuple[int, int]]] = {}
    for trial in trials:
        done = finished.get(trial.trial_id)
        if done and counts_own(trial.reader, trial.case.tokenizer):
            both.setdefault(trial.reader, []).extend(_both_counts([done]))
    ratios = {reader: _ratio(counts) for reader, counts in both.items()}
    return {reader: ratio - 1 for reader, ratio in ratios.items() if ratio is not None}


def _seen(trials: Sequence[Finished]) -> Seen:
    both = _both_counts(trials)
    answers = [t.usage.completion_tokens for t in trials if t.usage.completion_tokens is not None]
    paced = [
        (t.latency_s, tokens)
        for t in trials
        if t.latency_s and (tokens := t.own_prompt_tokens or t.usage.prompt_tokens)
    ]
    return Seen(
        _ratio(both),
        max([1.0, *(prompt_bound(own, reported) for own, reported in both)]),
        sum(answers) / len(answers) if answers else None,
        sum(latency for latency, _ in paced) / sum(tokens for _, tokens in paced) if paced else None,
    )


def _both_counts(trials: Iterable[Finished]) -> list[tuple[int, int]]:
    """Our own count and the reported one, of the prompts that have both."""
    counts = ((t.own_prompt_tokens, t.usage.prompt_tokens) for t in trials)
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
