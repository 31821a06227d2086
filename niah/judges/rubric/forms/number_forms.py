"""Every way of a language to say a whole number: before a feminine noun, in other cases, in one word.

``num2words`` gives one way; what is said otherwise is told here by rule, for all numbers alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from niah.judges.rubric.languages.detect import Language

_Rules = tuple[tuple[re.Pattern[str], str], ...]


def _rules(*pairs: tuple[str, str]) -> _Rules:
    return tuple((re.compile(pattern), other) for pattern, other in pairs)


# Each rule may be used or not: "ciento una" and "ciento un" are ways to say "ciento uno".
_OTHERWISE: dict[str, tuple[_Rules, ...]] = {
    "en": (_rules((r" and ", " ")),),
    "de": (
        _rules((r"\Aein(?=hundert|tausend)", "")),
        _rules((r"eins\Z", "ein"), (r"eins\Z", "eine"), (r"eins\Z", "einen"), (r"eins\Z", "einem")),
        _rules(
            (r"(?<=hundert)(?=\w)", "und"), (r"(?<=hundert)(?=\w)", " und "), (r"(?<=tausend)(?=\w)", "und")
        ),
        _rules((r"zwei\Z", "zwo")),
    ),
    "fr": (
        _rules((r"\bun\Z", "une")),
        _rules((r"quatre vingt(?! ?\w)", "quatre vingts"), (r"\bcents\b", "cent"), (r"\bvingts\b", "vingt")),
    ),
    "es": (
        _rules((r"veintiuno\Z", "veintiún"), (r"veintiuno\Z", "veintiuna"), (r"veintiuno\Z", "veintiun")),
        _rules((r"\buno\Z", "un"), (r"\buno\Z", "una")),
        _rules((r"cientos", "cientas"), (r"quinientos", "quinientas")),
        _rules((r"veinti(\w+)\Z", r"veinte y \1")),
        _rules((r"\bcien\Z", "ciento")),
    ),
    "pt": (
        _rules((r"\bum\Z", "uma")),
        _rules((r"\bdois\b", "duas")),
        _rules((r"entos\b", "entas")),
        _rules((r"catorze", "quatorze")),
        _rules((r"dezasseis", "dezesseis"), (r"dezassete", "dezessete"), (r"dezanove", "dezenove")),
    ),
    "it": (
        _rules((r"uno\Z", "un"), (r"uno\Z", "una")),
        _rules((r"tre\Z", "tré"), (r"tré\Z", "tre")),
        _rules((r"(?<=cento)(?=[a-zé])", " "), (r"(?<=cento)(?=[a-zé])", " e ")),
        _rules((r"centouno", "centuno"), (r"centootto", "centotto"), (r"centoottanta", "centottanta")),
    ),
    "ru": (
        _rules((r"\bодин\Z", "одна"), (r"\bодин\Z", "одну"), (r"\bодин\Z", "одно")),
        _rules((r"\bодного\Z", "одной"), (r"\bдва\Z", "две"), (r"\bодним\Z", "одной")),
    ),
    "nl": (
        _rules((r"(?<=honderd)(?=\w)", " "), (r"(?<=honderd)(?=\w)", "en"), (r"(?<=honderd)(?=\w)", " en ")),
        _rules((r"éé", "ee")),
        _rules((r"ë", "e")),
        _rules((r"\Ahonderd", "eenhonderd")),
    ),
    "sv": (
        _rules((r"ett\Z", "en")),
        _rules((r"\Aetthundra", "hundra")),
        _rules((r"(?<=hundra)(?=\w)", " ")),
    ),
}
_ENGLISH_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_ENGLISH_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ENGLISH = (
    *_ENGLISH_ONES,
    *(f"{ten}-{one}" if one != "zero" else ten for ten in _ENGLISH_TENS for one in _ENGLISH_ONES[:10]),
)
"""Below a hundred. Most answers are looked through for no others, and ``num2words`` imports for 17 ms."""
_POLISH_ONES = (
    *("", "jeden", "dwa", "trzy", "cztery", "pięć", "sześć", "siedem", "osiem", "dziewięć", "dziesięć"),
    *("jedenaście", "dwanaście", "trzynaście", "czternaście", "piętnaście", "szesnaście", "siedemnaście"),
    *("osiemnaście", "dziewiętnaście"),
)
_POLISH_TENS = (
    *("", "", "dwadzieścia", "trzydzieści", "czterdzieści", "pięćdziesiąt", "sześćdziesiąt"),
    *("siedemdziesiąt", "osiemdziesiąt", "dziewięćdziesiąt"),
)
_POLISH_HUNDREDS = (
    *("", "sto", "dwieście", "trzysta", "czterysta", "pięćset", "sześćset", "siedemset", "osiemset"),
    "dziewięćset",
)
_POLISH_CASES = dict(
    zip(
        (*_POLISH_ONES[2:], *_POLISH_TENS[2:], *_POLISH_HUNDREDS[1:]),
        (
            *("dwóch", "trzech", "czterech", "pięciu", "sześciu", "siedmiu", "ośmiu", "dziewięciu"),
            *("dziesięciu", "jedenastu", "dwunastu", "trzynastu", "czternastu", "piętnastu", "szesnastu"),
            *("siedemnastu", "osiemnastu", "dziewiętnastu"),
            *("dwudziestu", "trzydziestu", "czterdziestu", "pięćdziesięciu", "sześćdziesięciu"),
            *("siedemdziesięciu", "osiemdziesięciu", "dziewięćdziesięciu"),
            *("stu", "dwustu", "trzystu", "czterystu", "pięciuset", "sześciuset", "siedmiuset", "ośmiuset"),
            "dziewięciuset",
        ),
        strict=True,
    )
)
"""The case of Polish numbers that all but the nominative may have."""
_TURKISH_ONES = ("", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz")
_TURKISH_TENS = ("", "on", "yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan")
_THOUSAND = 1000
_DIALECTS = {"fr": ("fr_CH",)}
"""Of ``num2words``: "septante" and "nonante"."""


@lru_cache(maxsize=32768)
def ways_to_say(value: int, language: Language) -> tuple[str, ...]:
    """All ways of a language to say a number of two and more, normalised, the plain one first.

    Args:
        value: the number.
        language: one whose words are known.
    """
    ways = list(dict.fromkeys(_WAYS.get(language, _by_rules)(value, language)))
    return tuple(ways)


def _by_rules(value: int, language: Language) -> Iterator[str]:
    ways = dict.fromkeys(_plain(value, dialect) for dialect in (language, *_DIALECTS.get(language, ())))
    if language == "ru":
        ways |= dict.fromkeys(cases_in_russian(value))
    for rules in _OTHERWISE.get(language, ()):
        for way in list(ways):
            ways |= {rule.sub(other, way): None for rule, other in rules if rule.search(way)}
    yield from ways


def _plain(value: int, language: str) -> str:
    """The number as ``num2words`` says it, in small letters, with spaces for hyphens."""
    words = spelled(value, language).casefold()
    if language == "sv":
        words = words.replace("förtio", "fyrtio")  # which it misspells
    return words.replace("-", " ").replace("ß", "ss").replace("ё", "е")


def spelled(value: int, language: str) -> str:
    """The number as ``num2words`` spells it, without commas: "twenty-two"."""
    if language == "en" and 0 <= value < len(_ENGLISH):
        return _ENGLISH[value]
    from num2words import num2words

    return str(num2words(value, lang=language)).replace(",", "")


def cases_in_russian(value: int) -> tuple[str, ...]:
    """The number in the cases of Russian: "сорока восьми", "сорока восемью"."""
    from num2words import num2words

    said = (str(num2words(value, lang="ru", case=case)) for case in "gdip")
    return tuple(dict.fromkeys(words.casefold().replace("ё", "е") for words in said))


def _in_polish(value: int, language: Language) -> Iterator[str]:
    """ "Dwadzieścia dwa", "dwadzieścia dwie", "dwudziestu dwóch"."""
    if value >= _THOUSAND:
        yield _plain(value, language)
        return
    hundreds, rest = divmod(value, 100)
    tens, ones = divmod(rest, 10) if rest > 19 else (0, rest)
    words = [word for word in (_POLISH_HUNDREDS[hundreds], _POLISH_TENS[tens], _POLISH_ONES[ones]) if word]
    yield " ".join(words)
    if words[-1] == "dwa":
        yield " ".join([*words[:-1], "dwie"])
    yield " ".join(_POLISH_CASES.get(word, word) for word in words)
    if value == 1:
        yield from ("jedna", "jedno")


def _in_turkish(value: int, language: Language) -> Iterator[str]:
    """ "Yirmi iki", "yirmiiki"."""
    thousands, below = divmod(value, _THOUSAND)
    words = [] if not thousands else [*(_turkish_below(thousands) if thousands > 1 else ()), "bin"]
    words += _turkish_below(below)
    yield " ".join(words)
    yield "".join(words)


def _turkish_below(value: int) -> list[str]:
    hundreds, rest = divmod(value, 100)
    said = [_TURKISH_ONES[hundreds] if hundreds > 1 else "", "yüz" if hundreds else ""]
    return [word for word in (*said, _TURKISH_TENS[rest // 10], _TURKISH_ONES[rest % 10]) if word]


_WAYS: dict[Language, Callable[[int, Language], Iterator[str]]] = {"pl": _in_polish, "tr": _in_turkish}
