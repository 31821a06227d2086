"""From a trial to the request that a reader or a system gets, and from the response to the trial's result."""

from __future__ import annotations

from dataclasses import dataclass, replace

from niah.cases.prompts import load_prompt
from niah.cases.samples import context_of
from niah.errors import OutsideError, Say
from niah.needles.conversations import as_turns
from niah.readers.reader import Answer, Request, Response, Usage
from niah.retrieval.user import failure_of, get_system
from niah.runs.retrieval import context_for, selection_of
from niah.runs.trial import Trial, TrialResult
from niah.strategies.facts import RetrievalFacts, source_facts, system_question
from niah.strategies.prepared.steps import Chosen
from niah.strategies.select import made_of_parts
from niah.text.tokenizer import get_tokenizer


@dataclass(frozen=True)
class PreparedTrial:
    """A trial that can be asked."""

    request: Request  # of a system, its prompt is the context
    context_tokens: int | None  # of what is sent in the context's place; None where only a system knows
    retrieval: RetrievalFacts | None
    response: Response | None = None  # the reader is not asked: a strategy failed, or had the answer
    context_end: int = 0  # characters of the prompt up to there


def prepare(trial: Trial, say: Say, chosen: Chosen | None = None, since: str = "") -> PreparedTrial:
    """Build the context, apply the strategy, or take what it has ``chosen`` with a model; the prompt.
    ``since`` is when an earlier run got an answer that is chosen, UTC; "" of this run's own."""
    sample, options = trial.sample, trial.options
    if chosen and chosen.answer is not None:  # its tokens are those of the call, which the run file has
        assert chosen.selection
        answer = Answer(chosen.answer, Usage(0, 0), chosen.seconds, cached=bool(since), reused_from=since)
        tokens, facts = chosen.selection.context_tokens, chosen.selection.facts
        return PreparedTrial(Request("", trial.room), tokens, facts, answer)
    context = context_for(sample, trial.truncation)
    if trial.strategy.system:
        return PreparedTrial(Request(context.text, trial.room), None, None)
    try:
        if chosen and chosen.selection:
            selection = chosen.selection
        elif chosen:
            needles = context.needles if sample.evidence_is_known else None
            selection = made_of_parts(chosen, context.text, get_tokenizer(sample.tokenizer), needles)
        else:
            selection = selection_of(sample, context, trial.strategy, say)
    except OutsideError as error:
        return failed(trial, failure_of(error))
    before, after = load_prompt(trial.prompt).frame(sample.key.question, sample.key.options)
    system = trial.first_line + options.system if options.system else ""
    before = before if system else trial.first_line + before
    request = options.request(before + selection.text + after, trial.room)
    turns = as_turns(before, selection.text, after) if options.mode == "turns" else ()
    request = replace(request, system=system, seed=trial.seed, turns=turns)
    end = len(before) + len(selection.text)
    return PreparedTrial(request, selection.context_tokens, selection.facts, context_end=end)


def failed(trial: Trial, response: Response) -> PreparedTrial:
    """A trial whose strategy failed, so that its reader is not asked."""
    return PreparedTrial(Request("", trial.room), 0, None, response)


def ask_system(trial: Trial, document: str) -> Response:
    """What the trial's system answers about the document; waits for it."""
    try:
        return get_system(trial.strategy.system or "")(system_question(trial.sample), document)
    except OutsideError as error:
        return failure_of(error)


def system_result(trial: Trial, prepared: PreparedTrial, response: Response) -> TrialResult:
    """What a system made of a trial: it alone knows what that cost; of a cached answer it is not known."""
    result = replace(as_result(prepared, response), was_asked=False)
    if not isinstance(response, Answer):
        return result
    facts = source_facts(response, trial.sample, context_of(trial.sample))
    return replace(result, retrieval=facts, cost=response.cost)


def as_result(prepared: PreparedTrial, response: Response) -> TrialResult:
    """The response as a result; an answer still lacks its verdict."""
    return TrialResult(
        outcome="scored" if isinstance(response, Answer) else response.outcome,
        answer=response.text,
        reason="" if isinstance(response, Answer) else response.reason,
        usage=response.usage,
        latency_s=response.latency_s,
        context_tokens=prepared.context_tokens,
        retrieval=prepared.retrieval,
        from_cache=isinstance(response, Answer) and response.cached,
        reused_from=response.reused_from if isinstance(response, Answer) else "",
    )
