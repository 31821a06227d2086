"""Lines that a footnote sets apart: "| Amos Dent¹ |" above "¹ Not the one you asked about"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.reading.layout import Layout
from niah.judges.rubric.reading.spans import TextRange

_SIGN = r"[\u00b9\u00b2\u00b3\u2070-\u2079\u2020\u2021]+|\[\d{1,2}\]|\*{1,3}"
_NOTE = lazy_pattern(rf"[ \t>]*(?:\\)?({_SIGN})(?=[ \t]?\S)")
_MARK = lazy_pattern(rf"(?<=[\w.)\"'])(?:\\)?({_SIGN})(?=[\s|,.;:)]|\Z)")
_BULLET = re.compile(r"[ \t>]*\*[ \t]")


def footnotes(answer: str, layout: Layout) -> Iterator[tuple[TextRange, list[TextRange]]]:
    """Each footnote of an answer, with the lines that refer to it; places are those of the layout.

    Args:
        answer: as the reader gave it, without reasoning.
        layout: of the same answer, tidied.
    """
    raw = answer.split("\n")
    notes = [_NOTE.match(line) for line in raw]
    if not any(notes) or len(raw) != len(layout.lines):
        return
    marked: dict[str, list[TextRange]] = defaultdict(list)
    for line, note, place in zip(raw, notes, layout.lines, strict=True):
        if note and marked.get(note[1]) and not (_BULLET.match(line) and place.kind == "bullet"):
            yield (place.start, place.end), marked.pop(note[1])
        for mark in _MARK.finditer(line, note.end() if note else 0):
            marked[mark[1]].append((place.start, place.end))
