"""How the word metrics cut a text into words; in scripts without spaces each character is one.

Published practice for such scripts is one token a character, and a run of letters or digits between them one
token: MLQA's evaluation script (Lewis et al. 2020) and CMRC 2018's (Cui et al. 2019) cut Chinese so before
they take F1. LongBench (Bai et al. 2024, ``qa_f1_zh_score``) takes the words of a segmenter, jieba, instead,
which is of one language and of one release.
"""

from __future__ import annotations

import re
import unicodedata

from niah.text.words.unspaced import written_parts

_ARTICLES = frozenset({"a", "an", "the"})
_LITTLE_WORDS = _ARTICLES | {"and", "or", "about", "to"}
# Most texts are ASCII, whose characters are looked up in one go.
_ASCII = "".join(map(chr, range(128)))
_NO_MARKS = {ord(char): None for char in _ASCII if unicodedata.category(char)[0] in "PS"}
_NO_OTHERS = {ord(char): " " for char in _ASCII if unicodedata.category(char)[0] not in "LMN"}
# East Asian marks, after which no space is written; within a number they belong to it.
_PAUSES = re.compile(r"[、。！？；「」『』（）《》〈〉【】]|(?<!\d)[，：]|[，：](?!\d)")


def words(text: str) -> list[str]:
    """Words in lower case, their punctuation and symbols deleted: "Gold-mist, 42%" is "goldmist", "42".

    SQuAD's normalisation (its evaluation script; Rajpurkar et al. 2016, section 6.1) up to the articles, for
    all of Unicode: compatibility forms are one ("ﬁg", "fig"), invisible characters go. A text of nothing but
    punctuation keeps it, so that "+" and "-" stay apart. East Asian marks part words, as no space does there.
    """
    if text.isascii():
        return text.lower().translate(_NO_MARKS).split() or text.lower().split()
    folded = _folded(_PAUSES.sub(" ", text))
    plain = "".join(char for char in folded if unicodedata.category(char)[0] not in "PS")
    return _parts(plain) or _folded(text).split()


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
    if folded.isascii():
        return folded.translate(_NO_OTHERS).split()
    spaced = (char if unicodedata.category(char)[0] in "LMN" else " " for char in folded)
    return _parts("".join(spaced))


def _parts(spaced: str) -> list[str]:
    return [part for word in spaced.split() for part in written_parts(word)]


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
