"""The numbers of a text put into digits, whatever language spells them: "two dozen", "千二百"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile

from niah.judges.rubric.forms.amounts.units import unit_words
from niah.judges.rubric.forms.numbers import cases_in_russian, number_of
from niah.judges.rubric.languages.detect import Language

_SPELLED: tuple[Language, ...] = ("en", "de", "fr", "es", "pt", "it", "ru")
_BELOW = 1000
_SIGNS = "〇零一二三四五六七八九十百千万萬两兩"
_KOREAN = "영공일이삼사오육칠팔구십백천만억"
# Syllables of any word, but before what is counted: "만 이천 원", "1만 2천원".
_KOREAN_NUMBER = (
    rf"(?<![\uac00-\ud7a3])(?:[{_KOREAN}]+|(?<=\d)[천만억]+)(?=(?:\s?[\d{_KOREAN}]+)*\s?(?:원|명|개|년|분|초|시간|미터|킬로|그램|리터|톤"
    r"|권|마리|채|대|장|번|호|층|퍼센트|가마|상자|자루|섬|병|통|척|필|그루|리|보|냥|점|살|세|주|포기|[km%g]))"
)
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)?|[{_SIGNS}]+|{_KOREAN_NUMBER}|[^\W\d_{_SIGNS}]+|[^\w\s]")
_AS_IT_STANDS = re.compile(r"\d+\.\d{1,2}|0\d+")
_COUNTS = re.compile("[点點時时月日号號分刻割成公米キ週周年天小個个里文枚人]")
"""What stands behind a single sign that is a number; elsewhere it is part of a word."""
_ONES = frozenset("a an one ein eine einen einer un une una uno um uma один одна одну".split())  # noqa: SIM905
_FACTORS = {
    **dict.fromkeys(("dozen", "dozens", "dutzend", "douzaine", "douzaines", "docena", "docenas"), 12),
    **dict.fromkeys(("dúzia", "dúzias", "dozzina", "dozzine", "дюжина", "дюжины", "дюжину", "дюжин"), 12),
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
_ABBREVIATED = frozenset(("mio", "mn", "bn", "mrd", "млн", "млрд", "mln", "mill", "тыс", "tsd"))
"""Factors that nobody writes without a number."""
_ROUND = 1000
"""The least factor of a number that others may follow: "a million two hundred thousand"."""
_PARTS = {
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
_ALONE = {
    **dict.fromkeys(("half", "hälfte", "moitié", "mitad", "metade", "metà", "половина"), Fraction(1, 2)),
    **dict.fromkeys(("anderthalb", "eineinhalb", "полтора", "полторы", "полутора"), Fraction(3, 2)),
    "dreiviertel": Fraction(3, 4),
}
_OF = frozenset(("of", "de", "d", "di", "da", "einer", "от"))
_MONEY_SIGNS = frozenset("$€£¥₩₽")
_AND = frozenset(("and", "und", "et", "y", "e", "с", "i"))
_HALVES = frozenset(
    ("half", "halb", "demi", "demie", "medio", "media", "meio", "meia", "mezzo", "mezza", "половиной")
)
_CLOCK_WORDS = frozenset(("past", "to", "nach", "vor", "before", "after", "o'clock"))
_COMPOUNDING = frozenset(("de", "it"))
_LONG = 6
"""Letters of which a compound number has more: "tausendzwei", "dreieinhalb"."""
_LONGEST_NUMBER = 15
"""Signs of a number that is read by its value."""


@dataclass(frozen=True)
class TextInDigits:
    """A text with its numbers in digits; ``edges`` are places in it, ``shifts`` where they stood before."""

    text: str
    edges: tuple[int, ...]
    shifts: tuple[int, ...]

    def place(self, offset: int, *, end: bool = False) -> int:
        """Where an offset stood before; with ``end``, one behind the last sign."""
        at = bisect_right(self.edges, offset - end) - 1
        if at % 2:  # inside of a number
            return self.shifts[at + 1] if end else self.shifts[at]
        return self.shifts[at] + offset - self.edges[at]


def in_digits(text: str, languages: tuple[Language, ...]) -> TextInDigits:
    """A normalised text with its numbers in digits."""
    tokens = list(_TOKEN.finditer(text))
    begins, compounds = _first_words(languages), not _COMPOUNDING.isdisjoint(languages)
    pieces: list[str] = []
    edges, shifts = [0], [0]
    length, done, place = 0, 0, 0
    while place < len(tokens):
        word = tokens[place][0]
        may_be = (
            word in begins
            or word[0].isdigit()
            or word[0] in _SIGNS + _KOREAN
            or (compounds and len(word) > _LONG)
        )
        read = _number_at(tokens, place, languages) if may_be else None
        if read is None:
            place += 1
            continue
        amount, count = read
        start, end = tokens[place].start(), tokens[place + count - 1].end()
        as_it_stands = tokens[place][0] if count == 1 else ""
        written = as_it_stands if _AS_IT_STANDS.fullmatch(as_it_stands) else str(amount)
        pieces += [text[done:start], written]
        length += start - done
        edges += [length, length + len(written)]
        shifts += [start, end]
        length += len(written)
        done, place = end, place + count
    return TextInDigits("".join([*pieces, text[done:]]), tuple(edges), tuple(shifts))


@lru_cache(maxsize=64)
def _first_words(languages: tuple[Language, ...]) -> frozenset[str]:
    """With which words a number may begin; a compound of German or Italian may begin with others too."""
    spelled = (phrase[0] for language in languages if language in _SPELLED for phrase in _phrases(language))
    return frozenset((*spelled, *_ONES, *_FACTORS, *_ALONE, *_HALVES))


def _number_at(
    tokens: Sequence[re.Match[str]], place: int, languages: tuple[Language, ...]
) -> tuple[Fraction, int] | None:
    """The number that begins at a token, and how many tokens it takes."""
    words = [token[0] for token in tokens[place : place + 9]]
    if korean := _korean_number(words):
        return korean
    if len(words[0]) == 1 and words[0] in _SIGNS and not (len(words) > 1 and _COUNTS.match(words[1])):
        return None
    amount, count = _plain(words, languages)
    if amount is not None and (factor := _glued_factor(tokens, place)):
        return amount * factor, 2
    if amount is None and words[0] in _HALVES and len(words) > 1 and words[1] in _unit_tokens():
        return Fraction(1, 2), 1
    if amount is None:
        if words[0] in _ALONE and (len(words) < 2 or words[1] not in _CLOCK_WORDS):
            amount, count = _ALONE[words[0]], 1
        elif words[0] in _ONES and _is_one_of(words[1:], languages):
            amount, count = Fraction(1), 1
        elif words[0] in _FACTORS and words[0] not in _ABBREVIATED:
            amount, count = Fraction(1), 0
        else:
            return None
    after = words[count:]
    if after[:1] and after[0] in _PARTS and not (len(after) > 1 and after[1] in _CLOCK_WORDS):
        amount, count = amount / _PARTS[after[0]], count + 1
    elif amount.denominator == 1:
        share, more = _share_behind(after, languages)
        amount, count = amount + share, count + more
    if amount < 1:
        return _of_a_factor(words, amount, count)
    return _with_factors(words, amount, count, languages)


def _korean_number(words: Sequence[str]) -> tuple[Fraction, int] | None:
    """Sino-Korean numerals, digits among them or not, that say a number of more than one sign."""
    said = list(takewhile(lambda word: word.isdecimal() or not word.strip(_KOREAN), words))
    signs = "".join(said)
    if len(signs) < 2 or all(word.isdecimal() for word in said):
        return None
    total = below = 0
    digit: int | None = None
    for part in re.findall(r"\d+|\D", signs):
        if part.isdecimal() or part in _KOREAN_DIGITS:
            if digit is not None:
                return None
            digit = int(part) if part.isdecimal() else _KOREAN_DIGITS.index(part)
        elif part in _KOREAN_LARGE:
            total += (below + (digit or 0) or 1) * _KOREAN_LARGE[part]
            below, digit = 0, None
        else:
            below += (1 if digit is None else digit) * 10 ** (_KOREAN_TENS.index(part) + 1)
            digit = None
    return Fraction(total + below + (digit or 0)), len(said)


_KOREAN_DIGITS = "영일이삼사오육칠팔구"
_KOREAN_TENS = "십백천"
_KOREAN_LARGE = {"만": 10**4, "억": 10**8}


def _glued_factor(tokens: Sequence[re.Match[str]], place: int) -> int:
    """ "750k"; "£1.2m", but 1.2 m are metres."""
    if place + 1 >= len(tokens) or tokens[place + 1].start() != tokens[place].end():
        return 0
    sign = tokens[place + 1][0]
    of_money = place > 0 and tokens[place - 1][0] in _MONEY_SIGNS
    return 1000 if sign == "k" else 10**6 if sign == "m" and of_money else 0


def is_multiplied(text: str, start: int) -> bool:
    """Whether a number stands before a dozen, a thousand and the like: "a dozen eggs" are not two dozen."""
    word = _WORD.match(text, start)
    if word is None or word[0] not in _FACTORS:
        return False
    before = _WORD_BEFORE.search(text[max(0, start - _REACH) : start])
    if before is None or before[1] in _ONES:
        return False
    said = before[1]
    return said[0].isdigit() or any((said,) in _phrases(language) for language in _SPELLED)


_REACH = 60
_WORD = re.compile(r"[^\W\d_]{1,20}")  # no factor is longer, and some scripts write no borders
_WORD_BEFORE = re.compile(r"([^\W_]+)\s\Z")


def _is_one_of(after: Sequence[str], languages: tuple[Language, ...]) -> bool:
    """Whether a "one" counts what follows: "one million", "a third", "one and a half"."""
    if after[:1] and (after[0] in _FACTORS or after[0] in _PARTS):
        return True
    return _share_behind(after, languages)[1] > 0


def _with_factors(
    words: Sequence[str], amount: Fraction, count: int, languages: tuple[Language, ...]
) -> tuple[Fraction, int]:
    """ "Two and a half thousand", "a million two hundred thousand", "a million and a quarter"."""
    if not (words[count : count + 1] and words[count] in _FACTORS):
        return amount, count
    factor = _FACTORS[words[count]]
    amount, count = amount * factor, count + 1
    share, more = _share_behind(words[count:], languages) if factor >= _ROUND else (Fraction(0), 0)
    if more:
        return amount + share * factor, count + more
    link = count + (words[count : count + 1] != [] and words[count] in _AND)
    rest, more = _plain(words[link:], languages)
    if rest is None or factor <= 12 or rest >= factor or rest.denominator > 1:
        return amount, count
    behind = link + more
    smaller = _FACTORS.get(words[behind], 0) if behind < len(words) else 0
    if _ROUND <= smaller < factor:
        return amount + rest * smaller, behind + 1
    return amount + rest, behind


def _of_a_factor(words: Sequence[str], amount: Fraction, count: int) -> tuple[Fraction, int]:
    """ "Three quarters of a million"."""
    behind = count
    if words[behind : behind + 1] and words[behind] in _OF:
        behind += 1
        behind += words[behind : behind + 1] != [] and words[behind] in _ONES
        if words[behind : behind + 1] and _FACTORS.get(words[behind], 0) >= _ROUND:
            return amount * _FACTORS[words[behind]], behind + 1
    if words[count : count + 1] and _FACTORS.get(words[count], 0) >= _ROUND:
        return amount * _FACTORS[words[count]], count + 1
    return amount, count


def _share_behind(after: Sequence[str], languages: tuple[Language, ...]) -> tuple[Fraction, int]:
    """The share of one that "and a half" or "and three quarters" adds, and how many tokens say it."""
    half = _half_behind(after)
    if half:
        return Fraction(1, 2), half
    if not (after[:1] and after[0] in _AND):
        return Fraction(0), 0
    rest = after[1:]
    number, count = (Fraction(1), 1) if rest[:1] and rest[0] in _ONES else _plain(rest, languages)
    if number is None or not (rest[count : count + 1] and rest[count] in _PARTS):
        return Fraction(0), 0
    share = number / _PARTS[rest[count]]
    said_of_a_clock = len(rest) > count + 1 and rest[count + 1] in _CLOCK_WORDS
    return (share, count + 2) if share < 1 and not said_of_a_clock else (Fraction(0), 0)


def _half_behind(after: Sequence[str]) -> int:
    """How many tokens say "and a half"; 0 where none do."""
    if after[:1] and after[0] in _AND:
        rest = after[1:]
        if rest[:1] and rest[0] in _ONES:
            rest = rest[1:]
        if rest[:1] and rest[0] in _HALVES:
            return len(after) - len(rest) + 1
    return 0


def _plain(words: Sequence[str], languages: tuple[Language, ...]) -> tuple[Fraction | None, int]:
    if not words:
        return None, 0
    first = words[0]
    if first[0].isdecimal() and len(first) > _LONGEST_NUMBER:
        return None, 0
    if first[0].isdecimal():
        amount = _from_digits(first, languages)
        if (
            len(words) > 2
            and words[1] == "/"
            and words[2].isdecimal()
            and len(words[2]) < 4
            and int(words[2]) > 1
        ):
            return amount / int(words[2]), 3
        mixed = (
            len(words) > 3
            and words[1].isdecimal()
            and words[2] == "/"
            and words[3].isdecimal()
            and len(words[3]) < 4
        )
        if mixed and 0 < int(words[1]) < int(words[3]):
            return amount + Fraction(int(words[1]), int(words[3])), 4
        return amount, 1
    if first[0] in _SIGNS:
        written = number_of(first) if len(first) <= _LONGEST_NUMBER else ""
        return (Fraction(written), 1) if written else (None, 0)
    for language in languages:
        if language in _SPELLED:
            for count in range(min(5, len(words)), 0, -1):
                value = _phrases(language).get(tuple(words[:count]))
                if value is not None:
                    return (
                        _with_point(Fraction(value), count, words)
                        if language == "en"
                        else (Fraction(value), count)
                    )
            compound = _compound(first, language)
            if compound is not None:
                return compound, 1
    return None, 0


def _with_point(whole: Fraction, count: int, words: Sequence[str]) -> tuple[Fraction, int]:
    """ "Three point four"."""
    digits = ""
    if words[count : count + 1] == ["point"]:
        for word in words[count + 1 :]:
            digit = {"zero": 0, "oh": 0, "one": 1}.get(word, _phrases("en").get((word,), 10))
            if digit > 9:
                break
            digits += str(digit)
    return (
        (whole + Fraction(int(digits), 10 ** len(digits)), count + 1 + len(digits))
        if digits
        else (whole, count)
    )


def _from_digits(written: str, languages: tuple[Language, ...]) -> Fraction:
    """ "2,5" and "2.5" are two and a half; "1.250" is a thousand and more where points group thousands."""
    whole, sign, part = written.replace(",", ".").partition(".")
    if sign and len(part) == 3 and "." in written and len(languages) > 1 and whole != "0":
        return Fraction(int(whole + part))
    return Fraction(int(whole)) + (Fraction(int(part), 10 ** len(part)) if part else 0)


def _compound(word: str, language: Language) -> Fraction | None:
    """ "Zwölfhundertfünfzig", "milleduecentocinquanta", "zweieinhalb"."""
    if language == "de" and word.endswith("einhalb"):
        value = _phrases("de").get((word.removesuffix("einhalb"),))
        return None if value is None else value + Fraction(1, 2)
    parted = re.fullmatch(r"(.*?)(?:tausend|mila|mille)(.*)", word) if language in ("de", "it") else None
    factor = 1000
    if parted is None and language == "de":
        parted, factor = re.fullmatch(r"(.+?)hundert(.*)", word), 100
    if parted is None:
        return None
    high, low = (
        _phrases(language).get((part,)) if part else default
        for part, default in zip(parted.groups(), (1, 0), strict=True)
    )
    return None if high is None or low is None else Fraction(high * factor + low)


@lru_cache(maxsize=len(_SPELLED))
def _phrases(language: Language) -> dict[tuple[str, ...], int]:
    """The numbers from two up to a thousand in words; one and none are words of any sentence."""
    from num2words import num2words

    phrases: dict[tuple[str, ...], int] = {}
    for value in range(2, _BELOW):
        said = (
            str(num2words(value, lang=language))
            .casefold()
            .replace("-", " ")
            .replace("ß", "ss")
            .replace("ё", "е")
        )
        phrases.setdefault(tuple(said.split()), value)
        phrases.setdefault((said.replace(" ", ""),), value)
        if language == "en":
            phrases.setdefault(tuple(word for word in said.split() if word != "and"), value)
        if language == "ru":
            phrases |= {tuple(way.split()): value for way in cases_in_russian(value)}
    return phrases


@lru_cache(maxsize=1)
def _unit_tokens() -> frozenset[str]:
    return frozenset(word for words in unit_words().values() for word in words)
