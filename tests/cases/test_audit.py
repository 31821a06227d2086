"""What the audit of a context finds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from niah.cases.assembly.render import build_context, recount
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.cases.prompts import load_prompt
from niah.errors import Defect
from niah.needles.load import load_needle_set
from niah.text.tokenizer import get_tokenizer


def test_the_audit_finds_a_context_that_was_tampered_with() -> None:
    case = Case("ferry-lanterns", "essays", 1000, 50)
    context = build_context(case)
    with pytest.raises(Defect, match="tokens"):
        audit_context(case, replace(context, text=context.text + " More."))
    moved = context.needles[0]._replace(token_start=context.needles[0].token_start + 1)
    with pytest.raises(Defect, match="token_start"):
        audit_context(case, replace(context, needles=(moved,)))


def test_the_audit_finds_a_contiguous_context_that_is_short_or_torn() -> None:
    case = Case("ferry-lanterns", "essays", 3000, 50, mode="contiguous")
    context = build_context(case)
    audit_context(case, context)
    tokenizer, prompt = get_tokenizer("cl100k"), load_prompt("u-niah")
    frame = prompt.frame(load_needle_set("ferry-lanterns", 1).question)
    shortened = replace(context, text=context.text[: context.text.rindex(". ") + 1])
    with pytest.raises(Defect, match=r"the end is .* tokens early, over a sentence"):
        audit_context(case, recount(shortened, tokenizer, *frame))
    first = context.text.index(". ") + 2
    torn = context.text[:first] + context.text[context.text.index(". ", first) + 2 :]
    start = torn.index(context.needles[0].text)
    moved = context.needles[0]._replace(start=start, end=start + len(context.needles[0].text))
    with pytest.raises(Defect, match="not one unbroken passage"):
        audit_context(case, recount(replace(context, text=torn, needles=(moved,)), tokenizer, *frame))
    early = context.needles[0]._replace(asked_token=context.needles[0].asked_token + 200)
    with pytest.raises(Defect, match="tokens early, over a sentence"):
        audit_context(case, replace(context, needles=(early,)))
