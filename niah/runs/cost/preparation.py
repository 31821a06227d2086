"""What preparation will take: its steps are run as in a run, with replies such as are expected.

Prompts are built of the documents themselves, and counted. Replies that are kept from earlier runs stand for
expected ones and cost nothing. How long a model's replies are no plan knows: they are taken for as long as it
is asked to make them. RAPTOR's clusters are known only by embeddings, which no plan makes: they are taken to
hold 2,700 tokens each, and up to a quarter of the nodes to be in two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from niah.cases.samples import context_of
from niah.readers.reader import Reader
from niah.runs.cost.estimate import PlannedUse, expected_context_tokens
from niah.runs.cost.prices import Price, total_usd
from niah.runs.execution.response_cache import ResponseCache, request_key
from niah.runs.preparation.preparer import Preparer, request_of
from niah.runs.preparation.question import asked_question
from niah.runs.trial import Trial
from niah.strategies.prepared.steps import (
    ModelCall,
    PreparationFailed,
    PreparedDocument,
    expected_text,
    run_steps,
)
from niah.strategies.select import Selection
from niah.strategies.strategy import strategy_of
from niah.text.tokenizer import count, get_tokenizer


@dataclass(frozen=True)
class PlannedPreparation(PlannedUse):
    """What a model will take that prepares.

    Attributes:
        documents: what the preparation of each takes that is the same for all its questions, by strategy and
            digest of the context.
    """

    documents: Mapping[tuple[str, str], PlannedUse] = field(default_factory=dict, kw_only=True)


def plan_preparation(
    left: Iterable[Trial],
    readers: Mapping[str, Reader],
    preparer: Preparer | None,
    prices: Mapping[str, Price | None],
    kept: ResponseCache,
) -> tuple[PlannedPreparation, ...]:
    """What each model will take that prepares.

    Args:
        left: the trials that are not finished.
        readers: by name.
        preparer: the other model; None where readers prepare themselves.
        prices: of each model.
        kept: replies of earlier runs, open.
    """
    plans: dict[str, _Counting] = {}
    for trial in left:
        if trial.strategy.prepared:
            own = Preparer(readers[trial.reader], trial.options)
            by_reader, asked = (
                plans.setdefault(each.reader.name, _Counting(each, prices.get(each.reader.name), kept))
                for each in (own, preparer or own)
            )
            _add(trial, asked, by_reader)
    return tuple(counting.planned() for counting in plans.values() if counting.is_asked)


def _add(trial: Trial, asked: _Counting, by_reader: _Counting) -> None:
    """Count what is asked for a trial."""
    strategy, sample = trial.strategy.prepared, trial.sample
    assert strategy
    document = PreparedDocument(context_of(sample).text, get_tokenizer(sample.tokenizer))
    question = asked_question(trial, lambda other: _expected_selection(trial, other))
    keys: list[str] = []

    def reply(own: list[str]) -> Callable[[ModelCall], str]:
        return lambda call: (by_reader if call.by_reader else asked).reply(call, trial, document, own)

    try:
        material = run_steps(strategy.document(document, None), reply(keys))
        asked.documents[trial.strategy.definition, sample.sha256] = keys
        run_steps(strategy.question(document, material, question, None), reply([]))
    except PreparationFailed:
        pass  # as the run will say, of these trials


def _expected_selection(trial: Trial, definition: str) -> Selection:
    """A text as long as what the strategy is expected to make of the trial's context."""
    tokens, _ = expected_context_tokens(replace(trial, strategy=strategy_of(definition)))
    return Selection(expected_text(max(1, tokens)), tokens)


@dataclass
class _Counting:
    """The calls of one model, each once."""

    asked: Preparer
    price: Price | None
    kept: ResponseCache
    calls: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By key, tokens of prompt and reply."""
    documents: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """By strategy and document, the keys of its calls."""
    tokenizers: set[str] = field(default_factory=set)

    is_asked: bool = False
    """Whether any strategy asks it, if only for what is kept."""

    def reply(self, call: ModelCall, trial: Trial, document: PreparedDocument, keys: list[str]) -> str:
        """A kept reply, or the expected one; what is not kept is counted, and its key added."""
        self.is_asked = True
        self.tokenizers.add(trial.sample.tokenizer)
        request = request_of(call, self.asked.options, trial.seed)
        key = request_key(self.asked.reader, request, trial.repeat if call.is_answer else 0)
        if known := self.kept.get(key):
            return known.text
        keys.append(key)
        if key not in self.calls:
            self.calls[key] = document.count(request.text), count(document.tokenizer, call.expected)
        return call.expected

    def planned(self) -> PlannedPreparation:
        whole = self._use(self.calls)
        own = {document: self._use(keys) for document, keys in self.documents.items()}
        return PlannedPreparation(**vars(whole), documents=own)

    def _use(self, keys: Iterable[str]) -> PlannedUse:
        tokens = [self.calls[key] for key in dict.fromkeys(keys)]
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
            seconds=None,
            tokenizers=tuple(sorted(self.tokenizers)),
            thinking_tokens=thoughts * len(tokens),
        )
