"""From a trial to the request that a reader gets."""

from __future__ import annotations

from collections.abc import Callable

from niah.cases.prompts import load_prompt
from niah.errors import OutsideError
from niah.needles.conversations import as_turns
from niah.readers.reader import Answer, Request, Usage
from niah.retrieval.user import failure_of
from niah.runs.execution.executor import PreparedTrial
from niah.runs.retrieval import context_for, selection_of, selection_of_parts
from niah.runs.trial import Trial
from niah.strategies.prepared.steps import Chosen


def prepare(trial: Trial, say: Callable[[str], None], chosen: Chosen | None = None) -> PreparedTrial:
    """Rebuild the context, apply the strategy, render the prompt. ``say`` hears of slow first times.

    What a strategy that asked a model first has ``chosen`` stands in the context's place.
    A system of the user's own gets the context as it is. Where a retriever fails, that is the outcome.
    """
    sample, options = trial.sample, trial.options
    if chosen and chosen.answer is not None:
        return _answered(trial, chosen, chosen.answer)
    context = context_for(sample, trial.truncation)
    if trial.strategy.system:
        return PreparedTrial(Request(context.text, trial.room), None, None)
    try:
        if chosen:
            selection = chosen.selection or selection_of_parts(sample, context, chosen)
        else:
            selection = selection_of(sample, context, trial.strategy, say)
    except OutsideError as error:
        return PreparedTrial(Request("", trial.room), 0, None, response=failure_of(error))
    before, after = load_prompt(sample.prompt).frame(sample.key.question, sample.key.options)
    request = Request(
        prompt=before + selection.text + after,
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
        turns=as_turns(before, selection.text, after) if options.mode == "turns" else (),
    )
    return PreparedTrial(request, selection.context_tokens, selection.facts)


def _answered(trial: Trial, chosen: Chosen, answer: str) -> PreparedTrial:
    """The reader's answer on the way: its tokens are those of the call, which the run file has already."""
    assert chosen.selection
    response = Answer(answer, Usage(0, 0), chosen.seconds)
    selection = chosen.selection
    return PreparedTrial(
        Request("", trial.room), selection.context_tokens, selection.facts, response=response
    )
