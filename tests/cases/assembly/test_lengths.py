"""Lengths that are too small, too great, or that the haystack holds several times."""

from __future__ import annotations

from dataclasses import replace

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.haystacks.load import load_corpus


def test_a_haystack_too_short_may_repeat_itself_and_says_how_often() -> None:
    corpus = load_corpus("essays", "cl100k")
    case = Case("pizza-ingredients", "essays", 3 * corpus.tokens[-1], 60, repeat=True)
    context = build_context(case)
    audit_context(case, context)
    assert context.repeats == 2
    once = build_context(replace(case, context_length=3000))
    assert once.repeats == 0
    assert context.text.startswith(once.text[:1500])
    assert build_context(replace(once_over(case), repeat=False)).text == build_context(once_over(case)).text


def once_over(case: Case) -> Case:
    return replace(case, context_length=3000)
