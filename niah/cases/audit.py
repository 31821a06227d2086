"""The promises of a case, checked from the outside by tokenising its context again."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from niah.cases.assembly.background import Background, background_of, background_source
from niah.cases.assembly.joints import LINE_END, before_insert, before_piece, trailing_break
from niah.cases.case import Case
from niah.cases.context import Context
from niah.cases.prompts import load_prompt
from niah.errors import Defect
from niah.haystacks.corpus import Corpus
from niah.haystacks.documents import Document
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mention_starts
from niah.text.sentences import sentence_spans
from niah.text.tokenizer import Tokenizer, count, get_tokenizer, token_at
from niah.text.tokenizers.token_places import token_places

_NEAR = 400
"""Characters next to a joint that are counted together with what is put in there."""

_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class AnswerLeak:
    """A sentence that mentions an element of a needle set."""

    needle_set: str
    document: str
    sentence: str


def answer_leaks(documents: Sequence[Document], needle_sets: Sequence[NeedleSet]) -> Iterator[AnswerLeak]:
    """Every sentence of the documents that mentions an element or alias, once for each needle set."""
    for document in documents:
        for text in document.paragraphs:
            folded = text.casefold()
            for needle_set in needle_sets:
                names = [name for element in needle_set.stated for name in element.names]
                found = mention_starts(text, folded, names)
                for start, end in sentence_spans(text, 0, len(text)) if found else ():
                    if any(start <= at < end for at in found):
                        yield AnswerLeak(needle_set.name, document.name, text[start:end])


def audit_context(case: Case, context: Context) -> None:
    """Raise Defect unless counts, spans and positions are exactly what the context records."""
    tokenizer = get_tokenizer(case.tokenizer)
    needle_set = load_needle_set(case.needle_set, case.seed)
    places = token_places(tokenizer, context.text)
    _expect(case, "tokens", context.tokens, places.tokens)
    before, after = load_prompt(case.prompt).frame(needle_set.question)
    total = _total(tokenizer, before, context.text, after, places.tokens)
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
        names = tuple(name for element in needle_set.stated for name in element.names)
        background = background_of(background_source(case, names), case.prompt_length - context.prompt_tokens)
        fault = contiguity_fault(context, background, (before, after), case.prompt_length, tokenizer)
        if fault:
            raise Defect(f"{case.case_id}: {fault}")
    _check_only_needles_answer(case, context, needle_set)


def contiguity_fault(
    context: Context, background: Background, frame: tuple[str, str], length: int, tokenizer: Tokenizer
) -> str | None:
    """Which promise of contiguous mode a context breaks; None where all hold.

    Its haystack text is one passage from where the background begins. The prompt has at most ``length``
    tokens, and more with the next sentence. Every needle is at or before its place, and behind it with the
    next sentence before it.

    Args:
        context: counted.
        background: the haystack, begun where the context's seed says.
        frame: the prompt before and behind the context.
        length: L.
        tokenizer: whose tokens count.
    """
    text, corpus, (before, after) = context.text, background.corpus, frame
    units = context.passages or context.needles
    inserts = sorted((*units, *context.distractors), key=lambda item: item.start)
    edges = [0, *(edge for item in inserts for edge in (item.start, item.end)), len(text)]
    parts = ["".join(text[start:end].split()) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    letters, pieces, sizes = list(accumulate(map(len, parts))), list[int](), [0]
    while sizes[-1] <= letters[-1] and len(sizes) <= corpus.size:
        sizes.append(sizes[-1] + len(_SPACES.sub("", corpus.slice(len(sizes) - 1, len(sizes)))))
    pieces = [bisect_left(sizes, each) for each in letters]
    if _SPACES.sub("", corpus.slice(0, pieces[-1])) != "".join(parts):
        return "the haystack's text is not one unbroken passage"
    total = context.tokens + context.prompt_tokens
    if total > length:
        return f"{total} tokens, over the context length"
    behind = [False, *(earlier == later for earlier, later in pairwise(pieces))]
    following = [
        _sentence(corpus, piece, behind_insert=is_behind)
        for piece, is_behind in zip(pieces, behind, strict=True)
    ]
    if following[-1]:
        near = _words_before(text, len(text), tokenizer)
        more = count(tokenizer, near + following[-1] + after) - count(tokenizer, near + after)
        if not tokenizer.cuts_at_spaces:
            more = count(tokenizer, before + text + following[-1] + after) - total
        if total + more <= length:
            return f"{total} tokens, and the next sentence would have fitted: {following[-1].strip()[:60]!r}"
    for item, piece, sentence in zip(inserts, pieces, following, strict=False):
        if item not in units:
            continue
        if item.token_start > item.asked_token:
            return f"{item.id} stands {item.token_start - item.asked_token} tokens late"
        early = item.asked_token - item.token_start
        if sentence:
            due = trailing_break(corpus.text, corpus.offsets[piece + 1])
            sentence += before_insert(corpus, due)
            if _moved_by(sentence, text, item.start, tokenizer) <= early:
                return f"{item.id} stands {early} tokens early, over a sentence"
    return None


def _moved_by(sentence: str, text: str, start: int, tokenizer: Tokenizer) -> int:
    """How many tokens later what begins at ``start`` would begin with one more sentence before it."""
    near = _words_before(text, start, tokenizer)
    longer = near.rstrip() + sentence if near else sentence.lstrip(" ")
    behind = text[start : start + _NEAR]
    now, then = (
        token_at(tokenizer.starts(each + behind).tolist(), each + behind, len(each))
        for each in (near, longer)
    )
    return then - now


def _words_before(text: str, end: int, tokenizer: Tokenizer) -> str:
    """The last words before ``end`` that may have a part in what a sentence there costs."""
    return text[
        text.rfind(" ", 0, max(0, end - 20)) + 1 if tokenizer.cuts_at_spaces else max(0, end - _NEAR) : end
    ]


def _sentence(corpus: Corpus, piece: int, *, behind_insert: bool) -> str:
    """The piece with what comes before it behind an insert or its predecessor; "" behind the last."""
    if piece >= corpus.size:
        return ""
    text, due = (
        corpus.slice(piece, piece + 1).rstrip(LINE_END),
        trailing_break(corpus.text, corpus.offsets[piece]),
    )
    if not behind_insert:
        return due + text
    joint, left_out = before_piece(corpus, piece, due)
    return joint + text[left_out:]


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
