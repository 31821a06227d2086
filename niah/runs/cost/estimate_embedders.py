"""What embedding will take, where retrievers ask an endpoint.

An embedder embeds every chunk of a context, and every question. Embeddings are kept on disk by their text, so
that a chunk is embedded once, whichever strategy, reader or run asks for it.

* Bound: every context of a case and every way to cut it counts, as if no two had a chunk in common.
* Expected: cases of one haystack and seed share their background, so that only the longest context counts
  whole. In each other one the chunks at its needles and distractors are new: two windows, one passage (of a
  paragraph at most), or one sentence for each. What finished trials had embedded is subtracted.

Windows share more than their overlap, since they start where a paragraph does: they make 1.4 of a context of
shipped essays, where equal steps would make 1.2. Two windows together always go on by a step at least, which
is the bound.

Tokens are those of the cases' tokenizer, and a third more in the bound of models that count with another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from math import ceil

from niah.cases.case import Case
from niah.needles.load import load_needle_set
from niah.retrieval.names import parse_name
from niah.runs.cost.estimate_seen import counts_own
from niah.runs.cost.estimate_tokens import CHUNK_SLACK, filled_tokens, room_of
from niah.runs.cost.prices import Price
from niah.runs.trial import Trial
from niah.strategies.strategy import Chunker, RetrievalPlan, Strategy
from niah.text.tokenizer import count, get_tokenizer

# Windows start so much of a step sooner than they might, at a paragraph.
_STEP = 6 / 7
# Chunks at one needle that no other case has.
_WINDOWS_AT_NEEDLE = 2
_PARAGRAPH = 150
_SENTENCE = 20
_PASSAGE = 70
# A short sentence counted alone may have a token or two more than where it stands, and a text that is longer
# than the model reads is cut into parts that overlap.
_CUT = 1.25
# Most providers split English finer than cl100k by less than a third.
_FINER = 4 / 3
# What one request holds: of long chunks tokens, of short ones texts.
_TOKENS_AT_ONCE = 26_000
_TEXTS_AT_ONCE = 96


@dataclass(frozen=True)
class EmbedderPlan:
    """What one embedder will take.

    Attributes:
        embedder: the retriever's name.
        calls: requests, expected.
        tokens, tokens_at_most: expected and bound.
        usd, usd_at_most: the same in US dollars; None where the price is unknown.
        free: whether nothing is paid by nature.
    """

    embedder: str
    calls: int
    tokens: int
    tokens_at_most: int
    usd: Decimal | None
    usd_at_most: Decimal | None
    free: bool


@dataclass(frozen=True)
class _Cut:
    """A context and how it is cut."""

    case: Case
    chunker: Chunker


def embedders_of(strategies: Iterable[Strategy]) -> tuple[str, ...]:
    """The retrievers that ask an endpoint, by name."""
    names = {strategy.retriever for strategy in strategies if strategy.retriever}
    return tuple(sorted(name for name in names if parse_name(name).kind == "litellm"))


def embedder_plans(
    left: Sequence[Trial],
    done: Sequence[Trial],
    prices: Mapping[str, Price | None],
    unmetered: Sequence[Trial] = (),
) -> tuple[EmbedderPlan, ...]:
    """What each embedder will take. A kept answer is found by its prompt, whose chunks have to be embedded.

    Args:
        left: the trials that are not finished.
        done: those that are.
        prices: of each embedder.
        unmetered: trials whose chunks count in the bounds as well.
    """
    return tuple(
        _embedder_plan(
            name, _cuts(name, left), _cuts(name, done), _cuts(name, [*left, *unmetered]), prices[name]
        )
        for name in embedders_of(trial.strategy for trial in [*left, *unmetered])
    )


def _embedder_plan(
    name: str, left: Sequence[_Cut], done: Sequence[_Cut], bounded: Sequence[_Cut], price: Price | None
) -> EmbedderPlan:
    every = list(dict.fromkeys([*done, *left]))
    tokens = _expected_tokens(every) - _expected_tokens(done)
    at_most = _tokens_at_most(name, bounded)
    return EmbedderPlan(
        embedder=name,
        calls=_calls(every) - _calls(done),
        tokens=tokens,
        tokens_at_most=at_most,
        usd=price.of(tokens, 0) if price else None,
        usd_at_most=price.of(at_most, 0) if price else None,
        free=price is not None and price.free,
    )


def _cuts(name: str, trials: Iterable[Trial]) -> list[_Cut]:
    """Each context that the embedder meets, once for each way to cut it."""
    plans = ((trial.case, trial.strategy.retrieval) for trial in trials)
    return list(
        dict.fromkeys(
            _Cut(case, _fitted(plan, room_of(case)))
            for case, plan in plans
            if plan and plan.retriever == name
        )
    )


def _fitted(plan: RetrievalPlan, room: int) -> Chunker:
    """The chunker, with chunks small enough for what a fill may take, as ``select`` makes them."""
    chunker, filled = plan.chunker, filled_tokens(plan.scope, room)
    if filled is None or chunker.kind == "sentences" or chunker.size <= filled - CHUNK_SLACK:
        return chunker
    size = max(1, filled - CHUNK_SLACK)
    return replace(chunker, size=size, overlap=chunker.overlap * size // chunker.size)


def _expected_tokens(cuts: Sequence[_Cut]) -> int:
    return sum(_fresh(cuts).values()) + sum(_question_tokens(*key) for key in _questions(cuts))


def _fresh(cuts: Sequence[_Cut]) -> dict[_Cut, int]:
    """Tokens of the chunks that no longer context of the same background has, by context."""
    whole: set[tuple[str, int, str, Chunker]] = set()
    fresh: dict[_Cut, int] = {}
    for cut in sorted(cuts, key=lambda cut: -cut.case.context_length):
        background = (cut.case.haystack, cut.case.seed, cut.case.tokenizer, cut.chunker)
        every = _context_tokens(cut)
        fresh[cut] = min(every, _at_needles(cut)) if background in whole else every
        whole.add(background)
    return fresh


def _context_tokens(cut: _Cut) -> int:
    """Tokens of all chunks of a context."""
    room, size, overlap = room_of(cut.case), cut.chunker.size, cut.chunker.overlap
    if cut.chunker.kind != "windows" or room <= size:
        return room
    return ceil(room * size / ((size - overlap) * _STEP))


def _at_needles(cut: _Cut) -> int:
    inserts = len(load_needle_set(cut.case.needle_set, cut.case.seed).needles) + cut.case.distractors
    match cut.chunker.kind:
        case "windows":
            return inserts * _WINDOWS_AT_NEEDLE * cut.chunker.size
        case "passages":
            return inserts * min(cut.chunker.size, _PARAGRAPH)
        case "sentences":
            return inserts * _SENTENCE


def _calls(cuts: Sequence[_Cut]) -> int:
    """Requests: at least one for each context with new chunks, and one for each question."""
    return len(_questions(cuts)) + sum(
        ceil(tokens / _tokens_at_once(cut.chunker)) for cut, tokens in _fresh(cuts).items()
    )


def _tokens_at_once(chunker: Chunker) -> int:
    match chunker.kind:
        case "windows":
            return min(_TOKENS_AT_ONCE, _TEXTS_AT_ONCE * chunker.size)
        case "passages":
            return min(_TOKENS_AT_ONCE, _TEXTS_AT_ONCE * min(chunker.size, _PASSAGE))
        case "sentences":
            return min(_TOKENS_AT_ONCE, _TEXTS_AT_ONCE * _SENTENCE)


def _tokens_at_most(name: str, cuts: Sequence[_Cut]) -> int:
    """Bound: no two contexts have a chunk in common."""
    contexts = ((cut.case.tokenizer, _most_of(cut)) for cut in dict.fromkeys(cuts))
    questions = ((key[2], _question_tokens(*key)) for key in _questions(cuts))
    return sum(
        ceil(tokens * (1 if counts_own(name, tokenizer) else _FINER))
        for tokenizer, tokens in (*contexts, *questions)
    )


def _most_of(cut: _Cut) -> int:
    room, size, overlap = room_of(cut.case), cut.chunker.size, cut.chunker.overlap
    if cut.chunker.kind != "windows":
        return ceil(room * _CUT)
    windows = 2 * ceil(max(0, room - size) / (size - overlap)) + 1
    return ceil(windows * (min(size, room) + CHUNK_SLACK) * _CUT)


def _questions(cuts: Iterable[_Cut]) -> set[tuple[str, int, str]]:
    return {(cut.case.needle_set, cut.case.seed, cut.case.tokenizer) for cut in cuts}


@lru_cache(maxsize=4096)
def _question_tokens(needle_set: str, seed: int, tokenizer: str) -> int:
    return count(get_tokenizer(tokenizer), load_needle_set(needle_set, seed).question)
