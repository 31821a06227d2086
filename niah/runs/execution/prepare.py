"""From a trial to the request that a reader gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from niah.cases.assembly.assembly import build_context
from niah.cases.case import Case
from niah.cases.context import Context
from niah.cases.prompts import load_prompt
from niah.cases.records import context_sha256
from niah.needles.load import load_needle_set
from niah.readers.reader import Request
from niah.retrieval.registry import get_retriever
from niah.runs.trial import Trial
from niah.strategies.facts import RetrievalFacts
from niah.strategies.select import select
from niah.text.tokenizer import get_tokenizer


@dataclass(frozen=True)
class Prepared:
    """A request, and what is known of it before any answer."""

    request: Request
    context_tokens: int
    context_sha256: str
    retrieval: RetrievalFacts | None


def prepare(trial: Trial, say: Callable[[str], None]) -> Prepared:
    """Build the context, apply the strategy, render the prompt. ``say`` hears of slow first times."""
    case = trial.case
    context, sha256 = _context(case)
    needle_set = load_needle_set(case.needle_set, case.seed)
    selection = select(
        trial.strategy,
        context,
        needle_set.question,
        get_tokenizer(case.tokenizer),
        case.context_length - context.prompt_tokens,
        lambda name: get_retriever(name, say),
    )
    request = Request(
        prompt=load_prompt(case.prompt).render(selection.text, needle_set.question),
        max_tokens=trial.max_tokens,
        temperature=trial.temperature,
        seed=case.seed,
    )
    return Prepared(request, selection.context_tokens, sha256, selection.facts)


@lru_cache(maxsize=32)
def _context(case: Case) -> tuple[Context, str]:
    context = build_context(case)
    return context, context_sha256(context)
