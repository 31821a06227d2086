"""Whether a text mentions a name: whole words, any case, hyphens and spaces alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from niah.text.name_index import NameIndex

_GAP = re.compile(r"[\s\-_]+")

# From so many names on, one pass over the words of a text is quicker than one search for each name.
_MANY = 50


def mention_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds any of ``names`` as whole words; the longest name wins."""
    longest_first = sorted(set(names), key=lambda name: (-len(name), name))
    alternatives = "|".join(_flexible(name) for name in longest_first)
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])", re.IGNORECASE)


def mentions(text: str, names: Iterable[str]) -> bool:
    """Whether ``text`` mentions one of ``names``."""
    return mention_pattern(names).search(text) is not None


def mention_starts(text: str, folded: str, names: Iterable[str]) -> list[int]:
    """Character offsets at which ``text`` mentions one of ``names``, ascending.

    Quick on long texts, and for thousands of names: an expression is tried only around each name's longest
    word.

    Args:
        text: the text.
        folded: ``text.casefold()``, which a caller with many questions makes once.
        names: as they are written.
    """
    found: set[int] = set()
    every = list(names)
    if len(folded) != len(text):  # folding "ß" moves all that follows
        for name in NameIndex(every).names_in(folded):
            found.update(match.start() for match in _one_name(name).finditer(text))
    elif len(every) > _MANY:
        for name, at in NameIndex(every).places(folded):
            found.update(starts_around(name, text, at))
    else:
        for name in every:
            found.update(_starts_of(name, text, folded))
    return sorted(found)


def starts_around(name: str, text: str, at: int) -> Iterator[int]:
    """Where mentions of ``name`` begin that reach over the character at ``at``, in its longest word."""
    reach = 2 * len(name) + 8
    for match in _one_name(name).finditer(text, max(0, at - reach), at + reach):
        if match.start() <= at < match.end():
            yield match.start()


def _starts_of(name: str, text: str, folded: str) -> Iterator[int]:
    word = max(_GAP.split(name), key=len).casefold()
    at = folded.find(word)
    while at >= 0:
        yield from starts_around(name, text, at)
        at = folded.find(word, at + 1)


@lru_cache(maxsize=16384)
def _one_name(name: str) -> re.Pattern[str]:
    return mention_pattern([name])


def _flexible(name: str) -> str:
    words = [re.escape(word) for word in _GAP.split(name.strip()) if word]
    return r"[\s\-_]+".join(words)
