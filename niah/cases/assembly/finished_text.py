"""What the text of a finished context says: its counts, and whether contiguous mode's promises hold.

Where every joint of a context is one that its tokenizer is known to cut at, what was reckoned is true.
Everywhere else the prompt is tokenised once more before anybody sees the case: the whole of it, unless the
tokenizer always cuts at spaces. Then all but the inside of unbroken haystack text is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from niah.cases.assembly.backgrounds.background import Background
from niah.cases.assembly.backgrounds.runs import Stretch
from niah.cases.assembly.joints.joins import LINE_END, before_insert, before_piece, trailing_break
from niah.cases.assembly.layout.laid_text import ContextSegment
from niah.cases.context import Context, Placed
from niah.cases.prompts import tokens_before, tokens_behind
from niah.haystacks.corpus import Corpus, begins_line
from niah.text.costs import AFTER, BEFORE
from niah.text.tokenizer import Tokenizer, count, token_at

_SPACES = re.compile(r"\s+")
_BESIDE = 100
"""Characters on each side of a part that are tokenised with it, so that it does not begin or end the text."""

_NEAR = 400
"""Characters before a place that are counted together with a sentence that might stand there."""

_SOME_WORDS = 20
"""The same, where tokens never reach over a space; the word that they begin in is counted whole."""


class KnownRun(NamedTuple):
    """Haystack text in a context whose tokens do not depend on what stands around it.

    Attributes:
        start, end: its characters in the context's text.
        tokens: how many it has.
    """

    start: int
    end: int
    tokens: int


def known_runs(
    text: str,
    corpus: Corpus,
    segments: Sequence[ContextSegment],
    run_starts: Sequence[int],
    tokenizer: Tokenizer,
) -> list[KnownRun]:
    """What is known of each run: from the first border between its sentences, or lines, to the last.

    Args:
        text: of the context.
        corpus: the haystack, read by a tokenizer that cuts at spaces.
        segments: of the context.
        run_starts: where their runs begin in its text, as ``render_context`` gives them.
        tokenizer: that one.
    """
    runs = [segment for segment in segments if isinstance(segment, Stretch)]
    of_lines = corpus.keeps_lines and tokenizer.cuts_at_lines
    borders, offsets = corpus.line_starts if of_lines else corpus.inner, corpus.offsets
    tokens, known = corpus.tokens, list[KnownRun]()
    for (first, last), start in zip(runs, run_starts, strict=True):
        shift = start - offsets[first]
        least, most = bisect_right(borders, first), bisect_left(borders, last) - 1
        if of_lines:  # the run's own edges are borders where other lines stand beside it
            least -= begins_line(text, start) and borders[least - 1 : least] == [first]
            most += begins_line(text, offsets[last] + shift) and borders[most + 1 : most + 2] == [last]
        if 0 <= least < most:
            begin, end = borders[least], borders[most]
            known.append(KnownRun(offsets[begin] + shift, offsets[end] + shift, tokens[end] - tokens[begin]))
    return known


def recount(
    context: Context, tokenizer: Tokenizer, before: str, after: str, known: Sequence[KnownRun] = ()
) -> Context:
    """The context with its tokens, P and all positions as they are found.

    Args:
        context: as it was laid out.
        tokenizer: whose tokens count.
        before, after: the prompt around it.
        known: parts of it, in the order of the text, whose tokens need not be found again.
    """
    text, parts, tokens = context.text, list[_Counted](), 0
    edges = [0, *(edge for run in known for edge in (run.start, run.end)), len(text)]
    counts = [*(run.tokens for run in known), 0]
    for start, end, following in zip(edges[::2], edges[1::2], counts, strict=True):
        part = _counted(text, start, end, tokens, tokenizer)
        parts.append(part)
        tokens += part.tokens + following
    begins = [part.start for part in parts]

    def found(items: Sequence[Placed]) -> tuple[Placed, ...]:
        return tuple(
            item._replace(token_start=parts[bisect_right(begins, item.start) - 1].token_at(item.start))
            for item in items
        )

    if known:
        head, tail = text[: edges[1] + _BESIDE], text[max(0, edges[-2] - _BESIDE) :]
        prompt_tokens = tokens_before(before, head, tokenizer) + tokens_behind(tail, after, tokenizer)
    else:
        prompt_tokens = count(tokenizer, before + text + after) - tokens
    return replace(
        context,
        needles=found(context.needles),
        passages=found(context.passages),
        distractors=tuple(item._replace(asked_token=item.token_start) for item in found(context.distractors)),
        tokens=tokens,
        prompt_tokens=prompt_tokens,
    )


@dataclass(frozen=True)
class _Counted:
    """A part of a text, tokenised with a little of what stands around it, or between other text.

    Attributes:
        start: its first character.
        tokens: how many it has.
        around: it and what was read with it.
        from_: the first character of that.
        starts: character offsets in ``around`` at which tokens start.
        shift: what makes the number of a token there its number in the text.
    """

    start: int
    tokens: int
    around: str = field(repr=False)
    from_: int
    starts: Sequence[int] = field(repr=False)
    shift: int

    def token_at(self, offset: int) -> int:
        """How many tokens of the text come before the one that holds the character at ``offset``."""
        return token_at(self.starts, self.around, offset - self.from_) + self.shift


def _counted(text: str, start: int, end: int, tokens: int, tokenizer: Tokenizer) -> _Counted:
    """The part from ``start`` to ``end``, before which the text has ``tokens`` tokens.

    Between known runs its edges are borders, and what it has does not depend on what stands beside it: there
    it is counted between two plain sentences, once for all contexts that have it.
    """
    inside = 0 < start < end < len(text)
    before = _plain_before(text[start]) if inside else text[max(0, start - _BESIDE) : start]
    after = _plain_after(text[end]) if inside else text[end : end + _BESIDE]
    around = before + text[start:end] + after
    starts = _starts(tokenizer, around)
    first, last = bisect_left(starts, len(before)), bisect_left(starts, len(around) - len(after))
    # Of text that a tokenizer drops whole, the first token behind it says that it begins there.
    if before and all(begin >= len(before) for begin in starts[1:2]) and not count(tokenizer, before):
        first, last = 0, count(tokenizer, before + text[start:end])
    return _Counted(start, last - first, around, start - len(before), starts, tokens - first)


def _plain_before(first: str) -> str:
    """What stands before a part that begins so: with a space, or a line."""
    return BEFORE if first == " " else BEFORE + LINE_END


def _plain_after(following: str) -> str:
    return AFTER if following == " " else AFTER.lstrip()


@lru_cache(maxsize=4096)
def _starts(tokenizer: Tokenizer, text: str) -> Sequence[int]:
    """Where tokens start: parts of contexts come again at other depths and lengths."""
    return tuple(tokenizer.starts(text).tolist())


def contiguity_fault(
    context: Context,
    background: Background,
    frame: tuple[str, str],
    length: int,
    tokenizer: Tokenizer,
) -> str | None:
    """Which promise of contiguous mode a context breaks; None where all hold.

    The haystack's text in it is one passage from where the background begins, and all of it but that stands
    where ``placement_fault`` asks. The arguments are those.
    """
    inserts = _inserts_of(context)
    marks = _letters_before(context.text, inserts)
    sizes = _piece_letters(background, marks[-1])
    pieces = [bisect_left(sizes, mark) for mark in marks]
    if _letters(background.corpus.slice(0, pieces[-1])) != _letters(_without(context.text, inserts)):
        return "the haystack's text is not one unbroken passage"
    return placement_fault(context, background.corpus, pieces, frame, length, tokenizer)


def placement_fault(
    context: Context,
    corpus: Corpus,
    pieces: Sequence[int],
    frame: tuple[str, str],
    length: int,
    tokenizer: Tokenizer,
) -> str | None:
    """What in an unbroken context stands elsewhere than contiguous mode promises; None where nothing does.

    The prompt has at most ``length`` tokens, and more with the next sentence. No needle stands behind its
    place, and with one sentence more before it each would.

    Args:
        context: counted.
        corpus: the haystack, begun where the context's seed says.
        pieces: how many of its pieces stand before each insert, in the order of the text, and in all.
        frame: the prompt before and behind the context.
        length: L.
        tokenizer: whose tokens count.
    """
    text, total = context.text, context.tokens + context.prompt_tokens
    if total > length:
        return f"{total} tokens, over the context length"
    inserts = _inserts_of(context)
    behind_insert = [False, *(piece == before for before, piece in pairwise(pieces))]
    following = [
        _sentence(corpus, piece, behind_insert=behind)
        for piece, behind in zip(pieces, behind_insert, strict=True)
    ]
    if following[-1] and _with_sentence(context, following[-1], frame, tokenizer) <= length:
        return f"{total} tokens, and the next sentence would have fitted: {following[-1].strip()[:60]!r}"
    placed = {item.start for item in context.passages or context.needles}
    for number, item in enumerate(inserts):
        if item.start not in placed:
            continue
        if following[number]:
            due = trailing_break(corpus.text, corpus.offsets[pieces[number] + 1])
            later = _moved_by(following[number] + before_insert(corpus, due), text, item, tokenizer)
            if item.token_start + later <= item.asked_token:
                early = item.asked_token - item.token_start
                return f"{item.id} stands {early} tokens early, over a sentence"
        if item.token_start > item.asked_token:
            return f"{item.id} stands {item.token_start - item.asked_token} tokens late"
    return None


def _inserts_of(context: Context) -> list[Placed]:
    """Needles, or the passages that hold them, and distractors, in the order of the text."""
    units = context.passages or context.needles
    return sorted((*units, *context.distractors), key=lambda item: item.start)


def _with_sentence(context: Context, sentence: str, frame: tuple[str, str], tokenizer: Tokenizer) -> int:
    """Tokens of the whole prompt with one more sentence at the context's end."""
    (before, after), text = frame, context.text
    if not tokenizer.cuts_at_spaces:
        return count(tokenizer, f"{before}{text}{sentence}{after}")
    end = text[_words_from(text, len(text), tokenizer) :]
    more = count(tokenizer, end + sentence + after) - count(tokenizer, end + after)
    return context.tokens + context.prompt_tokens + more


def _moved_by(sentence: str, text: str, item: Placed, tokenizer: Tokenizer) -> int:
    """How many tokens later an insert would begin with one more sentence, and its joint, before it."""
    near = text[_words_from(text, item.start, tokenizer) : item.start]
    behind = text[item.start : item.start + _BESIDE]
    longer = near.rstrip() + sentence if near else sentence.lstrip(" ")
    begins, would_begin = (
        token_at(tokenizer.starts(before + behind).tolist(), before + behind, len(before))
        for before in (near, longer)
    )
    return would_begin - begins


def _words_from(text: str, end: int, tokenizer: Tokenizer) -> int:
    """Where the last words before ``end`` begin that may have a part in what a sentence there costs."""
    if tokenizer.cuts_at_spaces:
        return text.rfind(" ", 0, max(0, end - _SOME_WORDS)) + 1
    return max(0, end - _NEAR)


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


def _sentence(corpus: Corpus, piece: int, *, behind_insert: bool) -> str:
    """The piece with what stands before it behind an insert or its predecessor; "" behind the last."""
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
