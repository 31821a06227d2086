"""What reranking will take at an endpoint.

A reranker reads the best 100 chunks of a context, or all where there are fewer, each beside the question, in
one request. What it said is kept on disk, so that a sample is reranked once for each retriever and way to
cut, whichever scope, order or reader asks. What finished trials had reranked is subtracted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil

from niah.cases.sample import Sample
from niah.retrieval.names import RERANKED, parse_name
from niah.runs.cost.embedding import chunk_tokens
from niah.runs.cost.estimate.planned_use import PlannedUse
from niah.runs.cost.prices.price import Price
from niah.runs.cost.prices.spending import total_usd
from niah.runs.trial import Trial
from niah.strategies.chunkers import Chunker
from niah.strategies.strategy import Strategy
from niah.text.tokenizer import count, get_tokenizer


def rerankers_of(strategies: Iterable[Strategy]) -> tuple[str, ...]:
    """The rerankers at an endpoint, by name."""
    return tuple(sorted({name for strategy in strategies if (name := _reranker_of(strategy))}))


def plan_reranking(
    left: Sequence[Trial], done: Sequence[Trial], prices: Mapping[str, Price | None]
) -> tuple[PlannedUse, ...]:
    """What each reranker will take. A kept answer is found by its prompt, whose chunks have to be reranked.

    Args:
        left: the trials that are not finished.
        done: those that are.
        prices: of each reranker.
    """
    plans = []
    for name in rerankers_of(trial.strategy for trial in left):
        price, finished = prices[name], _requests(name, done)
        tokens = [
            _tokens(sample, key[-1]) for key, sample in _requests(name, left).items() if key not in finished
        ]
        plans.append(
            PlannedUse(
                name=name,
                calls=len(tokens),
                prompt_tokens=sum(tokens),
                answer_tokens=0,
                usd=total_usd(price.of(each, 0) if price else None for each in tokens),
                free=price is not None and price.free,
                unpriced=price is not None and price.assumed,
                seconds=None,
                tokenizers=tuple(sorted({trial.sample.tokenizer for trial in left})),
            )
        )
    return tuple(plans)


def _reranker_of(strategy: Strategy) -> str | None:
    reranker = parse_name(strategy.retriever).reranker if strategy.retriever else None
    return reranker.text if reranker and reranker.kind == "litellm" else None


def _requests(name: str, trials: Iterable[Trial]) -> dict[tuple[str, str, Chunker], Sample]:
    """One for each sample, retriever and way to cut."""
    requests = {}
    for trial in trials:
        plan, sample = trial.strategy.retrieval, trial.sample
        if plan and _reranker_of(trial.strategy) == name:
            chunker = plan.chunker_for(sample.context_room)
            requests[sample.sample_id, plan.retriever, chunker] = sample
    return requests


def _tokens(sample: Sample, chunker: Chunker) -> int:
    """Of the chunks that are read, and of the question beside each."""
    usual = chunker.known.usual(chunker.size)
    chunks = min(RERANKED, ceil(chunk_tokens(sample, chunker) / usual))
    question = count(get_tokenizer(sample.tokenizer), sample.key.question)
    return min(chunks * usual, chunk_tokens(sample, chunker)) + chunks * question
