"""Sentences of a haystack that answer a question by accident."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from niah.haystacks.documents import Document
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mention_starts
from niah.text.sentences import sentence_spans


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
                names = [name for element in needle_set.elements for name in element.names]
                found = mention_starts(text, folded, names)
                for start, end in sentence_spans(text, 0, len(text)) if found else ():
                    if any(start <= at < end for at in found):
                        yield AnswerLeak(needle_set.name, document.name, text[start:end])
