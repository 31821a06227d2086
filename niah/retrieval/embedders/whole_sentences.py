"""The sentences of chunks, without those that a chunk's border tears and a neighbour has whole."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from niah.text.sentences import sentence_spans
from niah.text.short_sentences import paragraph_spans, short_sentences

_Span = tuple[int, int]


def whole_sentences(texts: Sequence[str]) -> list[list[str]]:
    """For each chunk its sentences, cut as ``@sentences`` cuts them; at least one, or the chunk itself.

    A window ends inside a sentence, and the next one, which begins earlier, has the sentence whole. The torn
    half is left out: it says less, and at another depth it would be another text. It stays where no neighbour
    has the whole, or the chunk has nothing else.

    Args:
        texts: chunks of one text, in document order.
    """
    spans = [list(_sentence_spans(text)) for text in texts]
    kept = [list(chunk) for chunk in spans]
    for at, (text, following) in enumerate(pairwise(texts)):
        if kept[at] and _is_torn_at_end(text, spans[at][-1], following, spans[at + 1]):
            kept[at].pop()
        if kept[at + 1] and _is_torn_at_start(following, spans[at + 1][0], text, spans[at]):
            kept[at + 1].pop(0)
    return [_cut(text, left or whole) for text, left, whole in zip(texts, kept, spans, strict=True)]


def _is_torn_at_end(text: str, last: _Span, following: str, spans: Sequence[_Span]) -> bool:
    """Whether the chunk's last sentence goes on in the next chunk, which holds its beginning too."""
    torn = text[slice(*last)]
    for start, end in spans:
        if end - start > len(torn) and following.startswith(torn, start):
            shared = start + len(torn)
            if text.endswith(following[:shared], 0, last[1]):
                return True
    return False


def _is_torn_at_start(text: str, first: _Span, before: str, spans: Sequence[_Span]) -> bool:
    """Whether the chunk's first sentence began in the chunk before, which holds its end too."""
    torn = text[slice(*first)]
    return any(
        end - start > len(torn)
        and before.endswith(torn, start, end)
        and text.startswith(before[end - len(torn) :], first[0])
        for start, end in spans
    )


@lru_cache(maxsize=4096)
def _sentence_spans(text: str) -> tuple[_Span, ...]:
    return tuple(span for paragraph in paragraph_spans(text) for span in sentence_spans(text, *paragraph))


def _cut(text: str, spans: Sequence[_Span]) -> list[str]:
    """Long sentences in parts."""
    parts = [part for start, end in spans for part in _short(text[start:end])]
    return parts or [text]


@lru_cache(maxsize=16384)
def _short(sentence: str) -> tuple[str, ...]:
    return tuple(sentence[start:end] for start, end in short_sentences(sentence))
