"""The statements of an answer: its sentences, bullets and rows, and the clauses that they consist of."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import Cues
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise, tidy
from niah.judges.rubric.reading.layout import Layout
from niah.judges.rubric.reading.spans import TextRange

# Both begin with the signs that may be such an end: they are found much sooner than a choice of expressions.
_SENTENCE_END = lazy_pattern(
    r"[.!?;\u3002\uff01\uff1f\uff1b]"
    r"(?:(?<=[.!?;])[.!?;]*(?=[\s)\]]|\Z|[^\x00-\x7f])|(?<=[\u3002\uff01\uff1f\uff1b]))"
)
_CLAUSE_END = lazy_pattern(
    r"[.!?;()\[\]\n\u3002\uff01\uff1f\uff1b-]"
    r"(?:(?<=[.!?])(?=\s|\Z|[^\x00-\x7f])|(?<=[;()\[\]\n\u3002\uff01\uff1f\uff1b])|(?<=\s-)(?=\s))"
)
_WORD = re.compile(r"[^\W_]+")
COMMON_WORDS = frozenset(
    _WORD.findall(
        """
        a an the of in on at to for from by with and or is are was were be been does did do has have had what
        which who whom whose where when why how many much that this these those it its their his her you your
        i me my we give name list all each every there please according text passage context document
        mentioned says say said
        """
    )
)


class Statement(NamedTuple):
    """A sentence, a bullet or a row of an answer.

    Attributes:
        start, end: offsets in the tidied text.
        line: the number of its line.
        mentions: what it names, in reading order.
        echo: the share of the question's words that it has, with the line that leads it in.
    """

    start: int
    end: int
    line: int
    mentions: tuple[Mention, ...]
    echo: float


def split_statements(
    text: str, layout: Layout, mentions: Sequence[Mention], key: AnswerKey
) -> tuple[Statement, ...]:
    """The statements of a masked text, in reading order.

    Args:
        text: masked (see ``niah.judges.rubric.negation.mask_mentions``).
        layout: of the same text.
        mentions: every mention in it, in reading order.
        key: what was asked.
    """
    asked = asked_words(key)
    statements: list[Statement] = []
    starts = [mention.start for mention in mentions]
    lead = ""
    for number, line in enumerate(layout.lines):
        if line.kind in ("heading", "label"):
            lead = text[line.start : line.end]
        elif line.kind == "text":
            lead = ""
        for start, end in _sentences(text, line.start, line.end):
            inside = tuple(mentions[bisect_left(starts, start) : bisect_left(starts, end)])
            words = set(_WORD.findall(f"{lead} {text[start:end]}")) if inside else set()
            echo = len(asked & words) / len(asked) if asked else 0.0
            statements.append(Statement(start, end, number, inside, echo))
    return tuple(statements)


def _sentences(text: str, start: int, end: int) -> list[TextRange]:
    ends = [match.end() for match in _SENTENCE_END.finditer(text, start, end)]
    borders = [start, *ends] if ends and ends[-1] >= end else [start, *ends, end]
    return [(before, after) for before, after in pairwise(borders) if text[before:after].strip()]


@lru_cache(maxsize=256)
def tidied_question(key: AnswerKey) -> str:
    """The question, tidied as answers are."""
    return tidy(key.question)


@lru_cache(maxsize=256)
def asked_words(key: AnswerKey) -> frozenset[str]:
    """The words of the question that say what it asks for."""
    return frozenset(word for word in _WORD.findall(normalise(key.question)) if word not in COMMON_WORDS)


class Clauses:
    """The clauses of a masked text: cut at stops, brackets, dashes and words such as "but"."""

    def __init__(self, text: str, cues: Cues) -> None:
        cuts = {(match.start(), match.end()) for match in _CLAUSE_END.finditer(text)}
        cuts |= {(match.start(), match.start()) for match in cues.contrast.finditer(text)}
        ordered = sorted(cuts)
        self._ends = [start for start, _ in ordered]
        self._starts = [end for _, end in ordered]
        self._length = len(text)

    def around(self, mention: Mention) -> TextRange:
        """Where the clause of a mention begins and ends."""
        return self.starting_before(mention.start), self.ending_after(mention.end)

    def starting_before(self, offset: int) -> int:
        """Where the clause begins that an offset stands in."""
        place = bisect_right(self._starts, offset)
        return self._starts[place - 1] if place else 0

    def ending_after(self, offset: int) -> int:
        """Where the clause ends that an offset stands in."""
        place = bisect_left(self._ends, offset)
        return self._ends[place] if place < len(self._ends) else self._length
