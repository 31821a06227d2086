"""What embedding will take, at an endpoint and with the packaged model on this machine.

An embedder embeds every chunk of a context, and every question. Embeddings are kept on disk by their text, so
that a chunk is embedded once, whichever strategy, reader or run asks for it. Samples of one haystack and seed
share their background, so that only the longest context counts whole. In each other one the chunks at its
needles and distractors are new: two windows, one passage (of a paragraph at most), or one sentence for each.
Of windows at equal steps, all behind the first needle are. What finished trials had embedded is subtracted.

The packaged model compares all chunks sentence by sentence (see ``niah.retrieval.dense``), so that
windows and passages are embedded as sentences are, once for all of them.

Windows that start where a paragraph does share more than their overlap: they make 1.4 of a context of shipped
essays, where equal steps make 1.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil

from niah.cases.sample import Sample
from niah.retrieval.names import parse_name
from niah.runs.cost.estimate.planned_use import LocalEmbedding, PlannedUse
from niah.runs.cost.prices.price import Price
from niah.runs.trial import Trial
from niah.strategies.chunkers import SENTENCES, Chunker
from niah.strategies.strategy import Strategy
from niah.text.tokenizer import count, get_tokenizer

# What one request holds: of long chunks tokens, of short ones texts.
_TOKENS_AT_ONCE = 26_000
_TEXTS_AT_ONCE = 96

PACKAGED = "minilm"
"""The embedder that runs on this machine and comes with niah."""

# Of the packaged embedder on two quiet cores.
_TOKENS_PER_S = 4_800


def plan_local_embedding(left: Sequence[Trial], done: Sequence[Trial]) -> LocalEmbedding | None:
    """What the packaged embedder will take for the trials that are left; None where none asks for it."""
    if not any(_embedder_of(trial) == PACKAGED for trial in left):
        return None
    tokens = _embedded(PACKAGED, [*done, *left])[0] - _embedded(PACKAGED, done)[0]
    return LocalEmbedding(PACKAGED, tokens, tokens / _TOKENS_PER_S)


def embedders_of(strategies: Iterable[Strategy]) -> tuple[str, ...]:
    """The models that embed at an endpoint, alone or in a hybrid, as retrievers are called."""
    names = {parse_name(strategy.retriever) for strategy in strategies if strategy.retriever}
    return tuple(sorted({name.embedder for name in names if name.kind == "litellm" and name.embedder}))


def plan_embedding(
    left: Sequence[Trial], done: Sequence[Trial], prices: Mapping[str, Price | None]
) -> tuple[PlannedUse, ...]:
    """What each embedder will take. A kept answer is found by its prompt, whose chunks have to be embedded.

    Args:
        left: the trials that are not finished.
        done: those that are.
        prices: of each embedder.
    """
    plans = []
    for name in embedders_of(trial.strategy for trial in left):
        price = prices[name]
        before, calls_before = _embedded(name, done)
        every, calls = _embedded(name, [*done, *left])
        tokens = every - before
        plans.append(
            PlannedUse(
                name=name,
                calls=calls - calls_before,
                prompt_tokens=tokens,
                answer_tokens=0,
                usd=price.of(tokens, 0) if price else None,
                free=price is not None and price.free,
                unpriced=price is not None and price.assumed,
                seconds=None,
                tokenizers=tuple(sorted({trial.sample.tokenizer for trial in left})),
            )
        )
    return tuple(plans)


def _embedded(name: str, trials: Iterable[Trial]) -> tuple[int, int]:
    """Tokens and requests of all chunks and questions of some trials, each text once."""
    cuts: dict[tuple[str, Chunker], Sample] = {}
    for trial in trials:
        plan, sample = trial.strategy.retrieval, trial.sample
        if plan and _embedder_of(trial) == name:
            chunker = plan.chunker_for(sample.context_room)
            cuts[sample.sample_id, SENTENCES if name == PACKAGED else chunker] = sample
    tokens = calls = 0
    whole: set[tuple[object, ...]] = set()
    # The longest first; of these the one whose needles leave most of the background as it is.
    longest = sorted(cuts.items(), key=lambda cut: (-cut[1].tokens, -(cut[1].depth or 0)))
    for (_, chunker), sample in longest:
        background = (sample.haystack, sample.seed, sample.document_id, sample.tokenizer, chunker)
        new = chunk_tokens(sample, chunker)
        if background in whole:
            new = min(new, _tokens_at_needles(sample, chunker))
        whole.add(background)
        tokens += new
        calls += ceil(new / _tokens_at_once(chunker))
    questions = {(sample.key.question, sample.tokenizer) for sample in cuts.values()}
    tokens += sum(count(get_tokenizer(tokenizer), question) for question, tokenizer in questions)
    return tokens, calls + len(questions)


def _embedder_of(trial: Trial) -> str | None:
    retriever = trial.strategy.retriever
    return parse_name(retriever).embedder if retriever else None


def chunk_tokens(sample: Sample, chunker: Chunker) -> int:
    """Tokens of all chunks of a sample's context."""
    if not chunker.overlap or sample.tokens <= chunker.size:
        return sample.tokens
    return ceil(sample.tokens * chunker.size / ((chunker.size - chunker.overlap) * chunker.known.step))


def _tokens_at_needles(sample: Sample, chunker: Chunker) -> int:
    """Tokens of the chunks that a longer context of the same background has not; a document has none."""
    if sample.case is None:
        return 0
    if chunker.known.moves:
        return ceil(chunk_tokens(sample, chunker) * (1 - sample.case.depth / 100)) + chunker.size
    return (len(sample.key.needles) + sample.case.distractors) * chunker.known.at_needle(chunker.size)


def _tokens_at_once(chunker: Chunker) -> int:
    return min(_TOKENS_AT_ONCE, _TEXTS_AT_ONCE * chunker.known.usual(chunker.size))
