"""Is a haystack varied, or does it repeat itself? Pure functions over its words and sentences."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from niah.haystacks.documents import Document
from niah.haystacks.structure import pieces_of
from niah.text.sentences import split_sentences

EXCERPT = 520_000
"""Characters that measures of variety look at, since they fall as a text grows: only equal sizes compare."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class HaystackStats:
    """The size of a haystack, and the variety of its first ``excerpt`` characters.

    Attributes:
        documents, sentences, words: counts over the whole haystack; lines that are pieces are sentences.
        excerpt: characters measured for what follows, at most EXCERPT.
        zlib_ratio, distinct_4, distinct_8, duplicate_sentences, near_duplicate_paragraphs: shares, 0 to 1.
        vocabulary: different words.
        reading_ease: Flesch's; 60 to 70 is plain English.
    """

    documents: int
    sentences: int
    words: int
    excerpt: int
    zlib_ratio: float
    distinct_4: float
    distinct_8: float
    duplicate_sentences: float
    near_duplicate_paragraphs: float
    vocabulary: int
    reading_ease: float


def measure_haystack(documents: Sequence[Document]) -> HaystackStats:
    """Everything about a haystack's text, as it stands in contexts."""
    texts = [paragraph for document in documents for paragraph in document.paragraphs]
    pieces = (piece for document in documents for piece in pieces_of(document.paragraphs, document.structure))
    excerpt = "\n\n".join(texts)[:EXCERPT]
    parts = excerpt.split("\n\n") if excerpt else []
    tokens, split = words_in(excerpt), [sentence for part in parts for sentence in split_sentences(part)]
    return HaystackStats(
        documents=len(documents),
        sentences=sum(1 for _ in pieces),
        words=sum(len(words_in(text)) for text in texts),
        excerpt=len(excerpt),
        zlib_ratio=zlib_ratio(excerpt),
        distinct_4=distinct_share(tokens, 4),
        distinct_8=distinct_share(tokens, 8),
        duplicate_sentences=duplicate_share(split),
        near_duplicate_paragraphs=near_duplicate_share(parts),
        vocabulary=len(set(tokens)),
        reading_ease=reading_ease(tokens, max(1, len(split))),
    )


def words_in(text: str) -> list[str]:
    """The words of a text in lower case: letters and digits, with apostrophes inside."""
    return _WORD.findall(text.lower())


def zlib_ratio(text: str) -> float:
    """Compressed bytes / bytes of UTF-8, zlib level 9: low where a text repeats itself; 0 for no text."""
    raw = text.encode()
    return len(zlib.compress(raw, 9)) / len(raw) if raw else 0.0


def distinct_share(items: Sequence[Hashable], n: int) -> float:
    """Different n-grams / n-grams (distinct-n; Li et al. 2016); 1 where there are none."""
    grams = list(zip(*(items[first:] for first in range(n)), strict=False))
    return len(set(grams)) / len(grams) if grams else 1.0


def duplicate_share(items: Sequence[Hashable]) -> float:
    """Share of items that occurred before; 0 where there are none."""
    return 1 - len(set(items)) / len(items) if items else 0.0


def near_duplicate_share(paragraphs: Sequence[str], *, n: int = 5, threshold: float = 0.8) -> float:
    """Share of paragraphs whose word n-grams have a Jaccard similarity >= threshold with an earlier one's.

    A paragraph of fewer than n words counts as one gram, so it has only exact duplicates. Exact sets: every
    earlier paragraph that shares a gram is compared.
    """
    seen: list[frozenset[tuple[str, ...]]] = []
    holders: dict[tuple[str, ...], list[int]] = {}
    known: set[frozenset[tuple[str, ...]]] = set()
    duplicates = 0
    for paragraph in paragraphs:
        grams = _grams(words_in(paragraph), n)
        if grams in known:
            duplicates += 1
            continue
        shared = Counter(earlier for gram in grams for earlier in holders.get(gram, ()))
        duplicates += any(
            common >= threshold * (len(grams) + len(seen[earlier]) - common)
            for earlier, common in shared.items()
        )
        for gram in grams:
            holders.setdefault(gram, []).append(len(seen))
        known.add(grams)
        seen.append(grams)
    return duplicates / len(paragraphs) if paragraphs else 0.0


def _grams(tokens: list[str], n: int) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(tokens[first : first + n]) for first in range(max(1, len(tokens) - n + 1)))


_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(r"(?:[^laeiouy]e|[^aeiouydt]ed|[^aeiouycgsxz]es)$")


def reading_ease(words: Sequence[str], sentences: int) -> float:
    """206.835 - 1.015 words per sentence - 84.6 syllables per word (Flesch 1948); 60 to 70 is plain English.

    0 where there are no words.

    Args:
        words: in lower case.
        sentences: how many they make, at least 1.
    """
    if not words:
        return 0.0
    syllables = sum(map(syllables_in, words))
    return 206.835 - 1.015 * len(words) / sentences - 84.6 * syllables / len(words)


def syllables_in(word: str) -> int:
    """Syllables of an English word in lower case, by its groups of vowels; wrong for one in ten."""
    groups = len(_VOWELS.findall(word))
    return max(1, groups - (_SILENT.search(word) is not None))
