"""Text as a judge compares it: one case, one kind of quote, dash and number, no reasoning, no markdown."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from niah.judges.rubric.forms.latex import without_latex
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.text.writing import HANGUL, KATAKANA, UNSPACED

_REMEMBERED = 200
"""Characters of a text whose normal form is remembered: names and questions come with every answer."""
_LONGEST_KEPT = 1000
"""Characters of a text that is remembered tidied: a needle's is, by all that read it."""
_OPEN = r"(?:<(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad)>|\[think\])"
_CLOSE = _OPEN.replace("<", "</").replace(r"\[", r"\[/")
_TAGS = lazy_pattern(rf"({_OPEN})|{_CLOSE}", re.IGNORECASE)

_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4"
_DOUBLE_QUOTES = '"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb'
_HYPHENS = "_\u2010\u2011\u2012\u2013\u2212\u2043\ufe63\uff0d"
_LONG_DASHES = "\u2014\u2015\ufe58"
# Format characters, joiners and variation selectors: (first, last) code points.
_INVISIBLE = (
    *((0x640, 0x640), (0x64B, 0x652), (0x670, 0x670)),  # Arabic stretching and vowel signs
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E)),
    *((0x2060, 0x206F), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xE0000, 0xE01EF)),
)
# Arabic (two kinds), Devanagari, Bengali and Thai digits begin there.
_ZEROS = (0x660, 0x6F0, 0x966, 0x9E6, 0xE50)
# Cyrillic and Greek letters that look Latin, in small letters; folded in words with a Latin letter or a
# digit, and in words that look Latin from end to end, unless the text is written in those letters.
_FOREIGN = (
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456"
    "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7"
)
_LOOKALIKES = str.maketrans(_FOREIGN, "abekmhopctyxiabezhikmnoptyx")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_LATIN_OR_DIGIT = re.compile("[a-z0-9]")
_HALF_LATIN = lazy_pattern(rf"[a-z0-9]|\A[{_FOREIGN}']+\Z")
_CYRILLIC_OR_GREEK = re.compile(r"[\u0370-\u04ff]")
_NEVER_LATIN = lazy_pattern(rf"(?![{_FOREIGN}])[\u0370-\u03ff\u0400-\u04ff]")
_TRANSLATION = str.maketrans(
    dict.fromkeys(_SINGLE_QUOTES, "'")
    | dict.fromkeys(_DOUBLE_QUOTES)
    | {chr(code): None for first, last in _INVISIBLE for code in range(first, last + 1)}
    | dict.fromkeys(_HYPHENS, "-")
    | dict.fromkeys(_LONG_DASHES, " - ")
    | {"\u0130": "i", "\u0451": "\u0435", "\u0401": "\u0415"}  # Russian writes \u0451 or \u0435 for one sound
    | {"\u060c": ",", "\u061b": ";", "\u061f": "?", "\u06d4": ".", "\u0964": ".", "\u0965": "."}
    | {chr(zero + digit): str(digit) for zero in _ZEROS for digit in range(10)}
    | {"|": ",", "&": " and ", "½": " 1/2", "¼": " 1/4", "¾": " 3/4"}
)
_KEPT = "".join(chr(code) for code in range(0x100) if code not in _TRANSLATION)
_MAY_BE_TRANSLATED = re.compile(f"[^{re.escape(_KEPT)}]")

# A comma, an underscore, an apostrophe or a thin space between groups of exactly three digits.
_WORD_SIGN = rf"[^\W{UNSPACED}{HANGUL}{KATAKANA}]"
_THOUSANDS = lazy_pattern(
    rf"(?<!{_WORD_SIGN})(?<![.,])\d{{1,3}}(?:[,_'’\u00a0\u2009\u202f]\d{{3}})+(?!(?:{_WORD_SIGN}|,)*\d)"
)
# A minus is a hyphen too; before degrees it is said in a word, since hyphens become spaces.
_BELOW_ZERO = re.compile(
    r"(?<![\w.)\]])-(?=\d{1,3}(?:[.,]\d+)?\s?(?:°|degrees?\b|grad\b|degrés?\b|grados?\b|graus?\b|gradi\b|градус"
    r"|度|도))"
)
# The time in "2031-03-14T06:50:00Z".
_STAMP = re.compile(r"(?<=\d{4}-\d\d-\d\d)t(\d\d:\d\d)(?::00(?:\.0+)?)?(?:z|\+00:00)?(?![\w:])")
_MAY_BE_BELOW_ZERO_OR_STAMP = re.compile(r"-\d")
_NOT_DIGITS = re.compile(r"\D")

_PLAIN = re.compile(r"[A-Za-z\u00c0-\u00d6\u00d8-\u00de\u00e0-\u00f6\u00f8-\u00ff,.;!?()' \n]*")
"""Without three spaces in a row, nothing is to be tidied here but capitals, and numbers in words."""
_MAY_BE_THOUSANDS = re.compile(r"\d[,_'’\u00a0\u2009\u202f]\d")
_MAY_BE_LISTED = re.compile(r"\d[.)]")
"""These stand in every match of what is looked for behind them, and are found much sooner; so do the next."""

_STRUCK_OUT = re.compile(r"~~.*?~~", re.DOTALL)
_TAG = lazy_pattern(r"</?[a-z][a-z0-9]*\s*/?>", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\[\]\n]*\)")
# Where something stands: "23 °C [passage 14]". A bare number in brackets may be an answer.
_CITATION = lazy_pattern(
    r"[ \t]?\[(?:passages?|sources?|documents?|docs?|refs?|excerpts?|chunks?|pages?|pp?\.|§)[ \t]?\d{1,4}"
    r"(?:[ \t]?(?:,|;|and|&|-|–)[ \t]?\d{1,4})*\]",
    re.IGNORECASE,
)
_LINE_MARK = re.compile(r"^[ \t]*(?:#{1,6}|>|[-+•·–])[ \t]+", re.MULTILINE)
_UNDERLINE = re.compile(r"(?<!\w)_{1,3}|_{1,3}(?!\w)")
_MAY_BE_LINE_MARK = re.compile(r"[#>+•·–-]")
_TABLE_RULE = re.compile(r"^[ \t|:-]{3,}$", re.MULTILINE)
_LIST_NUMBER = re.compile(r"^[ \t]*(\d{1,3})[.)][ \t]+(?=\S)", re.MULTILINE)

# Numbers written out: "three hundred and forty-seven" is 347.
_UNITS = re.findall(
    r"\w+",
    """
        zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen
        """,
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = {word: value for value, word in enumerate(_UNITS)} | {
    word: 10 * tens for tens, word in enumerate(_TENS, start=2)
}
_NUMBER_WORD = rf"(?:{'|'.join((*_VALUES, 'hundred', 'thousand'))})\b"
_NUMBER_IN_WORDS = lazy_pattern(
    rf"\b(?=\w+[ -](?:\w+[ -])?(?:hundred|thousand)\b){_NUMBER_WORD}"
    rf"(?:(?:[ -]|,[ ])(?:and[ ])?{_NUMBER_WORD})*"
)
_BETWEEN_WORDS = re.compile(r"\W+")


def strip_reasoning(text: str) -> str:
    """``text`` without what a reader thought aloud before it answered.

    Takes out ``<think>...</think>`` blocks (and ``[THINK]``, ``<reasoning>``, ...); all that stands before a
    closing tag whose opening tag was part of the prompt; and a block that was never closed.
    """
    if "<" not in text and "[" not in text:
        return text
    spoken: list[str] = []
    start, thinking = 0, False
    for tag in _TAGS.finditer(text):
        if not tag[1]:
            spoken = spoken if thinking else []
        elif not thinking:
            spoken.append(text[start : tag.start()])
        start, thinking = tag.end(), bool(tag[1])
    return "".join(spoken if thinking else [*spoken, text[start:]])


def tidy(text: str) -> str:
    """``text`` casefolded and without marks, its hyphens kept.

    Lines stay lines and sentences stay sentences: what follows needs their borders. ``spaced`` turns the
    result into ``normalise``'s, character by character, so offsets in one are offsets in the other.
    """
    return _tidied(text) if len(text) <= _LONGEST_KEPT else _tidied.__wrapped__(text)


@lru_cache(maxsize=1024)
def _tidied(text: str) -> str:
    if _PLAIN.fullmatch(text) and "   " not in text:
        return digits_for_words(text.lower())
    text = _join_thousands(_strip_markdown(html.unescape(text)))
    if _MAY_BE_TRANSLATED.search(text):
        text = text.translate(_TRANSLATION)
    text = unicodedata.normalize("NFKC", text).casefold()
    text = unicodedata.normalize("NFKC", text)
    if _MAY_BE_BELOW_ZERO_OR_STAMP.search(text):
        text = _STAMP.sub(r" \1", _BELOW_ZERO.sub("minus ", text))
    text = _strip_list_numbers(text)
    return digits_for_words(_fold_lookalikes(text))


def spaced(tidied: str) -> str:
    """A tidied text with spaces for hyphens; every character keeps its place."""
    return tidied.replace("-", " ")


def normalise(text: str) -> str:
    """``text`` in the form in which names are compared: "**Gold-Mist**" is "gold mist"."""
    return _normalised(text) if len(text) <= _REMEMBERED else spaced(tidy(text))


@lru_cache(maxsize=8192)
def _normalised(text: str) -> str:
    return spaced(tidy(text))


def _fold_lookalikes(text: str) -> str:
    if text.isascii() or not _CYRILLIC_OR_GREEK.search(text):
        return text
    betrays = _LATIN_OR_DIGIT if _is_written_in_them(text) else _HALF_LATIN
    return _WORD.sub(
        lambda word: word[0].translate(_LOOKALIKES) if betrays.search(word[0]) else word[0], text
    )


def looks_latin(text: str) -> bool:
    """Whether a text has Cyrillic or Greek letters, and each of their words looks Latin from end to end."""
    folded = text.casefold().replace("ё", "е")
    words = [word for word in _WORD.findall(folded) if _CYRILLIC_OR_GREEK.search(word)]
    return bool(words) and not any(_NEVER_LATIN.search(word) for word in words)


_LATIN_LETTER = re.compile("[a-z]")
_RUSSIAN_ALONE = frozenset(
    re.findall(r"\w+", "нет не сорок сто мар март марта марте восток ответ текст тексте автор сент окт")
)
"""Words of Russian that look Latin from end to end; they may be a whole answer."""


def _is_written_in_them(text: str) -> bool:
    """Whether a text is Cyrillic or Greek: of each four such words, one has a letter that is never Latin."""
    words = [word for word in _WORD.findall(text) if _CYRILLIC_OR_GREEK.search(word)]
    if not (_LATIN_LETTER.search(text) or _RUSSIAN_ALONE.isdisjoint(words)):
        return True
    return 4 * sum(_NEVER_LATIN.search(word) is not None for word in words) >= len(words)


def _strip_markdown(text: str) -> str:
    for sign, pattern, replacement in (
        ("~~", _STRUCK_OUT, " "),
        ("<", _TAG, " "),
        ("](", _LINK, r"\1"),
        ("[", _CITATION, ""),
    ):
        if sign in text:  # else nothing matches
            text = pattern.sub(replacement, text)
    if "\\" in text or "{" in text:
        text = without_latex(text)
    text = _TABLE_RULE.sub("", text)
    if _MAY_BE_LINE_MARK.search(text):
        text = _LINE_MARK.sub("", text)
    if "_" in text:
        text = _UNDERLINE.sub("", text)
    return text.replace("*", "").replace("`", "").replace("US$", "").replace("$", "")


def _join_thousands(text: str) -> str:
    if not _MAY_BE_THOUSANDS.search(text):
        return text
    return _THOUSANDS.sub(lambda match: _NOT_DIGITS.sub("", match[0]), text)


def _strip_list_numbers(text: str) -> str:
    """Drop "1.", "2.", ... at line starts, but only where they count up: "742. The code" keeps its number."""
    if not _MAY_BE_LISTED.search(text):
        return text
    last = 0

    def replacement(match: re.Match[str]) -> str:
        nonlocal last
        number = int(match[1])
        if number not in (1, last + 1):
            return match[0]
        last = number
        return ""

    return _LIST_NUMBER.sub(replacement, text)


def digits_for_words(text: str) -> str:
    """``text``, casefolded, with digits for numbers in words from a hundred up.

    Smaller ones stand in names ("needle with two eyes") and in chatter, and stay.
    """
    return _NUMBER_IN_WORDS.sub(_in_digits, text) if "hundred" in text or "thousand" in text else text


def _in_digits(match: re.Match[str]) -> str:
    value = _value([word for word in _BETWEEN_WORDS.split(match[0]) if word != "and"])
    return match[0] if value is None else str(value)


def _value(words: list[str]) -> int | None:
    """The number; None where the words are no number in good order, such as "five two hundred"."""
    if "thousand" in words:
        split = words.index("thousand")
        high, low = _below_thousand(words[:split]), _below_thousand(words[split + 1 :])
        return None if not high or low is None else 1000 * high + low
    return _below_thousand(words)


def _below_thousand(words: list[str]) -> int | None:
    if "hundred" in words:
        split = words.index("hundred")
        high, low = _below_hundred(words[:split]), _below_hundred(words[split + 1 :])
        return None if not high or low is None else 100 * high + low
    return _below_hundred(words)


def _below_hundred(words: list[str]) -> int | None:
    values = [_VALUES.get(word) for word in words]
    match values:
        case []:
            return 0
        case [int(one)]:
            return one
        case [int(tens), int(one)] if tens >= 20 and 0 < one < 10:
            return tens + one
    return None
