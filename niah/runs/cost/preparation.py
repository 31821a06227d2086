"""What preparation will take: its steps are run as in a run, with replies such as are expected.

Prompts are built of the documents themselves, and counted. Replies that are kept from earlier runs stand for
expected ones and cost nothing. How long a model's replies are no plan knows: they are taken for as long as it
is asked to make them. RAPTOR's clusters are known only by embeddings, which no plan makes: they are taken to
hold 2,700 tokens each, and up to a quarter of the nodes to be in two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from niah.cases.prompts import load_prompt
from niah.cases.samples import context_of
from niah.readers.reader import Reader
from niah.runs.cost.estimate import PlannedUse
from niah.runs.cost.prices import Price, total_usd
from niah.runs.execution.response_cache import ResponseCache, request_key
from niah.runs.preparation.preparer import Preparer, request_of
from niah.runs.trial import Trial
from niah.strategies.prepared.steps import (
    AskedQuestion,
    ModelCall,
    PreparationFailed,
    PreparedDocument,
    run_steps,
)
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
            asked = preparer or own
            counting = plans.setdefault(
                asked.reader.name, _Counting(asked, prices.get(asked.reader.name), kept)
            )
            counting.add(trial)
    return tuple(counting.planned() for counting in plans.values())


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

    def add(self, trial: Trial) -> None:
        strategy, sample = trial.strategy.prepared, trial.sample
        assert strategy
        document = PreparedDocument(context_of(sample).text, get_tokenizer(sample.tokenizer))
        keys: list[str] = []
        self.tokenizers.add(sample.tokenizer)
        template = load_prompt(sample.prompt)
        question = AskedQuestion(
            sample.key.question,
            sample.context_room,
            lambda text: template.render(text, sample.key.question, sample.key.options),
        )
        try:
            material = run_steps(strategy.document(document, None), self._reply(document, keys))
            self.documents[trial.strategy.definition, sample.sha256] = keys
            run_steps(strategy.question(document, material, question, None), self._reply(document, []))
        except PreparationFailed:
            pass  # as the run will say, of these trials

    def _reply(self, document: PreparedDocument, keys: list[str]) -> Callable[[ModelCall], str]:
        def reply(call: ModelCall) -> str:
            key = request_key(self.asked.reader, request_of(call, self.asked.options), 0)
            if known := self.kept.get(key):
                return known.text
            keys.append(key)
            if key not in self.calls:
                self.calls[key] = document.count(call.prompt), count(document.tokenizer, call.expected)
            return call.expected

        return reply

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
