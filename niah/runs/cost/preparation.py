"""What preparation takes at most, by formula: no model is asked, and nothing is embedded.

Each document that is left is counted once, and each question; what the run file has of them is subtracted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from niah.cases.samples import context_of
from niah.readers.reader import Reader
from niah.runs.cost.estimate.expected_tokens import expected_context_tokens
from niah.runs.cost.estimate.planned_use import PlannedUse
from niah.runs.cost.prices.price import Price
from niah.runs.cost.prices.spending import total_usd
from niah.runs.preparation.preparer import PreparationCall, Preparer
from niah.runs.preparation.question import asked_question
from niah.runs.trial import Trial
from niah.strategies.prepared.steps import CallBound, PreparedDocument, QuestionBound
from niah.strategies.select import Selection
from niah.strategies.strategy import strategy_of
from niah.text.tokenizer import get_tokenizer


@dataclass(frozen=True)
class PlannedPreparation(PlannedUse):
    """What a model takes at most that prepares.

    Attributes:
        documents: what the preparation of each takes that is the same for all its questions, by strategy and
            digest of the context.
    """

    documents: Mapping[tuple[str, str], PlannedUse] = field(default_factory=dict, kw_only=True)


@dataclass
class _Asked:
    """What a model is asked, by document and by question."""

    preparer: Preparer
    tokenizers: set[str] = field(default_factory=set)
    documents: dict[tuple[str, str], CallBound] = field(default_factory=dict)
    questions: dict[tuple[object, ...], CallBound] = field(default_factory=dict)


def plan_preparation(
    left: Iterable[Trial],
    readers: Mapping[str, Reader],
    preparer: Preparer | None,
    prices: Mapping[str, Price | None],
    made: Iterable[PreparationCall] = (),
) -> tuple[PlannedPreparation, ...]:
    """What each model takes at most that prepares.

    Args:
        left: the trials that are not finished.
        readers: by name.
        preparer: the other model; None where readers prepare themselves.
        prices: of each model.
        made: the calls of the run file.
    """
    begun: defaultdict[tuple[str, str, str], list[PreparationCall]] = defaultdict(list)
    for call in made:
        begun[call.definition, call.document, call.trial_id].append(call)
    questioned = {(definition, document) for definition, document, trial_id in begun if trial_id}
    models: dict[str, _Asked] = {}
    digest, document = "", PreparedDocument("", get_tokenizer("cl100k"))
    for trial in left:
        if (strategy := trial.strategy.prepared) is None:
            continue
        own = Preparer(readers[trial.reader], trial.options)
        asked, by_reader = (
            models.setdefault(each.reader.name, _Asked(each)) for each in (preparer or own, own)
        )
        sample = trial.sample
        key = trial.strategy.definition, sample.sha256
        if digest != sample.sha256:  # a document's trials follow each other
            digest = sample.sha256
            document = PreparedDocument(context_of(sample).text, get_tokenizer(sample.tokenizer))
        if key not in asked.documents and (bounds := strategy.document_bounds(document)):
            asked.documents[key] = _left(bounds, begun[(*key, "")], is_done=key in questioned)
            asked.tokenizers.add(sample.tokenizer)
        for bound in strategy.question_bounds(document, _question_bound(trial, document)):
            model = by_reader if bound.by_reader else asked
            model.tokenizers.add(sample.tokenizer)
            question = (*key, sample.sample_id, trial.repeat if bound.is_answer else 0, bound)
            model.questions[question] = _left([bound], begun[(*key, trial.trial_id)])
    return tuple(
        _planned(asked, prices.get(name))
        for name, asked in models.items()
        if asked.documents or asked.questions
    )


def _left(
    bounds: Sequence[CallBound], made: Sequence[PreparationCall], *, is_done: bool = False
) -> CallBound:
    """The bounds together, without the calls that were made."""
    if is_done:
        return CallBound(0, 0, 0)
    return CallBound(
        max(0, sum(bound.calls for bound in bounds) - len(made)),
        max(0, sum(bound.prompt_tokens for bound in bounds) - sum(c.usage.prompt_tokens or 0 for c in made)),
        max(
            0, sum(bound.reply_tokens for bound in bounds) - sum(c.usage.completion_tokens or 0 for c in made)
        ),
    )


def _question_bound(trial: Trial, document: PreparedDocument) -> QuestionBound:
    question = asked_question(trial, lambda definition: Selection("", 0))

    def selected(definition: str) -> int:
        return expected_context_tokens(replace(trial, strategy=strategy_of(definition)))[1]

    return QuestionBound(
        tokens=document.count(question.with_options),
        prompt_tokens=document.count(question.prompt("")),
        answer_tokens=question.answer_tokens,
        room=question.room,
        selected=selected,
    )


def _planned(asked: _Asked, price: Price | None) -> PlannedPreparation:
    whole = _use(asked, price, [*asked.documents.values(), *asked.questions.values()])
    documents = {key: _use(asked, price, [bound]) for key, bound in asked.documents.items()}
    return PlannedPreparation(**vars(whole), documents=documents)


def _use(asked: _Asked, price: Price | None, bounds: Sequence[CallBound]) -> PlannedUse:
    thoughts = asked.preparer.options.thinking_room
    called = [bound for bound in bounds if bound.calls]
    calls = sum(bound.calls for bound in called)
    return PlannedUse(
        name=asked.preparer.reader.name,
        calls=calls,
        prompt_tokens=sum(bound.prompt_tokens for bound in called),
        answer_tokens=sum(bound.reply_tokens for bound in called),
        usd=total_usd(
            price.at_most(bound.prompt_tokens // bound.calls, bound.reply_tokens // bound.calls + thoughts)
            * bound.calls
            if price
            else None
            for bound in called
        ),
        free=price is not None and price.free,
        unpriced=price is not None and price.assumed,
        seconds=None,
        tokenizers=tuple(sorted(asked.tokenizers)),
        thinking_tokens=thoughts * calls,
    )
