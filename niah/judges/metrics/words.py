"""How the word metrics cut a text into words; scripts without spaces come out as one long word."""

from __future__ import annotations

import unicodedata

_ARTICLES = frozenset({"a", "an", "the"})
_LITTLE_WORDS = _ARTICLES | {"and", "or", "about", "to"}


def words(text: str) -> list[str]:
    """Words in lower case, their punctuation and symbols deleted: "Gold-mist, 42%" is "goldmist", "42".

    SQuAD's normalisation (its evaluation script; Rajpurkar et al. 2016, section 6.1) up to the articles, for
    all of Unicode: compatibility forms are one ("ﬁg", "fig"), invisible characters go. A text of nothing but
    punctuation keeps it, so that "+" and "-" stay apart.
    """
    folded = _folded(text)
    return (
        "".join(char for char in folded if unicodedata.category(char)[0] not in "PS").split()
        or folded.split()
    )


def squad_words(text: str) -> list[str]:
    """``words`` without "a", "an" and "the"; a text of nothing but articles keeps them (the option "A")."""
    return _without(_ARTICLES, words(text))


def significant_words(text: str) -> list[str]:
    """``squad_words`` without "and", "or", "about" and "to" as well (long-context-vs-rag's evaluation)."""
    return _without(_LITTLE_WORDS, words(text))


def _without(dropped: frozenset[str], found: list[str]) -> list[str]:
    return [word for word in found if word not in dropped] or found


def alphanumerics(text: str) -> list[str]:
    """Runs of letters and digits in lower case: "Gold-mist, 42%" is "gold", "mist", "42".

    rouge-score's tokenizer without its stemmer, for all of Unicode. A text of nothing but punctuation keeps
    it.
    """
    folded = _folded(text)
    return _runs(folded) or folded.split()


def alphanumeric_lines(text: str) -> list[list[str]]:
    """``alphanumerics`` line by line, without the lines that have none ("---")."""
    lines = [found for line in text.split("\n") if (found := _runs(_folded(line)))]
    return lines or [found for found in [alphanumerics(text)] if found]


def _runs(folded: str) -> list[str]:
    spaced = (char if unicodedata.category(char)[0] in "LMN" else " " for char in folded)
    return "".join(spaced).split()


def _folded(text: str) -> str:
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
