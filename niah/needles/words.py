"""Content words, stemmed a little: what a question and a latent needle must not share."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+|\d+")
_SUFFIXES = ("ations", "ation", "ings", "ing", "edly", "ed", "ies", "es", "s", "ly", "er", "ers")
_SHORTEST = 3


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOP_WORDS = _listed(
    "a about above after again against all along also although am among an and another any anybody anyone"
    " anything are around as at away back be became because been before being below between both but by"
    " came can could did do does doing done down during each either else ever every everybody everyone"
    " everything few first for from get goes going got had has have having he her here hers herself him"
    " himself his how however i if in indeed instead into is it its itself just keep last later least less"
    " let like made make many may me might mine more most much must my myself near neither never next no"
    " nobody none nor not nothing now of off often on once one only onto or other others our ours out over"
    " own per perhaps put quite rather said same say says see seen several shall she should since so some"
    " somebody someone something still such take than that the their theirs them themselves then there"
    " these they thing things this those though through till to together too took toward towards two under"
    " until up upon us very was way we well went were what whatever when where whether which while who"
    " whoever whom whose why will with within without would yet you your yours"
)


def content_words(text: str) -> dict[str, str]:
    """The stems of the words that carry meaning, each with the word as it stands in ``text``.

    Possessives and common endings are cut off, so that "painters" and "painter's" are one; stop words and
    words of under three letters are left out.
    """
    words = (word for word in _WORD.findall(text) if len(word) >= _SHORTEST)
    return {stem(word): word for word in words if word.casefold() not in _STOP_WORDS}


def stem(word: str) -> str:
    """``word`` without its commonest endings: "baked", "bakes" and "baking" are all "bak"."""
    bare = word.casefold()
    for suffix in sorted(_SUFFIXES, key=len, reverse=True):
        if bare.endswith(suffix) and len(bare) - len(suffix) >= _SHORTEST:
            bare = bare[: -len(suffix)]
            break
    return bare[:-1] if len(bare) > _SHORTEST and bare[-1] in "ey" else bare
