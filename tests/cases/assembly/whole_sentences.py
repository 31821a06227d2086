"""A context's haystack text, and whether it is made of whole sentences."""

from __future__ import annotations

from functools import cache

from niah.cases.context import Context
from niah.haystacks.load import load_corpus


@cache
def sentences_of(corpus_name: str, tokenizer: str) -> dict[str, list[str]]:
    """The sentences of a haystack, by their first twelve characters."""
    corpus = load_corpus(corpus_name, tokenizer)
    by_start: dict[str, list[str]] = {}
    for sentence in {corpus.slice(piece, piece + 1).strip() for piece in range(corpus.size)}:
        by_start.setdefault(sentence[:12], []).append(sentence)
    return by_start


def without_inserts(context: Context) -> list[str]:
    """Haystack text between needles and distractors."""
    parts, at = [], 0
    for item in sorted((*context.needles, *context.distractors), key=lambda placed: placed.start):
        parts.append(context.text[at : item.start])
        at = item.end
    return [*parts, context.text[at:]]


def is_whole_sentences(text: str, sentences: dict[str, list[str]]) -> bool:
    """Whether ``text`` can be read, from left to right, as whole haystack sentences."""
    rest = text.strip()
    while rest:
        fitting = [s for s in sentences.get(rest[:12], []) if rest.startswith(s)]
        if not fitting:
            # A sentence of less than twelve characters stands under all that it is.
            fitting = [s for size in range(1, 12) for s in sentences.get(rest[:size], [])]
        if not fitting:
            return False
        rest = rest[len(max(fitting, key=len)) :].lstrip()
    return True
