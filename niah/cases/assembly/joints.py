"""What is between two texts of a context, and what that joint costs, by tokenising the words on both sides.

A paragraph's end is held back where something is put in behind it: the insert ends that paragraph, and the
blank line comes before the next. A line's end is not: what goes in between two lines is a line of its own,
and so is what goes in behind a paragraph where lines are kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from niah.haystacks.corpus import Corpus
from niah.text.costs import AFTER, BEFORE
from niah.text.tokenizer import Tokenizer, count, token_at

LINE_END = "\n"

Side: TypeAlias = int | str
"""An insert's text, or a piece of the haystack: the one that follows the joint, or would in the haystack."""

_NEAR, _FURTHER = 200, 100
"""Characters of a text without borders next to a joint that are counted anew, and that are read with them."""


def trailing_break(text: str, end: int) -> str:
    """The line ends right before ``text[end]``."""
    start = end
    while start and text[start - 1] == LINE_END:
        start -= 1
    return text[start:end]


def before_insert(corpus: Corpus, held: str) -> str:
    """What comes before an insert, behind text that ended with the break ``held``; "" inside a paragraph."""
    return LINE_END if held and (held == LINE_END or corpus.keeps_lines) else " "


def before_piece(corpus: Corpus, piece: int, held: str) -> tuple[str, int]:
    """What comes before a piece behind other text, and how many of the piece's characters are left out.

    ``held`` is the break that is due.
    """
    if corpus.is_start[piece]:
        own = trailing_break(corpus.text, corpus.offsets[piece + 1])
        return held or (LINE_END if own == LINE_END or corpus.keeps_lines else " "), 0
    spaced = corpus.text.startswith(" ", corpus.offsets[piece])
    if held == LINE_END:
        return LINE_END, int(spaced)
    return "" if spaced else " ", 0


def held_behind(corpus: Corpus, first: int, last: int, held: str) -> str:
    """The break that is due behind the pieces first to last - 1, where ``held`` was due before them."""
    own = trailing_break(corpus.text, corpus.offsets[last])
    if own or not held:
        return own
    return "" if corpus.is_start[first] or held == LINE_END else held


class Seam(NamedTuple):
    """What a joint costs more than its two sides where they were counted.

    Attributes:
        before: tokens more before the one that the right side begins with.
        behind: tokens more from there on.
        is_border: whether a token begins at the joint.
        is_proven: whether these numbers hold whatever is further from the joint.
        parts: whether its right side counts the same there and where it was counted, whatever is before it.
    """

    before: int
    behind: int
    is_border: bool
    is_proven: bool
    parts: bool = False


class _Window(NamedTuple):
    """The text on one side of a joint.

    Attributes:
        near: from the next border between two words or lines, if there is one, to the joint.
        further: what is read with it, on its far side.
        tokens: that begin in ``near`` where it was counted.
        is_proven: whether there is such a border.
    """

    near: str
    further: str
    tokens: int
    is_proven: bool


class Seams:
    """The joints with pieces of one haystack, measured.

    Args:
        tokenizer: whose tokens count.
        corpus: the haystack.
    """

    def __init__(self, tokenizer: Tokenizer, corpus: Corpus) -> None:
        self._tokenizer, self._corpus = tokenizer, corpus
        known = count(tokenizer, BEFORE) > 0
        self._cuts = {" ": tokenizer.cuts_at_spaces and known, LINE_END: tokenizer.cuts_at_lines and known}
        self._left = lru_cache(maxsize=65_536)(self._left_window)
        self._right = lru_cache(maxsize=65_536)(self._right_window)
        self.between = lru_cache(maxsize=65_536)(self._between)
        self.opening = lru_cache(maxsize=1024)(self._opening)
        self.closing = lru_cache(maxsize=65_536)(self._closing)

    def _between(self, left: Side, joint: str, right: Side, left_out: int = 0) -> Seam:
        """The joint between two texts; a paragraph's end that ``left`` has is not in the text any more.

        ``left_out`` characters of a piece are left out.
        """
        before, after = self._left(left), self._right(right)
        near = before.near.rstrip(LINE_END) if isinstance(left, int) else before.near
        following = after.near[left_out:]
        border = len(joint + following) - len((joint + following).lstrip())
        fore, behind, is_border = _measure(
            self._tokenizer, before.further, near, joint + following, border, after.further
        )
        parts = self._cuts_at(near + joint + following, len(near))
        if isinstance(right, int):
            text, at = self._corpus.text, self._corpus.offsets[right]
            parts = parts and bool(at) and self._cuts_at(text[at - 2 : at + 2], min(at, 2))
        proven = before.is_proven and after.is_proven
        return Seam(fore - before.tokens, behind - after.tokens, is_border, proven, parts)

    def _cuts_at(self, text: str, at: int) -> bool:
        """Whether a token is known to begin with the space, or behind the line end, at ``text[at]``."""
        if text[at : at + 1] == " ":
            return self._cuts[" "] and not (text[at - 1].isspace() or text[at + 1 : at + 2].isspace())
        line = at if text[at : at + 1] == LINE_END else at - 1
        if line < 1 or text[line] != LINE_END:
            return False
        return self._cuts[LINE_END] and not text[line - 1].isspace() and text[line + 1 : line + 2].isalnum()

    def _opening(self, piece: int) -> Seam:
        """The context's beginning with a piece."""
        after = self._right(piece)
        near = after.near.removeprefix(" ") if not self._corpus.is_start[piece] else after.near
        tokens = _within(self._tokenizer, "", near, after.further)
        return Seam(0, tokens - after.tokens, True, after.is_proven)

    def _closing(self, left: Side) -> Seam:
        """The context's end with an insert, or with the piece before ``left``."""
        before = self._left(left)
        near = before.near.rstrip(LINE_END) if isinstance(left, int) else before.near
        tokens = _within(self._tokenizer, before.further, near, "")
        return Seam(tokens - before.tokens, 0, True, before.is_proven)

    def holds(self, first: int, last: int) -> bool:
        """Whether a run is so long that the joints on its two sides do not meet."""
        offsets = self._corpus.offsets
        return len(self._right(first).near) + len(self._left(last).near) <= offsets[last] - offsets[first]

    def _left_window(self, left: Side) -> _Window:
        if isinstance(left, str):
            text, at, after = f"{BEFORE} {left}", len(BEFORE) + 1 + len(left), AFTER
        else:
            text, at = self._corpus.text, self._corpus.offsets[left]
            after = self._right_text(at) if at < len(text) else self._right_text(0)
        near, further, proven = self._before_joint(text, at or len(text))
        return _Window(near, further, _within(self._tokenizer, further, near, after), proven)

    def _right_window(self, right: Side) -> _Window:
        if isinstance(right, str):
            near, further, proven = self._behind_joint(f" {right}{AFTER}", 0)
            tokens = _within(self._tokenizer, BEFORE, near, further)
            return _Window(near[1:], further, tokens, proven)
        text, at = self._corpus.text, self._corpus.offsets[right]
        near, further, proven = self._behind_joint(text, at)
        earlier, before, _ = self._before_joint(text, at or len(text))
        return _Window(near, further, _within(self._tokenizer, before + earlier, near, further), proven)

    def _right_text(self, at: int) -> str:
        near, further, _ = self._behind_joint(self._corpus.text, at)
        return near + further

    def _before_joint(self, text: str, end: int) -> tuple[str, str, bool]:
        """The last words or line before ``end``, what is read with them, and if a border is between."""
        for at in range(end - 2, max(0, end - _NEAR), -1):
            if text[at] in self._cuts and self._cuts_at(text, at):
                is_line = text[at] == LINE_END
                return text[at + is_line : end], BEFORE + LINE_END * is_line, True
        start = max(0, end - _NEAR)
        return text[start:end], text[max(0, start - _FURTHER) : start], False

    def _behind_joint(self, text: str, start: int) -> tuple[str, str, bool]:
        """The first words or line from ``start`` on, what is read with them, and if a border is between."""
        for at in range(start + 1, min(start + _NEAR, len(text) - 1)):
            if text[at] in self._cuts and self._cuts_at(text, at):
                is_line = text[at] == LINE_END
                return text[start : at + is_line], AFTER.lstrip() if is_line else AFTER, True
        end = start + _NEAR
        return text[start:end], text[end : end + _FURTHER], False


@lru_cache(maxsize=65_536)
def _starts(tokenizer: Tokenizer, text: str) -> list[int]:
    """Where tokens start: contexts of one haystack share most of their joints."""
    starts: list[int] = tokenizer.starts(text).tolist()
    return starts


def _within(tokenizer: Tokenizer, before: str, near: str, after: str) -> int:
    """Tokens that begin in ``near``."""
    starts = _starts(tokenizer, before + near + after)
    end = len(before) + len(near)
    return bisect_left(starts, end) - bisect_left(starts, len(before))


@lru_cache(maxsize=65_536)
def _measure(
    tokenizer: Tokenizer, further: str, near: str, right: str, border: int, behind: str
) -> tuple[int, int, bool]:
    """Tokens of ``near``, those of ``right`` from its character ``border`` on, and if one begins there.

    One that reaches over the border counts as the right side's.
    """
    text = further + near + right + behind
    starts, first = _starts(tokenizer, text), len(further)
    joint = first + len(near)
    place = token_at(starts, text, joint + border)
    begun, whole = bisect_left(starts, first), bisect_left(starts, joint + len(right))
    is_border = bisect_right(starts, joint + border) > bisect_left(starts, joint)
    return place - begun, whole - place, is_border
