"""The tokens of a trial's prompt and answer, before its context is built.

All are tokens of the case's tokenizer. The provider counts with its own, and adds the tokens of its chat
template; what finished trials showed of that is taken into account where there are any.

The room of a context is L - P. Whole contexts fill it exactly; a fill (half, full, budget-N) never exceeds
its share; top-K takes K chunks, each of its chunker's size at most. Sentences are limited by words, at two
tokens each. Oracle sends the passages that hold needles: one each is expected, two where a border cuts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from niah.cases.case import Case
from niah.cases.prompts import load_prompt, prompt_tokens
from niah.needles.load import load_needle_set
from niah.runs.trial import Trial
from niah.strategies.select import top_k
from niah.strategies.strategy import Chunker, Scope
from niah.text.tokenizer import count, get_tokenizer

CHUNK_SLACK = 8
"""A chunk counted alone, and the blank line that joins it to the next."""
PROMPT_SLACK = 32
"""Joints between prompt and context, and the roles of a chat."""
_TOKENS_PER_WORD = 2
_ORACLE_PASSAGE = 100
_PLAIN = "It ends here."


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call.

    Attributes:
        prompt: of the whole prompt, as our own tokenizer counts it.
        prompt_at_most: what it cannot exceed by that count.
        answer: of the reference answer.
        answer_at_most: the room that the answer has.
    """

    prompt: int
    prompt_at_most: int
    answer: int
    answer_at_most: int


def tokens_of(trial: Trial) -> Tokens:
    """The tokens of a trial, without building its context."""
    case = trial.case
    prompt = _prompt_tokens(case.prompt, case.needle_set, case.seed, case.tokenizer)
    context, at_most = _context_tokens(trial, room_of(case))
    answer = _answer_tokens(case.needle_set, case.seed, case.tokenizer)
    return Tokens(
        prompt + context, prompt + at_most + PROMPT_SLACK, min(answer, trial.max_tokens), trial.max_tokens
    )


def own_prompt_tokens(trial: Trial, context_tokens: int) -> int:
    """Our own count of a prompt, from that of what stood in the context's place; joints may cost a few."""
    case = trial.case
    if trial.strategy.sends_context and case.mode == "exact":
        return case.context_length
    return context_tokens + _prompt_tokens(case.prompt, case.needle_set, case.seed, case.tokenizer)


def reported_at_most(tokens: Tokens, bound: float) -> int:
    """The most prompt tokens that a provider may report, given its greatest ``prompt_bound`` so far."""
    return ceil(tokens.prompt_at_most * max(1.0, bound))


def room_of(case: Case) -> int:
    """Tokens that a context has: L - P."""
    return max(
        0, case.context_length - _prompt_tokens(case.prompt, case.needle_set, case.seed, case.tokenizer)
    )


def filled_tokens(scope: Scope, room: int) -> int | None:
    """Tokens that a scope fills of the room; None for one that counts chunks."""
    match scope.kind:
        case "half":
            return room // 2
        case "full":
            return room
        case "budget":
            return min(scope.size, room)
        case "top" | "top-auto":
            return None


def _context_tokens(trial: Trial, room: int) -> tuple[int, int]:
    """Tokens that stand in the context's place: expected, and at most."""
    plan, case = trial.strategy.retrieval, trial.case
    if trial.strategy.sends_context:
        return room, room
    if trial.strategy.is_ceiling:
        most = _oracle_tokens(case)
        return min(room, most // 2), min(room + CHUNK_SLACK, most)
    if plan is None:
        return 0, 0
    filled = filled_tokens(plan.scope, room)
    if filled is not None:
        return filled, filled
    return _top_tokens(top_k(plan.scope, _needles(case)), plan.chunker, room)


def _top_tokens(k: int, chunker: Chunker, room: int) -> tuple[int, int]:
    """K chunks, or all of the context's. Windows share tokens, so that all of them may be more than it."""
    size = chunker.size * _TOKENS_PER_WORD if chunker.kind == "sentences" else chunker.size
    covered = room * chunker.size // (chunker.size - chunker.overlap)
    at_most = k * (size + CHUNK_SLACK)
    if not chunker.overlap:
        at_most = min(at_most, room + k * CHUNK_SLACK)
    return min(k * size, covered), at_most


def _oracle_tokens(case: Case) -> int:
    """Two passages for each needle, and as many more as a long one fills."""
    tokenizer = get_tokenizer(case.tokenizer)
    needles = load_needle_set(case.needle_set, case.seed).needles
    return sum(
        (2 + count(tokenizer, needle.text) // _ORACLE_PASSAGE) * (_ORACLE_PASSAGE + CHUNK_SLACK)
        for needle in needles
    )


def _needles(case: Case) -> int:
    return len(load_needle_set(case.needle_set, case.seed).needles)


@lru_cache(maxsize=4096)
def _prompt_tokens(prompt: str, needle_set: str, seed: int, tokenizer: str) -> int:
    """P, up to the few tokens that depend on the context's edges."""
    question = load_needle_set(needle_set, seed).question
    return prompt_tokens(load_prompt(prompt), question, _PLAIN, _PLAIN, get_tokenizer(tokenizer))


@lru_cache(maxsize=4096)
def _answer_tokens(needle_set: str, seed: int, tokenizer: str) -> int:
    return count(get_tokenizer(tokenizer), load_needle_set(needle_set, seed).answer)
