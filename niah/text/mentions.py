"""Whether a text mentions a name: whole words, any case (but IT, May and the like), hyphens as spaces.

A word ends where another script begins ("9" in "9号站台"). Names in scripts that leave no space between words
are found wherever they stand; names in Hangul may have particles behind them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from niah.text.writing import HANGUL, KATAKANA, PARTICLES, SOUTH_EAST_ASIAN, UNSPACED, marks

_GAP = re.compile(r"[\s\-_]+")
_WORD = re.compile(r"[^\W_]+")
# Words that are found as they stand: other scripts write on without a space.
_PLAIN = re.compile(r"[0-9a-z]+")

# From so many names on, one pass over the words of a text is quicker than one search for each name.
_MANY = 50

# The kinds of neighbour with which a character makes one word, where not the usual ones.
_JOINED = {"unspaced": (), "unspaced mark": (), "katakana": ("katakana",), "hangul": ("hangul",)}

_Span = tuple[int, int]

_SMALL_WORDS = (
    "a an am and any are art as at be by can do for go has he her him his how i if in is it its may me might"
    " mine my no not of on or our out own she so than that the them then they this to too under up us was we"
    " were what when where who whom whose why will with you your"
)
SMALL_WORDS = frozenset(_SMALL_WORDS.split())  # hardly ever a name in small letters


def is_loud(name: str) -> bool:
    """Whether a name is a small word of English but for its capitals (IT, May, US, WHO): its case counts."""
    return name.strip() != name.strip().lower() and name.strip().lower() in SMALL_WORDS


def mentions(text: str, names: Iterable[str]) -> bool:
    """Whether ``text`` mentions one of ``names``."""
    return bool(mention_spans(text, names))


def mention_spans(text: str, names: Iterable[str], start: int = 0, end: int | None = None) -> list[_Span]:
    """Where ``text[start:end]`` mentions any of ``names``: spans that do not overlap, in order.

    Of several that begin in one place the longest name's counts.
    """
    names, end = tuple(names), len(text) if end is None else end
    if not names:
        return []
    if text.isascii() or not _other_writing().search(text, max(0, start - 1), end + 1):
        return [match.span() for match in _whole_words(names).finditer(text, start, end)]
    found = (span for name in names for span in _places(name, text, start, end) if _stands_apart(text, *span))
    spans = list[_Span]()
    for span in sorted(found, key=lambda span: (span[0], -span[1])):
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return spans


def mention_starts(text: str, folded: str, names: Iterable[str]) -> list[int]:
    """Character offsets at which ``text`` mentions one of ``names``, ascending; quick for thousands of names.

    ``folded`` is ``text.casefold()``, which a caller with many questions makes once.
    """
    index = NameIndex(names)
    if len(folded) != len(text):  # folding "ß" moves all that follows
        return sorted({start for each in index.names_in(folded) for start, _ in mention_spans(text, [each])})
    found = set[int]()
    for name, at in index.places(folded):
        reach = 4 * len(name) + 16
        spans = mention_spans(text, [name], max(0, at - reach), at + reach)
        found.update(start for start, end in spans if start <= at < end)
    return sorted(found)


class NameIndex:
    """Names by the longest word of each: every mention is at one of its places, if ``mention_spans`` says so.

    Many names of plain letters and digits are looked up in one pass; each other name is a search more.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._by_word: dict[str, list[str]] = {}
        self._others: list[tuple[str, str]] = []
        every = list(dict.fromkeys(names))
        for name in every:
            for folded in map(str.casefold, spellings(name)):
                word = max(_WORD.findall(folded), key=len, default="")
                if len(every) > _MANY and _PLAIN.fullmatch(word):
                    self._by_word.setdefault(word, []).append(name)
                else:
                    self._others.append((name, word or folded.strip()))

    def places(self, folded: str) -> Iterator[tuple[str, int]]:
        """Names, each with a character offset of its longest word in ``folded``, a casefolded text."""
        for match in _PLAIN.finditer(folded) if self._by_word else ():
            for name in self._by_word.get(match[0], ()):
                yield name, match.start()
        for name, word in self._others:
            at = folded.find(word) if word else -1
            while at >= 0:
                yield name, at
                at = folded.find(word, at + 1)

    def names_in(self, folded: str) -> set[str]:
        """The names that ``folded``, a casefolded text, may mention."""
        return {name for name, _ in self.places(folded)}


def spellings(name: str) -> tuple[str, ...]:
    """The name as it is written, and with its letters and marks composed or apart, each once."""
    if name.isascii():
        return (name,)
    forms = (unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name))
    return tuple(dict.fromkeys((name, *forms)))


def _flexible(name: str) -> str:
    pattern = r"[\s\-_]+".join(re.escape(word) for word in _GAP.split(name.strip()) if word)
    return f"(?-i:{pattern})" if is_loud(name) else pattern


@lru_cache(maxsize=16384)
def _whole_words(names: tuple[str, ...]) -> re.Pattern[str]:
    written = {spelling for name in names for spelling in spellings(name)}
    longest_first = sorted(written, key=lambda name: (-len(name), name))
    alternatives = "|".join(map(_flexible, longest_first))
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])", re.IGNORECASE)


@lru_cache(maxsize=16384)
def _any_place(name: str) -> re.Pattern[str]:
    return re.compile("|".join(map(_flexible, spellings(name))), re.IGNORECASE)


def _places(name: str, text: str, start: int, end: int) -> Iterator[_Span]:
    """Where ``text[start:end]`` has the name's characters, whole words or not."""
    while match := _any_place(name).search(text, start, end):
        yield match.span()
        start = match.start() + 1


def _stands_apart(text: str, start: int, end: int) -> bool:
    """Whether no word goes on over the borders of ``text[start:end]``."""
    before, after = _kind(text[start - 1 : start]), _kind(text[end : end + 1])
    first, last = _kind(text[start]), _kind(text[end - 1])
    if before in _JOINED.get(first, ("spaced", "mark")) or after in ("mark", "unspaced mark"):
        return False
    if last == "hangul":
        return _particles().match(text, end) is not None
    return after not in _JOINED.get(last, ("spaced",))


@lru_cache(maxsize=16384)
def _kind(character: str) -> str:
    """How a character writes words; of a mark, whether its letter stands in words with spaces between."""
    return next((kind for kind, pattern in _kinds().items() if pattern.match(character)), "")


# What follows is compiled for the first text that is not ASCII.
@lru_cache(maxsize=1)
def _other_writing() -> re.Pattern[str]:
    """Without any of these, a word is what ``\\w`` says."""
    return re.compile(f"[{UNSPACED}{KATAKANA}{HANGUL}{marks()}]")


@lru_cache(maxsize=1)
def _kinds() -> dict[str, re.Pattern[str]]:
    inside = {
        "mark": f"(?![{SOUTH_EAST_ASIAN}])[{marks()}]",
        "unspaced mark": f"[{marks()}]",
        "unspaced": f"[{UNSPACED}]",
        "katakana": f"[{KATAKANA}]",
        "hangul": f"[{HANGUL}]",
        "spaced": r"[^\W_]",
    }
    return {kind: re.compile(pattern) for kind, pattern in inside.items()}


@lru_cache(maxsize=1)
def _particles() -> re.Pattern[str]:
    return re.compile(f"(?:{PARTICLES}){{0,3}}(?![{HANGUL}])")
