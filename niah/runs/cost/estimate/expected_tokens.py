"""Tokens of a trial and of its verdict, before anything is asked: expected, and at most.

Tokens are those of the samples' tokenizer. Of prompts, bounds are known as well, since whole contexts are
counted, a fill (half, full, budget-N) never exceeds its share, and top-K takes K chunks, each of its
chunker's size at most (sentences are limited by words, at two tokens each); of answers, by their room.
Oracle sends the passages that hold needles: one each is expected, two where a border cuts them. Noise fills
at most the room; expected is what it takes where each needle is retrieved in a chunk of its own.

Of judges only the expected is known: their instructions, question, elements and reference, and, in the
answer's place, the reference once more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from niah.cases.sample import AnswerKey, Sample
from niah.judges import llm as llm_prompt
from niah.runs.trial import Trial
from niah.strategies.chunkers import SLACK_TOKENS, Chunker
from niah.strategies.noise import noise_to_add
from niah.strategies.strategy import strategy_of
from niah.text.tokenizer import count, get_tokenizer

_PROMPT_SLACK = 32
"""Joints between prompt and context, and the roles of a chat."""
_ORACLE_PASSAGE = 100


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call.

    Attributes:
        prompt: of the whole prompt, as our own tokenizer counts it.
        prompt_at_most: what it cannot exceed by that count.
        answer: of the reference answer.
        answer_at_most: the room that answer and thoughts have together.
        thinking: of it, the room of thoughts.
    """

    prompt: int
    prompt_at_most: int
    answer: int
    answer_at_most: int
    thinking: int = 0


def tokens_of(trial: Trial) -> Tokens:
    """The tokens of a trial, without building its context."""
    sample = trial.sample
    context, most = expected_context_tokens(trial)
    answer = _count(sample.key.answer, sample.tokenizer)
    return Tokens(
        prompt=trial.system_tokens + sample.prompt_tokens + context,
        prompt_at_most=trial.system_tokens + sample.prompt_tokens + most + _PROMPT_SLACK,
        answer=min(answer, trial.max_tokens),
        answer_at_most=trial.room,
        thinking=trial.options.thinking_room,
    )


def expected_context_tokens(trial: Trial) -> tuple[int, int]:
    """Tokens that stand in the context's place: expected, and at most."""
    expected, most = _without_noise(trial)
    strategy, sample, room = trial.strategy, trial.sample, trial.sample.context_room
    if strategy.noise is None:
        return expected, most
    if plan := strategy.retrieval:
        size = plan.chunker_for(room).tokens
        held = min(len(sample.key.needles), max(1, expected // size))
    else:
        size, held = _ORACLE_PASSAGE, len(sample.key.needles)
    with_noise = (held + noise_to_add(held, held, strategy.noise)) * size
    return max(expected, min(room, with_noise)), max(most, room)


def _without_noise(trial: Trial) -> tuple[int, int]:
    sample, plan, room = trial.sample, trial.strategy.retrieval, trial.sample.context_room
    if trial.strategy.sends_context:
        cut = trial.truncation
        if cut is None:
            return sample.tokens, sample.tokens
        left = min(sample.tokens, cut.tokens)
        return left, left + SLACK_TOKENS if cut.tokenizer == sample.tokenizer else sample.tokens
    if trial.strategy.sends_needles:
        needles = sum(2 + _count(n.text, sample.tokenizer) // _ORACLE_PASSAGE for n in sample.key.needles)
        most = needles * (_ORACLE_PASSAGE + SLACK_TOKENS)
        return min(room, most // 2), min(room + SLACK_TOKENS, most)
    if trial.strategy.added:
        return room, room
    if prepared := trial.strategy.prepared:
        if prepared.reads:
            return expected_context_tokens(replace(trial, strategy=strategy_of(prepared.reads)))
        return prepared.tokens_read(sample.tokens, room)
    if plan is None:
        return 0, 0
    filled = plan.tokens_in(room)
    if filled is not None:
        return filled, filled
    known = len(sample.key.needles) if sample.evidence_is_known else None
    return _top_tokens(plan.scope.chunks_for(known), plan.chunker, room)


def _top_tokens(k: int, chunker: Chunker, room: int) -> tuple[int, int]:
    """K chunks, or all of the context's. Windows share tokens, so that all of them may be more than it."""
    expected, size = chunker.read
    k = min(k, chunker.known.most(room, chunker.size))
    covered = room * chunker.size // (chunker.size - chunker.overlap)
    most = k * (size + SLACK_TOKENS)
    if not chunker.overlap:
        most = min(most, room + k * SLACK_TOKENS)
    return min(k * expected, covered), most


def judge_prompt_tokens(sample: Sample) -> int:
    """What a judge is expected to read for one verdict."""
    return _judge_prompt_tokens(sample.key, sample.tokenizer)


@lru_cache(maxsize=4096)
def _judge_prompt_tokens(key: AnswerKey, tokenizer: str) -> int:
    return _count(llm_prompt.instructions(), tokenizer) + _count(llm_prompt.data(key.answer, key), tokenizer)


def prompt_bound(own: int, reported: int) -> float:
    """Reported prompt tokens / the most that our own count allows: above 1, our bounds are too low."""
    return reported / (own + _PROMPT_SLACK)


@lru_cache(maxsize=4096)
def _count(text: str, tokenizer: str) -> int:
    return count(get_tokenizer(tokenizer), text)
