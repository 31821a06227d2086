"""The promises of a case, checked from the outside by tokenising its context again."""

from __future__ import annotations

from bisect import bisect_right

from niah.cases.case import Case
from niah.cases.context import Context
from niah.cases.prompts import load_prompt
from niah.errors import Defect
from niah.needles.load import load_needle_set
from niah.text.tokenizer import count, get_tokenizer


def audit(case: Case, context: Context) -> None:
    """Raise Defect unless counts, spans and positions are exactly what the context records."""
    tokenizer = get_tokenizer(case.tokenizer)
    starts = tokenizer.starts(context.text).tolist()
    _expect(case, "tokens", context.tokens, len(starts))
    question = load_needle_set(case.needle_set, case.seed).question
    prompt = load_prompt(case.prompt).render(context.text, question)
    total = count(tokenizer, prompt)
    _expect(case, "tokens + prompt_tokens", context.tokens + context.prompt_tokens, total)
    if case.mode == "exact":
        _expect(case, "context_length", case.context_length, total)
    elif total > case.context_length:
        raise Defect(f"{case.case_id}: {total} tokens, over the context length")
    for item in (*context.needles, *context.distractors):
        _expect(case, f"{item.id} at [start, end)", item.text, context.text[item.start : item.end])
        _expect(case, f"{item.id} token_start", item.token_start, bisect_right(starts, item.start) - 1)
    if case.mode == "exact":
        for needle in context.needles:
            _expect(case, f"{needle.id} asked_token", needle.asked_token, needle.token_start)


def _expect(case: Case, what: str, recorded: object, found: object) -> None:
    if recorded != found:
        raise Defect(f"{case.case_id}: {what}: recorded {recorded!r}, found {found!r}")
