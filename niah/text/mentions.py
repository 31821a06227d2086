"""Whether a text mentions a name: whole words, any case (but IT, May and the like), hyphens as spaces.

Names in scripts without spaces are found wherever they are; those in Hangul may have particles behind them.
The constants that name scripts, and ``marks()``, are insides of character classes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff" + (
    "\uf900-\ufaff\U00020000-\U0003fffd"
)
HIRAGANA = "\u3041-\u3096\u309d-\u309f\U0001b001-\U0001b11f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d"
BOPOMOFO = "\u3105-\u312f\u31a0-\u31bf"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
# Thai, Lao, Burmese, Khmer, Tai Le, New Tai Lue, Tai Tham, Balinese and Javanese, without digits.
SOUTH_EAST_ASIAN = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u109a-\u109d"
    "\u1780-\u17d3\u17d7\u17dc\u17dd\u1950-\u1974\u1980-\u19c9\u1a20-\u1a7c\u1b00-\u1b4c\ua980-\ua9c0"
    "\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f"
)
# Katakana is left out: it writes names and foreign words, and they end where another script begins.
UNSPACED = HAN + HIRAGANA + BOPOMOFO + SOUTH_EAST_ASIAN

_WITH_MARKS = (
    *(*range(0x0300, 0x2000), *range(0x3000, 0x3100), *range(0xA600, 0xAC00), *range(0xFB00, 0xFE00)),
    *(*range(0xFE10, 0xFF00), *range(0x10A00, 0x12000)),
)
"""Code points among which marks of letters are; variation selectors and what encloses a symbol are not."""

_PARTICLES = (
    "은|는|이|가|을|를|의|도|만|에|에서|에게|에게서|한테|께|께서|와|과|랑|이랑|하고|로|으로|로서|으로서"
    "|로써|으로써|까지|부터|마저|조차|밖에|처럼|같이|보다|마다|나|이나|라도|이라도|란|이란|라는|이라는"
    "|라고|이라고|다|이다|이었다|였다|이며|며|이고|고|입니다|이에요|예요|들|님|씨"
)
"""Case particles and forms of the copula, as the inside of a group."""
_AFTER_HANGUL = f"(?:{_PARTICLES}){{0,3}}(?![{HANGUL}])"

_GAP = re.compile(r"[\s\-_]+")
_WORD = re.compile(r"[^\W_]+")
_PLAIN = re.compile(r"[0-9a-z]+")  # found as they stand: other scripts write on without a space
_MANY = 50  # names: one pass over the words of a text is quicker than one search for each

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
    """Where ``text[start:end]`` mentions any of ``names``, in order; of several in one place the longest."""
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


def mention_starts(text: str, names: Iterable[str]) -> list[int]:
    """Offsets at which ``text`` mentions one of ``names``, ascending."""
    return sorted({start for _, start in NameIndex(names).mentions(text, text.casefold())})


class NameIndex:
    """Names by the longest word of each: every mention is where that is, if ``mention_spans`` says so."""

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

    def mentions(self, text: str, folded: str) -> Iterator[tuple[str, int]]:
        """The names that ``text``, casefolded in ``folded``, mentions, each with the offset of a mention."""
        if len(folded) != len(text):  # folding "ß" moves all that follows
            for name in {name for name, _ in self._places(folded)}:
                yield from ((name, start) for start, _ in mention_spans(text, [name]))
            return
        for name, at in self._places(folded):
            reach = 4 * len(name) + 16
            spans = mention_spans(text, [name], max(0, at - reach), at + reach)
            yield from ((name, start) for start, end in spans if start <= at < end)

    def _places(self, folded: str) -> Iterator[tuple[str, int]]:
        """Names, each with a character offset of its longest word in ``folded``, a casefolded text."""
        for match in _PLAIN.finditer(folded) if self._by_word else ():
            for name in self._by_word.get(match[0], ()):
                yield name, match.start()
        for name, word in self._others:
            at = folded.find(word) if word else -1
            while at >= 0:
                yield name, at
                at = folded.find(word, at + 1)


def spellings(name: str) -> tuple[str, ...]:
    """The name as it is written, and with its letters and marks composed or apart, each once."""
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
        return re.compile(_AFTER_HANGUL).match(text, end) is not None
    return after not in _JOINED.get(last, ("spaced",))


@lru_cache(maxsize=16384)
def _kind(character: str) -> str:
    """How a character writes words; of a mark, whether its letter stands in words with spaces between."""
    return next((kind for kind, pattern in _kinds().items() if pattern.match(character)), "")


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


# Words of any script


@lru_cache(maxsize=1)
def marks() -> str:
    """Vowel signs, tones, accents that no letter took in: ``\\w`` leaves them out; takes milliseconds."""
    found = [point for point in _WITH_MARKS if unicodedata.category(chr(point))[0] == "M"]
    firsts = sorted(set(found).difference(point + 1 for point in found))
    lasts = sorted(set(found).difference(point - 1 for point in found))
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in zip(firsts, lasts, strict=True))


def written_parts(word: str) -> list[str]:
    """What stands between two spaces, cut in scripts without spaces: "吊起2吨" is "吊", "起", "2", "吨"."""
    return [word] if word.isascii() else _part_pattern().findall(word)


def is_unspaced(part: str) -> bool:
    """Whether a part is a character of a script without spaces (katakana is not: its runs are words)."""
    return not part.isascii() and re.match(f"[{UNSPACED}]", part) is not None


@lru_cache
def _part_pattern() -> re.Pattern[str]:
    return re.compile(rf"[{UNSPACED}][{marks()}]*|[{KATAKANA}]+|[^{UNSPACED}{KATAKANA}]+")


def is_with_particles(word: str, name: str) -> bool:
    """Whether ``word`` is ``name`` with up to three particles behind it: "2톤입니다" of "2톤"."""
    # A name of one syllable begins other words ("사" and "사과"), and behind a digit "만" is ten thousand.
    if word.isascii() or not word.startswith(name) or (len(name) == 1 and not name.isascii()):
        return False
    rest = word[len(name) :]
    if name[-1].isdigit() and rest.startswith("만"):
        return False
    return re.fullmatch(f"(?:{_PARTICLES}){{1,3}}", rest) is not None
