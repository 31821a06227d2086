"""The value that a name writes, and where a text says it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache

from niah.judges.rubric.forms.amounts.units import unit_words
from niah.judges.rubric.forms.amounts.values import MONEY, WrittenValue, values_in
from niah.judges.rubric.forms.quantities import is_month
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.lazy_pattern import lazy_pattern


@dataclass(frozen=True)
class NamedValue:
    """The value that a name writes, and the word behind its number where that is no known unit ("gulden")."""

    value: WrittenValue
    counted: str = ""

    def in_dollars_too(self, element: str) -> tuple[NamedValue, ...]:
        """The value, and the same in dollars where the element has their sign, which no tidied name has."""
        if "$" not in element or self.value.kind:
            return (self,)
        return (self, NamedValue(self.value._replace(kind="dollar")))

    def is_said(self, said: WrittenValue, text: str, counted: Collection[str] = ()) -> int:
        """Where the name ends if a value of the text says it; 0 where it does not.

        Args:
            said: the value.
            text: in which it stands.
            counted: what all names count; a number behind the label of another is not this name's.
        """
        if said.kind == "" and self.value.kind in MONEY and said.amount == self.value.amount:
            if _FOR_SOMETHING.match(text, said.end) and _names_money(_sentence_before(text, said.start)):
                return said.end
            alone = said.amount >= _TELLING and _NOTHING_BEHIND.match(text, said.end)
            return said.end if alone and not _names_money(text[said.start : said.end]) else 0
        if said.kind == "" and self.value.kind == "month" and 12 * said.amount == self.value.amount:
            aged = _AGED.search(text[max(0, said.start - _NEAR) : said.start])
            return said.end if aged and _NOTHING_BEHIND.match(text, said.end) else 0
        if (said.kind, said.amount) != (self.value.kind, self.value.amount):
            return 0
        if None not in (said.late, self.value.late) and said.late != self.value.late:
            return 0
        if not self.counted:
            return said.end
        before = _sentence_before(text, said.start)
        if _FOR_SOMETHING.match(text, said.end) and f" {self.counted[:_ALIKE]}" in before:
            return said.end
        behind = _WORD_BEHIND.match(text, said.end)
        if behind and behind[1][:_ALIKE] == self.counted[:_ALIKE]:
            return behind.end()
        label = _LABEL_BEFORE.search(text[max(0, said.start - _LONGEST) : said.start])
        if label and any(label[1][:_ALIKE] == one[:_ALIKE] != self.counted[:_ALIKE] for one in counted):
            return 0
        telling = said.amount.denominator > 1 or said.amount >= _TELLING
        return said.end if telling and (behind is None or not behind[1]) else 0


_LABEL_BEFORE = lazy_pattern(r"([^\W\d_]+)\s*[:=,]\s*\Z")
_WORD_BEHIND = re.compile(r"\s?(?:(?:of|de|di|d')\s?(?=[^\W\d_]{3}))?([^\W\d_]*)")
_NOTHING_BEHIND = re.compile(r"\s*(?:\Z|\(|[.,;!?)\n](?!\d))")
# "He's four": an age needs no years.
_AGED = re.compile(
    r"(?:\b(?:he|she|who)(?:'s|\s+is|\s+was)|\b(?:aged?|alter|âge|edad|idade|età|возраст)\s*:?)\s+\Z"
)
_NEAR = 24
# "Thirty crowns for the horse, twelve for the cart": the currency is said once.
_FOR_SOMETHING = re.compile(r"\s+(?:for|für|pour|por|para|per|за)\s")
_SENTENCE_STARTS = re.compile(r"[.!?;\n](?=\s)")


def _sentence_before(text: str, end: int) -> str:
    """What stands in a sentence before a place."""
    starts = [match.end() for match in _SENTENCE_STARTS.finditer(text, max(0, end - _LONG), end)]
    return text[starts[-1] if starts else max(0, end - _LONG) : end]


_LONG = 120
_ALIKE = 3
_TELLING = 13


def _names_money(said: str) -> bool:
    return any(word in _currencies() for word in re.findall(r"[^\W\d_]+|[$€£¥₩₽₹]", said))


@cache
def _currencies() -> frozenset[str]:
    return frozenset(word for unit in MONEY for word in unit_words()[unit])


@lru_cache(maxsize=8192)
def value_of(name: str, languages: tuple[Language, ...]) -> NamedValue | None:
    """The value that a whole normalised name writes; None where it is none, or more than that."""
    if len(name) > _LONGEST or _NO_VALUE.fullmatch(name):
        return None
    values = values_in(name, languages)
    if not values:
        return None
    before, rest = name[: values[0].start], name[values[0].end :].strip(" .,")
    if _ARTICLE.fullmatch(before) is None:
        return None
    if not rest:
        return NamedValue(values[0])
    rest = _OF_WHAT.sub("", rest)
    if values[0].kind == "" and re.fullmatch(r"[^\W\d_]+", rest) and not is_month(rest):
        return NamedValue(values[0], rest)
    return None


_NO_VALUE = re.compile(r"0\d+|[12]\d\d0s")
"""A code, and a decade."""
_OF_WHAT = re.compile(r"\A(?:of|de|di|d'|d)\s*(?=[^\W\d_]{3})")


_ARTICLE = re.compile(
    r"(?:(?:the|der|die|das|le|la|les|el|los|las|il|lo|gli|o|os|as|um|at|about)\s+)?(?:(?:午後|午前|下午|上午|오후|오전|저녁|밤|새벽|아침|晚上|早上|凌晨|清晨|傍晚|夕方|朝の?|夜の?)\s*)?"
)
_LONGEST = 60
