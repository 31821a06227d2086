"""The promises of a case, checked from the outside by tokenising its context again."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from niah.cases.assembly.background import Background, background_of, background_source
from niah.cases.case import Case, Context
from niah.cases.prompts import load_prompt
from niah.errors import Defect
from niah.haystacks.documents import Document
from niah.haystacks.structure import pieces_of
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import NameIndex, mention_starts
from niah.text.tokenizer import Tokenizer, TokenPlaces, count, get_tokenizer

_JOINTS = 3  # tokens that a sentence may cost more where it goes in than alone
_SPACES = re.compile(r"\s+")


def answer_leaks(
    documents: Sequence[Document], needle_sets: Sequence[NeedleSet]
) -> Iterator[tuple[str, str, str]]:
    """Needle set, document and piece of it, for every one that mentions an element or alias of the set's."""
    sets = [(each.name, NameIndex(name for one in each.stated for name in one.names)) for each in needle_sets]
    for document in documents:
        for text in document.paragraphs:
            folded = text.casefold()
            for name, index in sets:
                if any(index.mentions(text, folded)):
                    pieces = (piece for _, piece, _ in pieces_of([text], document.structure))
                    own = [piece for piece in pieces if any(index.mentions(piece, piece.casefold()))]
                    yield from ((name, document.name, piece) for piece in own or [text])


def audit_context(case: Case, context: Context) -> None:
    """Raise Defect unless counts, spans and positions are exactly what the context records."""
    tokenizer, needle_set = get_tokenizer(case.tokenizer), load_needle_set(case.needle_set, case.seed)
    places = TokenPlaces(tokenizer, context.text)
    _expect(case, "tokens", context.tokens, places.tokens)
    before, after = load_prompt(case.prompt).frame(needle_set.question)
    total = TokenPlaces(tokenizer, before + context.text + after).tokens
    _expect(case, "tokens + prompt_tokens", context.tokens + context.prompt_tokens, total)
    if context.mode == "exact":
        _expect(case, "context_length", case.context_length, total + case.reserve)
    for item in (*context.needles, *context.passages, *context.distractors):
        _expect(case, f"{item.id} at [start, end)", item.text, context.text[item.start : item.end])
        _expect(case, f"{item.id} token_start", item.token_start, places.token_at(item.start))
    if context.mode == "exact":
        for needle in context.needles:
            _expect(case, f"{needle.id} asked_token", needle.asked_token, needle.token_start)
    else:
        haystack_tokens = case.prompt_length - context.prompt_tokens
        background = background_of(background_source(case, needle_set), haystack_tokens)
        if fault := contiguity_fault(context, background, case.prompt_length, tokenizer):
            raise Defect(f"{case.case_id}: {fault}")
    # No haystack sentence and no distractor may mention them: needles alone do.
    needles = sorted((needle.start, needle.end) for needle in context.needles)
    for at in mention_starts(context.text, needle_set.answering):
        place = bisect_right(needles, (at, len(context.text)))
        if not place or at >= needles[place - 1][1]:
            around = context.text[max(0, at - 20) : at + 40]
            raise Defect(f"{case.case_id}: an answer is mentioned outside the needles: {around!r}")


def contiguity_fault(
    context: Context, background: Background, length: int, tokenizer: Tokenizer
) -> str | None:
    """Which promise of contiguous mode a context breaks; None where all hold.

    Its haystack is one passage; needles and the prompt's end are at most a sentence early, and never late.
    """
    text, corpus = context.text, background.corpus
    units = context.passages or context.needles
    inserts = sorted((*units, *context.distractors), key=lambda item: item.start)
    edges = [0, *(edge for item in inserts for edge in (item.start, item.end)), len(text)]
    parts = [_SPACES.sub("", text[start:end]) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    letters, sizes = list(accumulate(map(len, parts))), [0]
    while sizes[-1] <= letters[-1] and len(sizes) <= corpus.size:
        sizes.append(sizes[-1] + len(_SPACES.sub("", corpus.slice(len(sizes) - 1, len(sizes)))))
    pieces = [bisect_left(sizes, each) for each in letters]
    if _SPACES.sub("", corpus.slice(0, pieces[-1])) != "".join(parts):
        return "the haystack's text is not one unbroken passage"
    placed = [(item, piece) for item, piece in zip(inserts, pieces, strict=False) if item in units]
    early = [(item.id, piece, item.asked_token - item.token_start) for item, piece in placed]
    early.append(("the end", pieces[-1], length - context.tokens - context.prompt_tokens))
    for what, piece, tokens in early:
        if tokens < 0:
            return f"{what} is {-tokens} tokens late"
        following = corpus.slice(piece, piece + 1) if piece < corpus.size else ""
        if following and tokens > count(tokenizer, following.strip()) + _JOINTS:
            return f"{what} is {tokens} tokens early, over a sentence"
    return None


def _expect(case: Case, what: str, recorded: object, found: object) -> None:
    if recorded != found:
        raise Defect(f"{case.case_id}: {what}: recorded {recorded!r}, found {found!r}")
