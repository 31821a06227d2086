"""From a trial to the request that a reader gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from niah.cases.prompts import load_prompt
from niah.cases.samples import context_of
from niah.errors import OutsideError
from niah.readers.reader import Failure, Request
from niah.runs.execution.executor import PreparedTrial
from niah.runs.retrieval import selection_of
from niah.runs.trial import Trial
from niah.strategies.systems import answer_of
from niah.text.tokenizer import count, get_tokenizer


def prepare(trial: Trial, say: Callable[[str], None]) -> PreparedTrial:
    """Rebuild the context, apply the strategy, render the prompt. ``say`` hears of slow first times.

    A system of the user's own answers here, and where it fails, or a retriever, that is the trial's outcome.
    """
    sample, options = trial.sample, trial.options
    unasked, free = Request("", trial.room), None if trial.strategy.system else Decimal(0)
    context = context_of(sample)
    if trial.truncation:
        text = trial.truncation.apply(context.text)
        context = replace(context, text=text, tokens=count(get_tokenizer(sample.tokenizer), text))
    try:
        if trial.strategy.system:
            said = answer_of(trial.strategy.system, sample, context)
            return PreparedTrial(unasked, None, said.facts, response=said.answer, cost=said.cost)
        selection = selection_of(sample, context, trial.strategy, say)
    except OutsideError as error:
        return PreparedTrial(unasked, 0, None, response=Failure("reader_error", error.message), cost=free)
    request = Request(
        prompt=load_prompt(sample.prompt).render(selection.text, sample.key.question, sample.key.options),
        max_tokens=trial.room,
        temperature=options.temperature,
        seed=trial.seed,
        system=options.system,
        top_p=options.top_p,
        stop=options.stops,
        thinking_tokens=options.thinking_tokens,
        reasoning_effort=options.reasoning_effort or "",
        extra_body=options.extra_body,
        mode=options.mode,
    )
    return PreparedTrial(request, selection.context_tokens, selection.facts)
