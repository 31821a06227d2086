"""What the text of a finished context says: its counts, and whether contiguous mode's promises hold.

Where every joint of a context is one that its tokenizer is known to cut at, what was reckoned is true.
Everywhere else the whole prompt is tokenised once more before anybody sees the case.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from niah.cases.assembly.background import Background
from niah.cases.assembly.joins import LINE_END, leading_space, trailing_break
from niah.cases.context import Context, Placed
from niah.text.tokenizer import Tokenizer, count, token_at

_SPACES = re.compile(r"\s+")
_NEAR = 400
"""Characters before a place that are counted together with a sentence that might stand there."""


def recount(context: Context, tokenizer: Tokenizer, before: str, after: str) -> Context:
    """The context with its tokens, P and all positions as they are found.

    Args:
        context: as it was laid out.
        tokenizer: whose tokens count.
        before, after: the prompt around it.
    """
    starts: list[int] = tokenizer.starts(context.text).tolist()

    def found(items: Sequence[Placed]) -> tuple[Placed, ...]:
        return tuple(item._replace(token_start=token_at(starts, context.text, item.start)) for item in items)

    return replace(
        context,
        needles=found(context.needles),
        passages=found(context.passages),
        distractors=tuple(item._replace(asked_token=item.token_start) for item in found(context.distractors)),
        tokens=len(starts),
        prompt_tokens=count(tokenizer, before + context.text + after) - len(starts),
    )


def contiguity_fault(
    context: Context,
    background: Background,
    frame: tuple[str, str],
    length: int,
    tokenizer: Tokenizer,
) -> str | None:
    """Which promise of contiguous mode a context breaks; None where all hold.

    The haystack's text in it is one passage from where the background begins. The prompt has at most
    ``length`` tokens, and more with the next sentence. No needle stands behind its place, unless a distractor
    right before it took that, and with one sentence more before it each would.

    Args:
        context: counted.
        background: the haystack, begun where the context's seed says.
        frame: the prompt before and behind the context.
        length: L.
        tokenizer: whose tokens count.
    """
    before, after = frame
    total = context.tokens + context.prompt_tokens
    if total > length:
        return f"{total} tokens, over the context length"
    units = context.passages or context.needles
    inserts = sorted((*units, *context.distractors), key=lambda item: item.start)
    marks = _letters_before(context.text, inserts)
    sizes = _piece_letters(background, marks[-1])
    pieces = [bisect_left(sizes, mark) for mark in marks]
    if _letters(background.corpus.slice(0, pieces[-1])) != _letters(_without(context.text, inserts)):
        return "the haystack's text is not one unbroken passage"
    following = [_sentence(background, piece) for piece in pieces]
    if following[-1] and count(tokenizer, f"{before}{context.text}{following[-1]}{after}") <= length:
        return f"{total} tokens, and the next sentence would have fitted: {following[-1].strip()[:60]!r}"
    placed = {item.start for item in units}
    for number, item in enumerate(inserts):
        if item.start not in placed:
            continue
        near = context.text[max(0, item.start - _NEAR) : item.start].rstrip()
        sentence = count(tokenizer, near + following[number]) - count(tokenizer, near)
        if following[number] and item.token_start + sentence <= item.asked_token:
            return f"{item.id} stands {item.asked_token - item.token_start} tokens early, over a sentence"
        after_distractor = number > 0 and inserts[number - 1].start not in placed
        crowded = after_distractor and pieces[number - 1] == pieces[number]
        if item.token_start > item.asked_token and not crowded:
            return f"{item.id} stands {item.token_start - item.asked_token} tokens late"
    return None


def _letters(text: str) -> str:
    return _SPACES.sub("", text)


def _without(text: str, inserts: Sequence[Placed]) -> str:
    parts, at = [], 0
    for item in inserts:
        parts.append(text[at : item.start])
        at = item.end
    return "".join([*parts, text[at:]])


def _letters_before(text: str, inserts: Sequence[Placed]) -> list[int]:
    """Letters of the haystack, white space left out, before each insert and in all."""
    ends = [0, *(item.end for item in inserts)]
    starts = [*(item.start for item in inserts), len(text)]
    parts = (len(_letters(text[end:start])) for end, start in zip(ends, starts, strict=True))
    return list(accumulate(parts))


def _piece_letters(background: Background, letters: int) -> list[int]:
    """Letters before each of the background's pieces, as far as ``letters``, and one further."""
    found = [0]
    for piece in range(background.corpus.size):
        if found[-1] > letters:
            break
        found.append(found[-1] + len(_letters(background.corpus.slice(piece, piece + 1))))
    return found


def _sentence(background: Background, piece: int) -> str:
    """The piece with a space or line end before it; "" behind the last."""
    corpus = background.corpus
    if piece >= corpus.size:
        return ""
    text = corpus.slice(piece, piece + 1)
    if leading_space(corpus, piece):
        return text.rstrip(LINE_END)
    joint = trailing_break(corpus.text, corpus.offsets[piece]) if corpus.is_start[piece] else ""
    return joint + text.rstrip(LINE_END)
