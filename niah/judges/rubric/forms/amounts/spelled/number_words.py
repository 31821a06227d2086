"""Words that say numbers, whatever the language: up to a thousand, factors, shares."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from niah.judges.rubric.forms.number_forms import ways_to_say
from niah.judges.rubric.languages.detect import Language

SPELLED_LANGUAGES: tuple[Language, ...] = (
    *("en", "de", "fr", "es", "pt", "it", "nl", "sv", "pl", "tr", "ru"),
)
EASTERN_DIGITS = "〇零一二三四五六七八九十百千万萬两兩"
_BELOW = 1000
ENGLISH_BEGINNINGS = (
    *("one", "two", "thr", "four", "fiv", "six", "seven", "eight", "nin", "ten", "eleven", "twe"),
    *("thi", "fif", "for"),
)
"""Letters with which each English number below a thousand begins."""
ONES = frozenset("a an one ein eine einen einer un une una uno um uma один одна одну".split())  # noqa: SIM905
FACTORS = {
    **dict.fromkeys(("dozen", "dozens", "dutzend", "douzaine", "douzaines", "docena", "docenas"), 12),
    **dict.fromkeys(("dúzia", "dúzias", "dozzina", "dozzine", "дюжина", "дюжины", "дюжину", "дюжин"), 12),
    **dict.fromkeys(("dozijn", "dussin", "tuzin", "tuziny", "tuzinów", "düzine"), 12),
    **dict.fromkeys(("hundred", "hundert", "сотня", "сотни"), 100),
    **dict.fromkeys(
        ("thousand", "tausend", "mille", "mil", "mila", "тысяча", "тысячи", "тысячу", "тысяч"), 1000
    ),
    **dict.fromkeys(("million", "millions", "millionen", "millón", "millones", "milhão", "milhões"), 10**6),
    **dict.fromkeys(("milione", "milioni", "миллион", "миллиона", "миллионов", "mio", "mn"), 10**6),
    **dict.fromkeys(("milioni", "млн", "mln", "mill"), 10**6),
    **dict.fromkeys(("billion", "billions", "bn", "milliarde", "milliarden", "mrd", "milliard"), 10**9),
    **dict.fromkeys(("milliards", "miliardo", "miliardi", "bilhão", "bilhões"), 10**9),
    **dict.fromkeys(("миллиард", "миллиарда", "миллиардов", "млрд"), 10**9),
    **dict.fromkeys(("duizend", "tusen", "tysiąc", "tysiące", "tysięcy", "tysiącami", "tysiącach"), 1000),
    **dict.fromkeys(("tys",), 1000),
    **dict.fromkeys(("millon", "milhao", "milhoes", "miljoen", "miljoenen", "miljon", "miljoner"), 10**6),
    **dict.fromkeys(("milion", "miliona", "miliony", "milionów", "milionami", "milyon", "mln", "mjn"), 10**6),
    **dict.fromkeys(
        ("miljard", "miliarda", "miljarden", "miljarder", "miliard", "miliardy", "miliardów"), 10**9
    ),
    **dict.fromkeys(("milyar", "mld", "mlrd", "mia", "bilhao", "bilhoes"), 10**9),
    **dict.fromkeys(("тыс", "tsd", "тысячами", "тысячах", "тысячам"), 1000),
    **dict.fromkeys(("миллионами", "миллионах", "миллионам"), 10**6),
    **dict.fromkeys(("万", "萬", "만"), 10**4),
    **dict.fromkeys(("亿", "億", "억"), 10**8),
    **dict.fromkeys(("dizaine", "decena", "dezena", "decina", "десяток", "десятка"), 10),
    **dict.fromkeys(("quinzaine",), 15),
    **dict.fromkeys(("vingtaine", "veintena", "vintena", "ventina"), 20),
    **dict.fromkeys(("trentaine", "trentina"), 30),
    **dict.fromkeys(("quarantaine",), 40),
    **dict.fromkeys(("cinquantaine", "cinquantina", "полсотни"), 50),
    **dict.fromkeys(("centaine", "centenar", "centena", "centinaio"), 100),
}
ABBREVIATED_FACTORS = frozenset(
    ("mio", "mn", "bn", "mrd", "млн", "млрд", "mln", "mill", "тыс", "tsd", "tys", "mjn", "mld", "mlrd", "mia")
)
"""Factors that nobody writes without a number."""
PARTS_OF_ONE = {
    **dict.fromkeys(("half", "halves", "hälfte", "halbe", "halber", "moitié", "mitad", "metade", "metà"), 2),
    **dict.fromkeys(
        ("medio", "media", "meio", "meia", "mezzo", "mezza", "demi", "demie", "половина", "половину"), 2
    ),
    **dict.fromkeys(("third", "thirds", "drittel", "tiers", "tercio", "tercios", "terço", "terços"), 3),
    **dict.fromkeys(("terzo", "terzi", "треть", "трети"), 3),
    **dict.fromkeys(("quarter", "quarters", "viertel", "quart", "quarts", "cuarto", "cuartos", "quarto"), 4),
    **dict.fromkeys(("quartos", "quarti", "четверть", "четверти"), 4),
    **dict.fromkeys(
        ("fifth", "fifths", "fünftel", "cinquième", "cinquièmes", "quinto", "quintos", "quinti"), 5
    ),
    **dict.fromkeys(("eighth", "eighths", "achtel"), 8),
    **dict.fromkeys(("tenth", "tenths", "zehntel"), 10),
}
SHARES_ALONE = {
    **dict.fromkeys(("half", "hälfte", "moitié", "mitad", "metade", "metà", "половина"), Fraction(1, 2)),
    **dict.fromkeys(("anderthalb", "eineinhalb", "полтора", "полторы", "полутора"), Fraction(3, 2)),
    "dreiviertel": Fraction(3, 4),
}
HALVES = frozenset(
    ("half", "halb", "demi", "demie", "medio", "media", "meio", "meia", "mezzo", "mezza", "половиной")
)
THOUSANDS: dict[Language, str] = {"tr": "bin"}
"""The thousand of languages in which it is a word of others too: German "ich bin"."""
CLOCK_WORDS = frozenset(("past", "to", "nach", "vor", "before", "after", "o'clock"))


@lru_cache(maxsize=len(SPELLED_LANGUAGES))
def number_phrases(language: Language) -> dict[tuple[str, ...], int]:
    """The numbers from two up to a thousand in words; one and none are words of any sentence."""
    phrases: dict[tuple[str, ...], int] = {}
    for value in range(2, _BELOW):
        for way in ways_to_say(value, language):
            words = way.split()
            phrases.setdefault(tuple(words), value)
            phrases.setdefault(("".join(words),), value)
    if language in THOUSANDS:
        phrases[(THOUSANDS[language],)] = _BELOW
    return phrases
