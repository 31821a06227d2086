"""What judging will take, where a model is asked for verdicts.

Every answer is one call, in which the judge is asked once; a reply that is no verdict is asked for again, and
the bounds count all attempts. What the judge reads is known but for the answer: instructions, the schema of
the reply (which some providers paste into the prompt), question, elements, reference. The reference answer
stands for the answer that is expected; at most, it fills its room.

Answers are shown to the judge as ASCII, other characters as escapes, so that one token of an answer is
several of the judge's: up to 16, measured on eight scripts with the tokenizers cl100k, o200k and smollm2
(Russian in o200k is the worst), and 20 in the bound. Only rows of one repeated mark or blank would take more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from math import ceil

from niah.cases.samples import key_of
from niah.judges.judge import Judge
from niah.judges.llm import llm_prompt
from niah.judges.llm.llm_reply import SCHEMA
from niah.readers.reader import Usage
from niah.runs.cost.amounts import known_sum
from niah.runs.cost.estimate_seen import RECENT
from niah.runs.cost.estimate_tokens import PROMPT_SLACK
from niah.runs.cost.prices import Price, prices_of
from niah.runs.trial import Trial
from niah.text.tokenizer import count, get_tokenizer

_REPLY = 200
_ESCAPED = 20
# From the second attempt on the judge reads why its last reply was not accepted: 240 characters, escaped.
_REFUSED = 1024
# Between two invocations of a run nobody judges.
_PAUSE_S = 600.0


@dataclass(frozen=True)
class AskedJudge:
    """A model that is asked for verdicts.

    Attributes:
        name: the judge's.
        price: None where it is unknown.
        attempts: how often it is asked for one verdict, at most.
        reply_at_most: the room of one reply, in tokens.
    """

    name: str
    price: Price | None
    attempts: int
    reply_at_most: int


@dataclass(frozen=True)
class Judged:
    """What one verdict took.

    Attributes:
        trial_id: whose answer was judged.
        judge: by name.
        usage: of all attempts together.
        cost: US dollars; None where usage or price was unknown.
        judged_at: when.
    """

    trial_id: str
    judge: str
    usage: Usage
    cost: Decimal | None
    judged_at: datetime


@dataclass(frozen=True)
class JudgeTokens:
    """Tokens of one verdict, by the tokenizer of its case.

    Attributes:
        prompt: of one attempt, expected.
        prompt_at_most: of one attempt.
    """

    prompt: int
    prompt_at_most: int


@dataclass(frozen=True)
class JudgePlan:
    """What judging will take for the trials that are left.

    Attributes:
        calls: one for each trial that is left, kept answers too: verdicts are not kept from earlier runs.
        prompt_tokens, reply_tokens: expected, one attempt each.
        prompt_tokens_at_most, reply_tokens_at_most: bounds, all attempts together.
        usd, usd_at_most: expected and bound; None where the price is unknown.
        free: whether nothing is paid by nature.
        seconds: at the pace of recent verdicts in the run file, what went before them included; None where
            there are none.
        tokenizers: whose tokens these are.
    """

    judge: str
    calls: int
    prompt_tokens: int
    prompt_tokens_at_most: int
    reply_tokens: int
    reply_tokens_at_most: int
    usd: Decimal | None
    usd_at_most: Decimal | None
    free: bool
    seconds: float | None
    tokenizers: tuple[str, ...]

    @property
    def tokens_at_most(self) -> int:
        """Prompts and replies together."""
        return self.prompt_tokens_at_most + self.reply_tokens_at_most


@dataclass(frozen=True)
class JudgeSeen:
    """What recent verdicts of a judge have shown; None where none of them tells.

    Attributes:
        prompt_ratio: reported prompt tokens / what we expect of one attempt, of all verdicts together.
        reply_tokens: mean reported length.
        seconds: between two verdicts.
    """

    prompt_ratio: float | None = None
    reply_tokens: float | None = None
    seconds: float | None = None


def asked_judge(judge: Judge | None, prices: Mapping[str, Price]) -> AskedJudge | None:
    """The judge as estimates need it; None for the rubric, which asks nobody.

    Args:
        judge: one that is a model.
        prices: the user's own, by name.
    """
    if judge is None:
        return None
    settings, price = judge.settings, prices_of([judge], prices)[judge.name]
    return AskedJudge(judge.name, price, int(settings["attempts"]), int(settings["max_tokens"]))


def judge_tokens(trial: Trial) -> JudgeTokens:
    """The tokens of one verdict on a trial's answer."""
    case = trial.case
    fixed, answer = _read_tokens(case.needle_set, case.seed, case.tokenizer)
    extra = _schema_tokens(case.tokenizer) + PROMPT_SLACK + _REFUSED
    return JudgeTokens(fixed + answer, fixed + extra + _ESCAPED * trial.max_tokens)


def judge_tokens_at_most(trial: Trial, judge: AskedJudge) -> int:
    """Prompts and replies of all attempts at one verdict."""
    return judge.attempts * (judge_tokens(trial).prompt_at_most + judge.reply_at_most)


def judge_usd_at_most(trial: Trial, judge: AskedJudge) -> Decimal | None:
    """US dollars for all attempts at one verdict; None where the price is unknown."""
    if judge.price is None:
        return None
    return judge.attempts * judge.price.of(judge_tokens(trial).prompt_at_most, judge.reply_at_most)


def judge_plan(
    judge: AskedJudge, trials: Iterable[Trial], left: Sequence[Trial], judged: Iterable[Judged]
) -> JudgePlan:
    """What the verdicts on the trials that are left will take.

    Args:
        judge: who is asked.
        trials: of the run.
        left: of them, those not finished.
        judged: verdicts in the run file, the latest first.
    """
    seen = _seen({trial.trial_id: trial for trial in trials}, [j for j in judged if j.judge == judge.name])
    tokens = [judge_tokens(trial) for trial in left]
    price, tries = judge.price, judge.attempts
    prompts = [ceil(t.prompt * (seen.prompt_ratio or 1)) for t in tokens]
    reply = min(_REPLY if seen.reply_tokens is None else ceil(seen.reply_tokens), tries * judge.reply_at_most)
    return JudgePlan(
        judge=judge.name,
        calls=len(left),
        prompt_tokens=sum(t.prompt for t in tokens),
        prompt_tokens_at_most=sum(tries * t.prompt_at_most for t in tokens),
        reply_tokens=reply * len(left),
        reply_tokens_at_most=tries * judge.reply_at_most * len(left),
        usd=known_sum(price.of(prompt, reply) if price else None for prompt in prompts),
        usd_at_most=known_sum(judge_usd_at_most(trial, judge) for trial in left),
        free=price is not None and price.free,
        seconds=0.0 if not left else None if seen.seconds is None else seen.seconds * len(left),
        tokenizers=tuple(sorted({trial.case.tokenizer for trial in left})),
    )


def _seen(trials: Mapping[str, Trial], judged: Sequence[Judged]) -> JudgeSeen:
    recent = judged[:RECENT]
    both = [
        (judge_tokens(trials[j.trial_id]).prompt, j.usage.prompt_tokens)
        for j in recent
        if j.usage.prompt_tokens and j.trial_id in trials
    ]
    replies = [j.usage.completion_tokens for j in recent if j.usage.completion_tokens is not None]
    return JudgeSeen(
        sum(reported for _, reported in both) / sum(own for own, _ in both) if both else None,
        sum(replies) / len(replies) if replies else None,
        _pace([j.judged_at for j in recent]),
    )


def _pace(latest_first: Sequence[datetime]) -> float | None:
    """Mean seconds between two verdicts, pauses left out. Those of one commit have the same time."""
    gaps = [(later - earlier).total_seconds() for later, earlier in pairwise(latest_first)]
    short = [gap for gap in gaps if gap <= _PAUSE_S]
    return sum(short) / len(short) if short else None


@lru_cache(maxsize=4096)
def _read_tokens(needle_set: str, seed: int, tokenizer: str) -> tuple[int, int]:
    """What is read beside the answer, and the reference answer in the answer's place."""
    meant, counted = key_of(needle_set, seed), get_tokenizer(tokenizer)
    bare = count(counted, llm_prompt.data("", meant))
    fixed = count(counted, llm_prompt.instructions()) + bare
    return fixed, count(counted, llm_prompt.data(meant.answer, meant)) - bare


@lru_cache(maxsize=64)
def _schema_tokens(tokenizer: str) -> int:
    return count(get_tokenizer(tokenizer), json.dumps(SCHEMA))
