"""Sentences, in any script.

English prose goes by ``niah.text.english_borders``; a stretch with letters of other scripts, or with marks
that English lacks, by ``niah.text.script_borders``, which asks the English rules before Latin capitals.
"""

from __future__ import annotations

from niah.text.english_borders import english_borders
from niah.text.script_borders import find_foreign, script_borders


def split_sentences(paragraph: str) -> list[str]:
    """The sentences of one line of prose, in order.

    A sentence of English ends at . ! ? or an ellipsis and the quotes or brackets that close on it, when white
    space and then an upper-case letter, a digit or an opening quote follow; other scripts have stops, quotes
    and habits of their own. The white space between two sentences belongs to neither.
    """
    return [paragraph[start:end] for start, end in sentence_spans(paragraph, 0, len(paragraph))]


def sentence_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of ``text[start:end]`` as character spans of ``text``, end exclusive."""
    is_english = text.isascii() or find_foreign(text, start, end) is None
    borders = english_borders if is_english else script_borders
    spans = []
    first = start
    for stop, following in borders(text, start, end):
        spans.append((first, stop))
        first = following
    if first < end:
        spans.append((first, end))
    return spans
