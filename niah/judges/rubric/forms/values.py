"""Numbers, shares, measures and times of day by their value: "three quarters" is "75 %", "halb acht" is 7:30.

A text's numbers are first put into digits, whatever language spells them; then what stands around them is
read: a unit, a percent sign, a clock's words. Two ways to write say the same if kind and amount agree.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain

from niah.judges.rubric.forms.measures import unit_words
from niah.judges.rubric.forms.numbers import cases_in_russian, number_of
from niah.judges.rubric.languages.detect import Language

_SPELLED: tuple[Language, ...] = ("en", "de", "fr", "es", "pt", "it", "ru")
_BELOW = 1000
_SIGNS = "〇零一二三四五六七八九十百千万萬两兩"
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)?|[{_SIGNS}]+|[^\W\d_{_SIGNS}]+|[^\w\s]")
_DECIMAL = re.compile(r"\d+\.\d{1,2}")
_COUNTS = re.compile("[点點時时月日号號分割成公米キ週周年天小個个里文枚人]")
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
    **dict.fromkeys(("万", "萬"), 10**4),
}
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
    **dict.fromkeys(("anderthalb", "eineinhalb", "полтора", "полторы"), Fraction(3, 2)),
    "dreiviertel": Fraction(3, 4),
}
_AND = frozenset(("and", "und", "et", "y", "e", "с", "i"))
_HALVES = frozenset(
    ("half", "halb", "demi", "demie", "medio", "media", "meio", "meia", "mezzo", "mezza", "половиной")
)
_CLOCK_WORDS = frozenset(("past", "to", "nach", "vor", "before", "after", "o'clock"))


@dataclass(frozen=True)
class WrittenValue:
    """A value in a text: its kind ("", a unit, "clock"), its amount, and where it stands.

    Of a time of day, ``amount`` is minutes on the dial, and ``late`` whether it is after noon, if
    that is told.
    """

    kind: str
    amount: Fraction
    start: int
    end: int
    late: bool | None = None


@dataclass(frozen=True)
class NamedValue:
    """The value that a name writes, and the word behind its number where that is no known unit ("gulden")."""

    value: WrittenValue
    counted: str = ""

    def is_said(self, said: WrittenValue, text: str, counted: Collection[str] = ()) -> int:
        """Where the name ends if a value of the text says it; 0 where it does not.

        Args:
            said: the value.
            text: in which it stands.
            counted: what all names count; a number behind the label of another is not this name's.
        """
        if (said.kind, said.amount) != (self.value.kind, self.value.amount):
            return 0
        if None not in (said.late, self.value.late) and said.late != self.value.late:
            return 0
        if not self.counted:
            return said.end
        behind = _WORD_BEHIND.match(text, said.end)
        if behind and behind[1][:_ALIKE] == self.counted[:_ALIKE]:
            return behind.end()
        label = _LABEL_BEFORE.search(text[max(0, said.start - _LONGEST) : said.start])
        if label and any(label[1][:_ALIKE] == one[:_ALIKE] != self.counted[:_ALIKE] for one in counted):
            return 0
        telling = said.amount.denominator > 1 or said.amount >= _TELLING
        return said.end if telling and (behind is None or not behind[1]) else 0


_LABEL_BEFORE = re.compile(r"([^\W\d_]+)\s*[:=,]\s*\Z")
_WORD_BEHIND = re.compile(r"\s?([^\W\d_]*)")
_ALIKE = 3
_TELLING = 13


@lru_cache(maxsize=8192)
def value_of(name: str, languages: tuple[Language, ...]) -> NamedValue | None:
    """The value that a whole normalised name writes; None where it is none, or more than that."""
    if len(name) > _LONGEST:
        return None
    values = values_in(name, languages)
    if not values:
        return None
    before, rest = name[: values[0].start], name[values[0].end :].strip(" .,")
    if _ARTICLE.fullmatch(before) is None:
        return None
    if not rest:
        return NamedValue(values[0])
    if values[0].kind == "" and re.fullmatch(r"[^\W\d_]+", rest):
        return NamedValue(values[0], rest)
    return None


_ARTICLE = re.compile(
    r"(?:(?:the|der|die|das|le|la|les|el|los|las|il|lo|gli|o|os|as|um|at|about)\s+)?(?:(?:午後|午前|下午|上午|오후|오전|저녁|밤|새벽|아침|晚上|早上|凌晨)\s*)?"
)
_LONGEST = 60
_COMPOUNDING = frozenset(("de", "it"))
_LONG = 6
"""Letters of which a compound number has more: "tausendzwei", "dreieinhalb"."""
_LONGEST_NUMBER = 15
"""Signs of a number that is read by its value."""


def values_in(text: str, languages: tuple[Language, ...]) -> list[WrittenValue]:
    """The values that a normalised text writes, in reading order; where two overlap, the longer."""
    digits = _in_digits(text, languages)
    found = sorted(_read(digits.text), key=lambda v: (v.start, v.start - v.end))
    values: list[WrittenValue] = []
    for value in found:
        if not values or value.start >= values[-1].end or _same_place(value, values[-1]):
            values.append(value)
    return [_placed(value, digits, text) for value in values]


def _placed(value: WrittenValue, digits: _Digits, text: str) -> WrittenValue:
    """The value where it stands in the text; "07:15" is before noon."""
    start, end = digits.place(value.start), digits.place(value.end, end=True)
    early = value.kind == "clock" and value.late is None and text[start] == "0"
    return WrittenValue(value.kind, value.amount, start, end, False if early else value.late)


def _same_place(value: WrittenValue, other: WrittenValue) -> bool:
    """ "9.30" is a time of day and a number."""
    return (value.start, value.end) == (other.start, other.end)


# Numbers into digits


@dataclass(frozen=True)
class _Digits:
    """A text with its numbers in digits; ``edges`` are places in it, ``shifts`` where they stood before."""

    text: str
    edges: tuple[int, ...]
    shifts: tuple[int, ...]

    def place(self, offset: int, *, end: bool = False) -> int:
        at = bisect_right(self.edges, offset - end) - 1
        if at % 2:  # inside of a number
            return self.shifts[at + 1] if end else self.shifts[at]
        return self.shifts[at] + offset - self.edges[at]


def _in_digits(text: str, languages: tuple[Language, ...]) -> _Digits:
    tokens = list(_TOKEN.finditer(text))
    begins, compounds = _first_words(languages), not _COMPOUNDING.isdisjoint(languages)
    pieces: list[str] = []
    edges, shifts = [0], [0]
    length, done, place = 0, 0, 0
    while place < len(tokens):
        word = tokens[place][0]
        may_be = word in begins or word[0].isdigit() or word[0] in _SIGNS or (compounds and len(word) > _LONG)
        read = _number_at(tokens, place, languages) if may_be else None
        if read is None:
            place += 1
            continue
        amount, count = read
        start, end = tokens[place].start(), tokens[place + count - 1].end()
        as_it_stands = tokens[place][0] if count == 1 else ""
        written = as_it_stands if _DECIMAL.fullmatch(as_it_stands) else str(amount)
        pieces += [text[done:start], written]
        length += start - done
        edges += [length, length + len(written)]
        shifts += [start, end]
        length += len(written)
        done, place = end, place + count
    return _Digits("".join([*pieces, text[done:]]), tuple(edges), tuple(shifts))


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
    if len(words[0]) == 1 and words[0] in _SIGNS and not (len(words) > 1 and _COUNTS.match(words[1])):
        return None
    amount, count = _plain(words, languages)
    if amount is None and words[0] in _ONES and (half := _half_behind(words[1:])):
        return Fraction(3, 2), 1 + half
    if amount is None and words[0] in _HALVES and len(words) > 1 and words[1] in _unit_tokens():
        return Fraction(1, 2), 1
    if amount is None:
        if words[0] in _ALONE and (len(words) < 2 or words[1] not in _CLOCK_WORDS):
            return _ALONE[words[0]], 1
        if words[0] in _ONES and len(words) > 1 and (words[1] in _FACTORS or words[1] in _PARTS):
            amount, count = Fraction(1), 1
        elif words[0] in _FACTORS and words[0] not in ("mio", "mn"):
            amount, count = Fraction(1), 0
        else:
            return None
    after = words[count:]
    if after[:1] and after[0] in _PARTS and not (len(after) > 1 and after[1] in _CLOCK_WORDS):
        return amount / _PARTS[after[0]], count + 1
    half = _half_behind(after)
    if half:
        amount, count = amount + Fraction(1, 2), count + half
    if words[count : count + 1] and words[count] in _FACTORS:
        factor = _FACTORS[words[count]]
        amount, count = amount * factor, count + 1
        link = count + (words[count : count + 1] != [] and words[count] in _AND)
        rest, more = _plain(words[link:], languages)
        if rest is not None and factor > 12 and rest < factor and rest.denominator == 1:
            amount, count = amount + rest, link + more
    return amount, count


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
                    return Fraction(value), count
            compound = _compound(first, language)
            if compound is not None:
                return compound, 1
    return None, 0


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


# What stands around the digits


def _read(text: str) -> Iterator[WrittenValue]:
    plain, of_units = _patterns()
    plain = plain if _ANY_DIGIT.search(text) else ()
    units = ((pattern, unit) for unit in _units_in(text) for pattern in of_units[unit])
    for pattern, kind in chain(plain, units):
        for match in pattern.finditer(text):
            yield from _valued(match, kind)


_ANY_DIGIT = re.compile(r"\d")
_BEHIND_A_NUMBER = re.compile(
    r"(?:\d|(?<!\w)(?:an?|one|une?|una|eine?)(?=\s))(?=\s?(\S))(?=\s?(?:of\s+)?(?:an?\s+)?(\S)|\s+(\S))"
)


def _units_in(text: str) -> list[str]:
    """Units that may stand behind a text's numbers, by their first letters: few of all that there are."""
    letters = {letter for match in _BEHIND_A_NUMBER.finditer(text) for letter in match.groups()}
    return [unit for unit, begin in _first_letters().items() if not begin.isdisjoint(letters)]


@lru_cache(maxsize=1)
def _first_letters() -> dict[str, frozenset[str]]:
    return {unit: frozenset(word[0] for word in words) for unit, words in unit_words().items()}


def _valued(match: re.Match[str], kind: str) -> Iterator[WrittenValue]:
    groups = match.groupdict()
    if kind.startswith("clock"):
        minutes = _minutes(groups, kind)
        if minutes is not None:
            late = True if minutes >= 780 else half_of_day(match.string, *match.span())
            yield WrittenValue("clock", Fraction(minutes % 720), *match.span(), late)
        return
    amount = Fraction(groups["n"] or 1)
    if kind == "%":
        yield WrittenValue("", amount / 100, *match.span())
    elif kind == "tenths":
        yield WrittenValue("", amount / 10, *match.span())
    elif not kind:
        yield WrittenValue("", amount, *match.span())
    else:
        name, factor = _unit(kind)
        amount += Fraction(1, 2) if groups.get("half") or groups.get("east") else 0
        if groups.get("m"):
            below = _BELOW_UNITS.get(kind)
            if below is None:
                return
            amount += Fraction(groups["m"]) / below
        yield WrittenValue(name, amount * factor, *match.span())


_LATE = re.compile(
    r"\s*(?:p\.?\s?m\b|in\s+the\s+(?:afternoon|evening)|at\s+night|(?:am\s+)?(?:nachmittags?|abends?)|(?:du|de\s+l')\s*(?:soir|après)"
    r"|de\s+la\s+(?:tarde|noche)|da\s+(?:tarde|noite)|d(?:i|ella)\s+sera|del\s+pomeriggio|вечера|дня)"
)
_EARLY = re.compile(
    r"\s*(?:a\.?\s?m\b(?!\s+(?:nachmittag|abend|mittag))|in\s+the\s+morning|am\s+(?:morgen|vormittag)|in\s+der\s+früh|morgens|vormittags|früh|du\s+matin|de\s+la\s+mañana|da\s+manhã|d(?:i|el)\s+mattin|утра)"
)
_EAST_LATE, _EAST_EARLY = (
    re.compile("(?:下午|午後|午后|오후|晚上|傍晚|夜|저녁|밤|夕方)の?\\s*\\Z"),
    re.compile("(?:上午|午前|오전|早上|凌晨|清晨|朝|早晨|새벽|아침|未明|早朝)の?\\s*\\Z"),
)


def half_of_day(text: str, start: int, end: int) -> bool | None:
    """Whether a time of day, ``text[start:end]``, is said to be after noon; None where nothing is said."""
    before, said = text[max(0, start - 6) : start], text[start:end]
    if _LATE.match(text, end) or _EAST_LATE.search(before) or _PM.search(said):
        return True
    early = _EARLY.match(text, end) or _EAST_EARLY.search(before) or _AM.search(said)
    return False if early else None


_PM = re.compile(r"\dp\.?\s?m\b|\bp\.?\s?m\b|\A(?:下午|午後|午后|오후|晚上|傍晚|夜|저녁|밤|夕方)")
_AM = re.compile(r"\da\.?\s?m\b|\ba\.?\s?m\b|\A(?:上午|午前|오전|早上|凌晨|清晨|朝|早晨|새벽|아침|未明|早朝)")


_BELOW_UNITS = {
    "hour": 60,
    "minute": 60,
    "m": 100,
    "foot": 12,
    "dollar": 100,
    "euro": 100,
    "gbp": 100,
    "year": 12,
}
_BASES: dict[str, tuple[str, Fraction]] = {
    "km": ("m", Fraction(1000)),
    "cm": ("m", Fraction(1, 100)),
    "mm": ("m", Fraction(1, 1000)),
    "tonne": ("kg", Fraction(1000)),
    "g": ("kg", Fraction(1, 1000)),
    "hour": ("minute", Fraction(60)),
    "second": ("minute", Fraction(1, 60)),
    "day": ("minute", Fraction(1440)),
    "week": ("minute", Fraction(10080)),
    "year": ("month", Fraction(12)),
    "inch": ("foot", Fraction(1, 12)),
}


def _unit(kind: str) -> tuple[str, Fraction]:
    return _BASES.get(kind, (kind, Fraction(1)))


def _minutes(groups: dict[str, str | None], kind: str) -> int | None:
    hour = groups.get("n") or ""
    if not hour.isdecimal() or int(hour) > 24:
        return None
    given = groups.get("m")
    if given is not None and (not given.isdecimal() or int(given) > 59):
        return None
    minutes = {"half": 30, "quarter": 15, "before": -30, "less": -15, "threequarters": 45}.get(kind[6:], 0)
    if kind == "clock to" and given is not None:
        return int(hour) * 60 - int(given)
    return int(hour) * 60 + minutes + int(given or 0)


@lru_cache(maxsize=1)
def _unit_tokens() -> frozenset[str]:
    return frozenset(word for words in unit_words().values() for word in words)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[tuple[re.Pattern[str], str], ...], dict[str, tuple[re.Pattern[str], ...]]]:
    """Those that stand for themselves, each with its kind of value, then those of each unit."""
    n = r"(?<![\w.,:/])(?P<n>\d{1,15}(?:\.\d{1,4}|/0{0,3}[1-9]\d{0,3})?)"
    hour = r"(?<![\w.,:/])(?P<n>\d{1,2})"
    end = r"(?![\w/]|[.,:]\d)"
    link = r"(?:and|und|et|y|e|и|с)"
    told: list[tuple[str, str]] = [
        (
            rf"{n}\s?(?:%|percent|per\s+cent|pct|prozent|pour\s+cent|por\s+ciento|por\s+cento|per\s+cento|процент\w*|パーセント|퍼센트)",
            "%",
        ),
        (r"百分之(?P<n>\d{1,6})", "%"),
        (r"(?<!\d)(?P<n>\d{1,4})(?:割|成)", "tenths"),
        (rf"{hour}\s?[:.h]\s?(?P<m>[0-5]\d)(?:\s?(?:[ap]\.?\s?m\b\.?|uhr|h\b))?{end}", "clock"),
        (rf"{hour}\.(?P<m>[0-5]\d)(?:\s?(?:[ap]\.?\s?m\b\.?|uhr|h\b))?{end}", "clock"),
        (rf"{hour}\s+(?:uhr|heures?|ч(?:ас\w*)?)\s+(?P<m>[0-5]?\d){end}", "clock"),
        (rf"{hour}\s?(?:[ap]\.?\s?m\b\.?|o'clock|uhr\b)", "clock"),
        (rf"(?:a\s+)?quarter\s+past\s+{hour}\b", "clock quarter"),
        (rf"(?:a\s+)?quarter\s+to\s+{hour}\b", "clock less"),
        (rf"half\s+past\s+{hour}\b", "clock half"),
        (rf"(?P<m>\d{{1,2}})\s+(?:minutes\s+)?past\s+{hour}\b", "clock"),
        (rf"(?P<m>\d{{1,2}})\s+(?:minutes\s+)?to\s+{hour}\b", "clock to"),
        (rf"halb\s+{hour}\b", "clock before"),
        (rf"viertel\s+nach\s+{hour}\b", "clock quarter"),
        (rf"viertel\s+vor\s+{hour}\b", "clock less"),
        (rf"{hour}\s+heures?\s+et\s+quart\b", "clock quarter"),
        (rf"{hour}\s+heures?\s+et\s+demie?\b", "clock half"),
        (rf"{hour}\s+heures?\s+moins\s+le\s+quart\b", "clock less"),
        (rf"(?:l[ae]s?\s+)?{hour}\s+(?:y\s+media|e\s+meia|e\s+mezz[ao]|e\s+trenta)\b", "clock half"),
        (rf"(?:l[ae]s?\s+)?{hour}\s+(?:y\s+cuarto|e\s+un\s+quarto)\b", "clock quarter"),
        (rf"(?:l[ae]s?\s+)?{hour}\s+(?:menos\s+cuarto|meno\s+un\s+quarto)\b", "clock less"),
        (r"(?P<n>\d{1,2})\s?[点點時时시]\s?[半반]", "clock half"),
        (r"(?P<n>\d{1,2})[点點]一刻", "clock quarter"),
        (r"(?P<n>\d{1,2})\s?[点點時时시]\s?(?P<m>\d{1,2})\s?[分분]", "clock"),
        (rf"{n}{end}", ""),
    ]
    half = r"half|1/2|halbe?|demie?|medi[oa]|mei[oa]|mezz[oa]|половиной"
    told += [
        (rf"\{sign}\s?(?P<n>\d{{1,15}}(?:\.\d{{1,4}}|/0{{0,3}}[1-9]\d{{0,3}})?)", kind)
        for sign, kind in (("$", "dollar"), ("€", "euro"), ("£", "gbp"))
    ]
    plain = tuple((re.compile(pattern), kind) for pattern, kind in told)
    of_a_unit: list[tuple[str, str]] = []
    for kind, words in unit_words().items():
        if kind == "percent":
            continue
        either = "|".join(
            re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True)
        )
        unit = rf"(?:{either})(?![a-z\u00df-\u024f\u0400-\u04ff])\.?"
        behind = rf"(?:\s+{link}\s+(?:(?:a|one|ein|une?|una)\s+)?(?P<half>{half})\b|(?P<east>半|반))?"
        of_a_unit.append((rf"{n}\s?(?:of\s+)?(?:an?\s+)?{unit}{behind}", kind))
        of_a_unit.append(
            (
                rf"(?<!\w)(?:an?|one|une?|una|eine?)\s+{unit}\s+{link}\s+(?:a\s+)?(?P<half>{half})\b(?P<n>)",
                kind,
            )
        )
        if kind in _BELOW_UNITS:
            below = {"hour": "minute", "minute": "second", "m": "cm", "foot": "inch", "year": "month"}.get(
                kind
            )
            lower = unit_words().get(below or "", ("cents", "cent", "centimes", "pence", "p"))
            lesser = "|".join(re.escape(word) for word in sorted(lower, key=len, reverse=True))
            of_a_unit.append((rf"{n}\s?{unit}\s*,?\s*(?:{link}\s+)?(?P<m>\d{{1,4}})\s*(?:{lesser})\b", kind))
    of_units: dict[str, list[re.Pattern[str]]] = {unit: [] for unit in unit_words()}
    for pattern, kind in of_a_unit:
        of_units[kind].append(re.compile(pattern))
    return plain, {unit: tuple(patterns) for unit, patterns in of_units.items()}
