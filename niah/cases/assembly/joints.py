"""What is between two texts of a context, and what that joint costs, by tokenising the words on both sides.

A paragraph's end is held back where something is put in behind it: the insert ends that paragraph, and the
blank line comes before the next. A line's end is not: what goes in between two lines is a line of its own,
and so is what goes in behind a paragraph where lines are kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache, partial
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from niah.haystacks.corpus import Corpus
from niah.text.tokenizer import AFTER, BEFORE, Tokenizer, count, token_at

LINE_END = "\n"

Side: TypeAlias = int | str
"""An insert's text, or a piece of the haystack: the one that follows the joint, or would in the haystack."""

_NEAR = 200  # characters next to a joint that are counted anew in a text without borders


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
    """What comes before a piece where ``held`` is due, and how many characters of it are left out."""
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
    """What a joint costs more than its two sides where they were counted."""

    before: int  # tokens more up to the one that the right side begins with
    behind: int  # and from it on
    is_border: bool  # a token begins at the joint
    is_proven: bool  # the counts hold whatever is further from the joint
    parts: bool  # the right side counts the same wherever it is, whatever is before it


class _Window(NamedTuple):
    """The text between a joint and the next border of words or lines."""

    near: str = ""
    further: str = ""  # what is read with it, on its far side
    tokens: int = 0  # that begin in ``near`` where it was counted
    is_proven: bool = True  # if there is such a border


class Seams:
    """The joints with pieces of one haystack, measured."""

    def __init__(self, tokenizer: Tokenizer, corpus: Corpus) -> None:
        self._corpus, self._starts = corpus, partial(_starts, tokenizer)
        known = count(tokenizer, BEFORE) > 0
        self._cuts = {" ": known and tokenizer.cuts_at_spaces, LINE_END: known and tokenizer.additive}
        self._windows = lru_cache(maxsize=4096)(self._measured_windows)
        self._around = lru_cache(maxsize=65_536)(self._windows_around)
        self.between = lru_cache(maxsize=65_536)(self._between)

    def _between(self, left: Side | None, joint: str, right: Side | None, left_out: int = 0) -> Seam:
        """The joint between two texts, or with the context's edge (None); of ``right`` some are left out."""
        if left and right and not left_out and self._meet_at_a_space(left, joint, right):
            return Seam(0, 0, is_border=True, is_proven=True, parts=True)
        before, after = self._left(left), self._right(right)  # a paragraph's end of ``left`` is held back
        following = joint + after.near[left_out:]
        near = before.near.rstrip(LINE_END) if isinstance(left, int) else before.near
        head = before.further + near
        text = head + following + after.further
        cut = left is not None and right is not None and self._cuts_at(text, len(head))
        starts, border = self._starts(text), len(head + following) - len(following.lstrip())
        place = len(starts) if right is None else token_at(starts, text, border)
        end = bisect_left(starts, len(head + following))
        is_border = bisect_right(starts, border) > bisect_left(starts, len(head))
        return Seam(
            place - bisect_left(starts, len(before.further)) - before.tokens,
            end - place - after.tokens,
            is_border,
            before.is_proven and after.is_proven,
            cut and right is not None and (isinstance(right, str) or self._is_cut(right)),
        )

    def _meet_at_a_space(self, left: Side, joint: str, right: Side) -> bool:
        """Whether two texts meet at a space where a token begins, as each did where it was counted."""

        def is_spaced(piece: int) -> bool:
            return self._corpus.text.startswith(" ", self._corpus.offsets[piece]) and self._is_cut(piece)

        if isinstance(left, int) and not is_spaced(left):
            return False
        if isinstance(right, int):
            return not joint and is_spaced(right)
        return joint == " " and self._cuts[" "]  # inserts have no spaces at their ends

    def _is_cut(self, piece: int) -> bool:
        """Whether a token is known to begin with the piece in the haystack."""
        text, at = self._corpus.text, self._corpus.offsets[piece]
        return bool(at) and self._cuts_at(text[at - 2 : at + 2], min(at, 2))

    def is_countable(self, first: int, last: int) -> bool:
        """Whether what a run costs can be proven, as far as the run shows; or nothing can."""
        if self._is_cut(first) or self.are_apart(first, last):
            return True
        return not (self._right(first).is_proven and self._left(last).is_proven)

    def are_apart(self, first: int, last: int) -> bool:
        """Whether a run is so long that the joints on its two sides do not meet."""
        letters = self._corpus.offsets[last] - self._corpus.offsets[first]
        return len(self._right(first).near) + len(self._left(last).near) <= letters

    def _left(self, side: Side | None) -> _Window:
        if isinstance(side, str):
            return self._windows(f"{BEFORE} {side}"[-_NEAR:], AFTER)[0]
        return _Window() if side is None else self._around(side)[0]

    def _right(self, side: Side | None) -> _Window:
        if isinstance(side, str):
            window = self._windows(BEFORE, f" {side}{AFTER}"[:_NEAR])[1]
            return window._replace(near=window.near[1:])
        return _Window() if side is None else self._around(side)[1]

    def _windows_around(self, piece: int) -> tuple[_Window, _Window]:
        """The words before and behind a piece's beginning; the haystack's end is before its first piece."""
        text, at = self._corpus.text, self._corpus.offsets[piece]
        left, right = text[max(0, at - _NEAR) : at], text[at : at + _NEAR]
        return self._windows(left or text[-_NEAR:], right or text[:_NEAR])

    def _measured_windows(self, left: str, right: str) -> tuple[_Window, _Window]:
        """The windows on both sides of the joint of two texts, counted in these."""
        places = (at for at in range(len(left) - 2, 0, -1) if left[at] in self._cuts)
        first = next((at for at in places if self._cuts_at(left, at)), None)
        places = (at for at in range(1, len(right) - 1) if right[at] in self._cuts)
        last = next((at for at in places if self._cuts_at(right, at)), None)
        before, behind = BEFORE, AFTER
        if first is not None and left[first] == LINE_END:
            before, first = BEFORE + LINE_END, first + 1
        if last is not None and right[last] == LINE_END:
            behind, last = AFTER.lstrip(), last + 1
        near, following = left[first or 0 :], right[:last]
        starts = self._starts(before + near + following + behind)
        edges = accumulate(map(len, (before, near, following)))
        begun, joint, end = (bisect_left(starts, at) for at in edges)
        return (
            _Window(near, before, joint - begun, first is not None),
            _Window(following, behind, end - joint, last is not None),
        )

    def _cuts_at(self, text: str, at: int) -> bool:
        """Whether a token is known to begin with the space, or behind the line end, at ``text[at]``."""
        if text[at : at + 1] == " ":
            return self._cuts[" "] and not (text[at - 1].isspace() or text[at + 1 : at + 2].isspace())
        line = at if text[at : at + 1] == LINE_END else at - 1
        if line < 1 or text[line] != LINE_END:
            return False
        return self._cuts[LINE_END] and not text[line - 1].isspace() and text[line + 1 : line + 2].isalnum()


@lru_cache(maxsize=65_536)
def _starts(tokenizer: Tokenizer, text: str) -> list[int]:
    """Where tokens start: contexts of one haystack share most of their joints."""
    starts: list[int] = tokenizer.starts(text).tolist()
    return starts
