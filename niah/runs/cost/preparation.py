"""What preparation will take: its steps are run as in a run, with replies such as are expected.

Prompts are built of the documents themselves, and counted. Replies that are kept from earlier runs stand for
expected ones and cost nothing. How long a model's replies are no plan knows: they are taken for as long as it
is asked to make them.

RAPTOR's clusters are known only by embeddings. Those of the packaged model a plan makes, too, for the first
documents, and a run finds them on disk. Clusters of others are taken to hold 2,700 tokens each, and up to a
quarter of the nodes to be in two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from niah.cases.samples import context_of
from niah.readers.reader import Reader
from niah.recently_used import RecentlyUsed
from niah.retrieval.registry import get_retriever
from niah.runs.cost.embedding import PACKAGED
from niah.runs.cost.estimate.expected_tokens import expected_context_tokens
from niah.runs.cost.estimate.planned_use import PlannedUse
from niah.runs.cost.prices.price import Price
from niah.runs.cost.prices.spending import Spending, total_usd
from niah.runs.execution.response_cache import ResponseCache, request_key
from niah.runs.preparation.preparer import Preparer, request_of
from niah.runs.preparation.question import asked_question
from niah.runs.trial import Trial
from niah.strategies.prepared.steps import (
    GetRetriever,
    ModelCall,
    PreparationFailed,
    PreparedDocument,
    expected_text,
    run_steps,
)
from niah.strategies.select import Selection
from niah.strategies.strategy import strategy_of
from niah.text.tokenizer import count, get_tokenizer
from niah.weights import fetched_weights

_DOCUMENTS_KEPT = 64
"""In memory. Others are counted again: the same calls."""

_MOST_EMBEDDED = 100_000
"""Tokens of documents of which a plan makes the clusters: half a minute where no embedding is on disk."""


@dataclass(frozen=True)
class PlannedPreparation(PlannedUse):
    """What a model will take that prepares.

    Attributes:
        documents: what the preparation of each takes that is the same for all its questions, by strategy and
            digest of the context.
        answers_at_most: the same use where replies that may be the reader's answer fill their room, for
            budgets; None where there are none.
    """

    documents: Mapping[tuple[str, str], PlannedUse] = field(default_factory=dict, kw_only=True)
    answers_at_most: PlannedUse | None = field(default=None, kw_only=True)

    @property
    def to_budget(self) -> Spending:
        """What a budget has to hold for it."""
        most = self.answers_at_most
        return most.to_budget if most else super().to_budget


def plan_preparation(
    left: Iterable[Trial],
    readers: Mapping[str, Reader],
    preparer: Preparer | None,
    prices: Mapping[str, Price | None],
    kept: ResponseCache | None,
) -> tuple[PlannedPreparation, ...]:
    """What each model will take that prepares.

    Args:
        left: the trials that are not finished.
        readers: by name.
        preparer: the other model; None where readers prepare themselves.
        prices: of each model.
        kept: replies that need not be asked for again, open; None where there are none.
    """
    plans: dict[str, _Counting] = {}
    embedding = _PlanEmbedding()
    for trial in left:
        if trial.strategy.prepared:
            own = Preparer(readers[trial.reader], trial.options)
            by_reader, asked = (
                plans.setdefault(each.reader.name, _Counting(each, prices.get(each.reader.name), kept))
                for each in (own, preparer or own)
            )
            _add(trial, asked, by_reader, embedding)
    return tuple(counting.planned() for counting in plans.values() if counting.is_asked)


class _PlanEmbedding:
    """Gives a retriever to embed documents with, up to so many tokens of them, where that costs nothing."""

    def __init__(self) -> None:
        self._is_there = fetched_weights(PACKAGED) is not None
        self._given: dict[tuple[str, str], bool] = {}
        self._left = _MOST_EMBEDDED

    def retriever(self, trial: Trial) -> GetRetriever | None:
        """None where clusters are to be taken for such as are expected."""
        scored = trial.strategy.prepared.scored if trial.strategy.prepared else None
        if not self._is_there or scored is None or scored.retriever != PACKAGED:
            return None
        key = trial.strategy.definition, trial.sample.sha256
        if key not in self._given:
            self._given[key] = trial.sample.tokens <= self._left
            self._left -= trial.sample.tokens if self._given[key] else 0
        return (lambda: get_retriever(PACKAGED, lambda line: None)) if self._given[key] else None


def _add(trial: Trial, asked: _Counting, by_reader: _Counting, embedding: _PlanEmbedding) -> None:
    """Count what is asked for a trial."""
    strategy, sample = trial.strategy.prepared, trial.sample
    assert strategy
    document = PreparedDocument(context_of(sample).text, get_tokenizer(sample.tokenizer))
    question = asked_question(trial, lambda other: _expected_selection(trial, other))
    key = trial.strategy.definition, sample.sha256

    def reply(own: list[str]) -> Callable[[ModelCall], str]:
        return lambda call: (by_reader if call.by_reader else asked).reply(call, trial, document, own)

    try:
        if (made := asked.materials.get(key)) is None:
            keys: list[str] = []
            made = (run_steps(strategy.document(document, embedding.retriever(trial)), reply(keys)),)
            asked.materials.put(key, made)
            asked.documents[key] = keys
        run_steps(strategy.question(document, made[0], question, None), reply([]))
    except PreparationFailed:
        pass  # as the run will say, of these trials


def _expected_selection(trial: Trial, definition: str) -> Selection:
    """The context where the strategy sends it whole; or else a text that stands for what it makes of it, as
    long as is expected, and like that of no other context.
    """
    other = replace(trial, strategy=strategy_of(definition))
    if other.strategy.sends_context and not trial.truncation:
        return Selection(context_of(trial.sample).text, trial.sample.tokens)
    tokens, _ = expected_context_tokens(other)
    text = expected_text(max(1, tokens), f"{definition} {trial.sample.key.question} {trial.sample.sha256}")
    return Selection(text, tokens)


@dataclass
class _Counting:
    """The calls of one model, each once."""

    asked: Preparer
    price: Price | None
    kept: ResponseCache | None
    calls: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By key, tokens of prompt and reply."""
    most: dict[str, int] = field(default_factory=dict)
    """By key, the room of a reply that may be the reader's answer."""
    documents: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """By strategy and document, the keys of its calls."""
    tokenizers: set[str] = field(default_factory=set)
    materials: RecentlyUsed[tuple[str, str], Any] = field(
        default_factory=lambda: RecentlyUsed(room=_DOCUMENTS_KEPT, size=lambda _: 1)
    )
    """By strategy and document, what came of its calls, in a tuple."""

    is_asked: bool = False
    """Whether any strategy asks it, if only for what is kept."""

    def reply(self, call: ModelCall, trial: Trial, document: PreparedDocument, keys: list[str]) -> str:
        """A kept reply, or the expected one; what is not kept is counted, and its key added."""
        self.is_asked = True
        self.tokenizers.add(trial.sample.tokenizer)
        request = request_of(call, self.asked.options, trial.seed)
        key = request_key(self.asked.reader, request, trial.repeat if call.is_answer else 0)
        if self.kept and (known := self.kept.get(key)):
            return known.text
        keys.append(key)
        if key not in self.calls:
            self.calls[key] = document.count(request.text), count(document.tokenizer, call.expected)
            if call.is_answer:
                self.most[key] = call.max_tokens
        return call.expected

    def planned(self) -> PlannedPreparation:
        whole = self._use(self.calls)
        most = self._use(self.calls, self.most) if self.most else None
        own = {document: self._use(keys) for document, keys in self.documents.items()}
        return PlannedPreparation(**vars(whole), documents=own, answers_at_most=most)

    def _use(self, keys: Iterable[str], replies: Mapping[str, int] = MappingProxyType({})) -> PlannedUse:
        """What the calls take; ``replies`` has the tokens of those that are not as expected."""
        expected = {key: self.calls[key] for key in keys}
        tokens = [(prompt, replies.get(key, reply)) for key, (prompt, reply) in expected.items()]
        thoughts = self.asked.options.thinking_room
        price = self.price
        return PlannedUse(
            name=self.asked.reader.name,
            calls=len(tokens),
            prompt_tokens=sum(prompt for prompt, _ in tokens),
            answer_tokens=sum(reply for _, reply in tokens),
            usd=total_usd(
                price.of(prompt, reply + thoughts, 0, thoughts) if price else None for prompt, reply in tokens
            ),
            free=price is not None and price.free,
            unpriced=price is not None and price.assumed,
            seconds=None,
            tokenizers=tuple(sorted(self.tokenizers)),
            thinking_tokens=thoughts * len(tokens),
        )
