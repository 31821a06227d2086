"""The promises of a case, checked from the outside by tokenising its context again."""

from __future__ import annotations

from bisect import bisect_right

from niah.cases.assembly.backgrounds.source import background_of, background_source
from niah.cases.assembly.finished_text import contiguity_fault
from niah.cases.case import Case
from niah.cases.context import Context
from niah.cases.prompts import load_prompt
from niah.errors import Defect
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mention_starts
from niah.text.tokenizer import Tokenizer, count, get_tokenizer
from niah.text.tokenizers.token_places import token_places

_NEAR = 400
"""Characters at either end of a context that are counted together with the prompt."""


def audit_context(case: Case, context: Context) -> None:
    """Raise Defect unless counts, spans and positions are exactly what the context records."""
    tokenizer = get_tokenizer(case.tokenizer)
    needle_set = load_needle_set(case.needle_set, case.seed)
    places = token_places(tokenizer, context.text)
    _expect(case, "tokens", context.tokens, places.tokens)
    before, after = load_prompt(case.prompt).frame(needle_set.question)
    total = _total(tokenizer, before, context.text, after, places.tokens)
    _expect(case, "tokens + prompt_tokens", context.tokens + context.prompt_tokens, total)
    if case.mode == "exact":
        _expect(case, "context_length", case.context_length, total + case.reserve)
    for item in (*context.needles, *context.passages, *context.distractors):
        _expect(case, f"{item.id} at [start, end)", item.text, context.text[item.start : item.end])
        _expect(case, f"{item.id} token_start", item.token_start, places.token_at(item.start))
    if case.mode == "exact":
        for needle in context.needles:
            _expect(case, f"{needle.id} asked_token", needle.asked_token, needle.token_start)
    else:
        names = tuple(name for element in needle_set.stated for name in element.names)
        background = background_of(background_source(case, names), case.prompt_length - context.prompt_tokens)
        fault = contiguity_fault(context, background, (before, after), case.prompt_length, tokenizer)
        if fault:
            raise Defect(f"{case.case_id}: {fault}")
    _check_only_needles_answer(case, context, needle_set)


def _total(tokenizer: Tokenizer, before: str, text: str, after: str, tokens: int) -> int:
    """Tokens of the whole prompt, whose context alone has ``tokens``.

    Where a tokenizer always cuts before a space, what the joints cost shows in the words next to them.
    """
    if not tokenizer.additive:
        return count(tokenizer, before + text + after)
    head, tail = text[: _after_a_word(text, _NEAR)], text[text.rfind(" ", 0, max(0, len(text) - _NEAR)) + 1 :]
    opening = count(tokenizer, before + head) - count(tokenizer, head)
    return opening + tokens + count(tokenizer, tail + after) - count(tokenizer, tail)


def _after_a_word(text: str, at: int) -> int:
    """The first place from ``at`` on where a word ends, or the text."""
    space = text.find(" ", at)
    return space if space >= 0 else len(text)


def _check_only_needles_answer(case: Case, context: Context, needle_set: NeedleSet) -> None:
    """No haystack sentence and no distractor may mention an element: needles alone do."""
    names = [name for element in needle_set.stated for name in element.names]
    needles = sorted((needle.start, needle.end) for needle in context.needles)
    for start in mention_starts(context.text, context.text.casefold(), names):
        before = bisect_right(needles, (start, len(context.text)))
        if not before or start >= needles[before - 1][1]:
            around = context.text[max(0, start - 20) : start + 40]
            raise Defect(f"{case.case_id}: an element is mentioned outside the needles: {around!r}")


def _expect(case: Case, what: str, recorded: object, found: object) -> None:
    if recorded != found:
        raise Defect(f"{case.case_id}: {what}: recorded {recorded!r}, found {found!r}")
