"""The questions of the filter: samples of their own, which no other trial has."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from niah.cases.prompts import load_prompt, prompt_tokens
from niah.cases.sample import Sample
from niah.strategies.strategy import Strategy, parse
from niah.text.tokenizer import get_tokenizer

BareQuestion = tuple[str, tuple[str, ...], tuple[str, ...]]
"""Its text, its reference answers, its options."""

_MARK = "_without-context"
_PROMPT = "closed-book"


@dataclass(frozen=True)
class ClosedBookRule:
    """What a run config says of the filter.

    Attributes:
        match: the exact match by which free answers count as known.
    """

    match: str

    @property
    def strategy(self) -> Strategy:
        """How the filter asks."""
        return parse("closed-book")


def without_context(sample: Sample) -> Sample | None:
    """The question alone, as the filter asks it; None where no answer could be matched."""
    from niah.judges.metrics import knowledge_rules  # with a judge's rules: half a second

    if not knowledge_rules(sample.key):
        return None
    template, tokenizer = load_prompt(_PROMPT), get_tokenizer(sample.tokenizer)
    question, options = sample.key.question, sample.key.options
    return replace(
        sample,
        sample_id=f"{sample.sample_id}{_MARK}",
        prompt=_PROMPT,
        prompt_tokens=prompt_tokens(template, question, "", "", tokenizer, options),
        fingerprint=hashlib.sha256(f"{sample.fingerprint} {template.identity}".encode()).hexdigest()[:20],
        needles=(),
        distractors=(),
        passages=(),
        avoided=(),
    )


def is_asked_without(sample_id: str) -> bool:
    """Whether the sample of that id is one of the filter's."""
    return sample_id.endswith(_MARK)


def bare_question_of(sample: Sample) -> BareQuestion:
    """What makes two samples one question to a reader that sees no context."""
    return sample.key.question, sample.key.references, sample.key.options
