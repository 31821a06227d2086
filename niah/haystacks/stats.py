"""Is a haystack varied, or does it repeat itself? Pure functions over its words and sentences."""

from __future__ import annotations

import re
import zlib
from collections.abc import Hashable, Sequence

from niah.haystacks.documents import Document
from niah.haystacks.structure import pieces_of
from niah.text.sentences import split_sentences

EXCERPT = 520_000  # characters: measures of variety fall as a text grows, so that only equal sizes compare

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def measure_haystack(documents: Sequence[Document]) -> dict[str, float]:
    """Sizes of a haystack's text as it is in contexts, and the variety of its first ``EXCERPT`` characters.

    "distinct 4" and 8: different n-grams of words / n-grams (Li et al. 2016). Duplicates are shares, 0 to 1.
    """
    texts = [paragraph for document in documents for paragraph in document.paragraphs]
    pieces = (piece for document in documents for piece in pieces_of(document.paragraphs, document.structure))
    excerpt = "\n\n".join(texts)[:EXCERPT]
    parts = excerpt.split("\n\n") if excerpt else []
    words, split = words_in(excerpt), [sentence for part in parts for sentence in split_sentences(part)]
    raw = excerpt.encode()
    return {
        "documents": len(documents),
        "sentences": sum(1 for _ in pieces),  # or lines that are pieces
        "words": sum(len(words_in(text)) for text in texts),
        "excerpt": len(excerpt),
        "zlib ratio": len(zlib.compress(raw, 9)) / len(raw) if raw else 0.0,
        "distinct 4": distinct_share(words, 4),
        "distinct 8": distinct_share(words, 8),
        "duplicate sentences": 1 - len(set(split)) / len(split) if split else 0.0,
        "near duplicate paragraphs": near_duplicate_share(parts),
        "vocabulary": len(set(words)),
    }


def words_in(text: str) -> list[str]:
    """The words of a text in lower case: letters and digits, with apostrophes inside."""
    return _WORD.findall(text.lower())


def distinct_share(items: Sequence[Hashable], n: int) -> float:
    """Different n-grams / n-grams; 1 where there are none."""
    grams = list(zip(*(items[first:] for first in range(n)), strict=False))
    return len(set(grams)) / len(grams) if grams else 1.0


def near_duplicate_share(paragraphs: Sequence[str], *, n: int = 5, threshold: float = 0.8) -> float:
    """Share of paragraphs whose n-grams of words are alike (Jaccard) to those of an earlier one."""
    earlier, duplicates = list[set[tuple[str, ...]]](), 0
    for paragraph in paragraphs:
        words = words_in(paragraph)
        grams = {tuple(words[first : first + n]) for first in range(max(1, len(words) - n + 1))}
        # Sets of very different sizes cannot be alike.
        near = (each for each in earlier if threshold <= len(each) / len(grams) <= 1 / threshold)
        duplicates += any(len(grams & each) >= threshold * len(grams | each) for each in near)
        earlier.append(grams)
    return duplicates / len(paragraphs) if paragraphs else 0.0
