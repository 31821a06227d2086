"""What stands between two texts of a context: a space, the end of a line or of a paragraph, or nothing.

A paragraph's end is held back where something is put in behind it: the insert ends that paragraph, and the
blank line comes before the next. A line's end is not: what goes in between two lines is a line of its own,
and so is what goes in behind a paragraph where lines are kept.
"""

from __future__ import annotations

from niah.haystacks.corpus import Corpus

LINE_END = "\n"


def trailing_break(text: str, end: int) -> str:
    """The line ends right before ``text[end]``."""
    if not text.endswith(LINE_END, 0, end):
        return ""
    start = end
    while start and text[start - 1] == LINE_END:
        start -= 1
    return text[start:end]


def before_insert(corpus: Corpus, held: str) -> str:
    """What stands before an insert, behind text that ended with the break ``held``; "" inside a paragraph."""
    return LINE_END if held and (held == LINE_END or corpus.keeps_lines) else " "


def before_piece(corpus: Corpus, piece: int, held: str) -> tuple[str, int]:
    """What stands before a piece where the text goes on there, and how many of its characters are left out.

    Args:
        piece: one that does not follow the text so far in the haystack.
        held: the break that is still due, as the text so far left it.
    """
    if corpus.is_start[piece]:
        own = trailing_break(corpus.text, corpus.offsets[piece + 1])
        return held or (LINE_END if own == LINE_END or corpus.keeps_lines else " "), 0
    if held == LINE_END:
        return LINE_END, leading_space(corpus, piece)
    return "" if corpus.text.startswith(" ", corpus.offsets[piece]) else " ", 0


def leading_space(corpus: Corpus, piece: int) -> int:
    """1 where the piece begins with the space that parts it from the sentence before, otherwise 0."""
    return int(not corpus.is_start[piece] and corpus.text.startswith(" ", corpus.offsets[piece]))


def held_after(corpus: Corpus, first: int, own: str, held: str) -> str:
    """The break that is due after pieces from ``first`` on that end with the break ``own``, or none.

    ``held`` was due before them.
    """
    if own:
        return own
    return "" if corpus.is_start[first] or held == LINE_END else held
