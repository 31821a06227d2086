"""What an answer points at without its whole name: "the albatross", "the last two", "the year"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import wrong_elements
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.alike import begin_alike
from niah.judges.rubric.languages.detect import FUNCTION_WORDS
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.reading.spans import TextRange, mentions_inside

_WORD = re.compile(r"[^\W\d_]{4,40}")
_PLAIN = frozenset(
    _WORD.findall(
        """
        that this these those them they with into back take taken then than there here what which when where
        have been will would could should cannot only just from about after before again answer list text
        itself themselves himself herself else elsewhere something anything nothing everything since because
        withdraw withdrawing withdrawn retract retracting retracted
        """
    )
)
_LABEL = re.compile(r"([^\W\d_]{4,40})(?:\s+[^\W\d_]+)?\s?:(?:(?!\.\s)[^:\n;])*\Z")
_LABEL_REACH = 120
_LABEL_CUT = re.compile(r"[.!?;](?=\s)|\n")
_TWO = (
    r"(?:two|2|both|zwei|beiden?|deux|dos|dois|duas|due|два|две|двух|двоих"
    r"|[两兩二2][个個样樣项項者]?|二つ|ふたつ|2つ|두|둘)"
)
_FIRST = (
    r"(?:first|erste[nrs]?|premi(?:er|ère)s?|primer[oa]?s?|primeir[oa]s?|prim[oaei]|перв\w+|第一|前"
    r"|最初の|一つ目|ひとつ目|1つ目|첫\s?번?째?|처음)"
)
_LAST = (
    r"(?:last|final|latter|letzte[nrs]?|letztere[nrs]?|derni(?:er|ère)s?|últim[oa]s?|ultim[oaei]"
    r"|последн\w+|最后|最後の?|末尾の?|마지막)"
)
# "On second thoughts", "auf den zweiten Blick", "en una segunda lectura".
_NO_PLACE = (
    r"(?!\s+(?:thoughts?|looks?|glance|reading|place|blick|mal|lesen|lesung|lecture|coup|vue|lectura"
    r"|vista|leitura|lettura|взгляд\w*|чтени\w*)\b)"
)
_PLACES: tuple[tuple[re.Pattern[str], slice], ...] = tuple(
    (lazy_pattern(rf"(?<![a-zà-žа-я])(?:{said})(?![a-zà-žа-я]){_NO_PLACE}"), place)
    for said, place in (
        (rf"{_FIRST}\s?{_TWO}|{_TWO}\s?{_FIRST}", slice(0, 2)),
        (rf"{_LAST}\s?{_TWO}|{_TWO}\s?{_LAST}", slice(-2, None)),
        (rf"{_FIRST}|former|erstere[nrs]?", slice(0, 1)),
        (
            r"second|zweite[nrs]?|deuxième|seconde?|segund[oa]|second[oa]|втор\w+|第二|二つ目|ふたつ目|2つ目|두\s?번째",
            slice(1, 2),
        ),
        (
            r"third|dritte[nrs]?|troisième|tercer[oa]?|terceir[oa]|terz[oa]|трет\w+|第三|三つ目|みっつ目|3つ目|세\s?번째",
            slice(2, 3),
        ),
        (
            r"fourth|vierte[nrs]?|quatrième|cuart[oa]|quart[oa]|четв[её]рт\w+|第四|四つ目|4つ目|네\s?번째",
            slice(3, 4),
        ),
        (_LAST, slice(-1, None)),
    )
)
_KINDS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        lazy_pattern(r"\b(?:years?|jahr\w*|années?|année|an|año|ano|anno|год\w*|году)\b|年|연도|해는"),
        re.compile(r"(?<!\d)[12]\d{3}(?!\d)"),
    ),
    (
        lazy_pattern(
            r"\b(?:prices?|costs?|fares?|sums?|amounts?|fees?|figures?|numbers?|times?|hours?|dates?|codes?|preis\w*|kosten|summe|betrag"
            r"|zahl|nummer|uhrzeit|datum|prix|coût|montant|somme|chiffre|numéro|heure|date|tarif|precio|coste|importe|suma|número"
            r"|cifra|hora|fecha|tarifa|preço|custo|valor|quantia|data|prezzo|costo|importo|somma|numero|cifra|ora|цен\w+|стоимост\w+"
            r"|сумм\w+|числ\w+|номер\w*|врем\w+|дат\w+)\b|价格|价钱|金额|数字|号码|时间|日期|値段|価格|料金|金額|数字|番号|時刻|日付|가격|값|금액|숫자|번호|시간|날짜"
        ),
        re.compile(r"\d"),
    ),
)
"""Words for a kind of value, and what such a value has: of several names one alone must have it."""


REST = lazy_pattern(
    r"\b(?:the\s+rest|others?|everything\s+else|übrige\w*|andere\w*|alles\s+andere|der\s+rest|le\s+reste|autres?|lo\s+demás"
    r"|demás|el\s+resto|o\s+resto|il\s+resto|otr[oa]s|outr[oa]s|altr[iea]|остальн\w+)\b|其余|其餘|其他|其它|另外|残り|ほか|他の|나머지"
)
"""What is left of several things."""


def speaks_of_a_part(text: str) -> bool:
    """Whether a text speaks of the rest, or of the third of several things."""
    return REST.search(text) is not None or any(sign.search(text) for sign, _ in _PLACES)


def named_by_place(part: str, said: Sequence[str]) -> frozenset[str]:
    """Which of several names a text means by their place: "the second row", "the last two"."""
    place = next((place for sign, place in _PLACES if sign.search(part)), None)
    return frozenset(said[place]) if place else frozenset()


class Pointing:
    """Which of the names that an answer has said a part of it speaks of."""

    def __init__(self, text: str, mentions: Sequence[Mention], said: Sequence[str], key: AnswerKey) -> None:
        """Of a masked text, every mention in it in reading order, and the names said so far, each once."""
        self._text = text
        self._mentions = mentions
        self._said = said
        self._own = _words_of_names(key)

    def at(self, span: TextRange) -> frozenset[str]:
        """What a span of the text points at, of what was said before it.

        By whole names; by a word of a name that no other has, or of the label they stood under; else by the
        place they were said in ("the last two"); else by the kind of value ("the year").
        """
        named = frozenset(one.name for one in mentions_inside(self._mentions, span)) & frozenset(self._said)
        part = self._text[slice(*span)]
        words = _telling_words(part)
        named |= self._by_a_word(words) | self._by_label(words)
        if named:
            return named
        if in_place := named_by_place(part, self._said):
            return in_place
        for sign, has in _KINDS:
            of_kind = [name for name in self._said if has.search(name)]
            if len(of_kind) == 1 and sign.search(part):
                return frozenset(of_kind)
        return frozenset()

    def _by_a_word(self, words: frozenset[str]) -> frozenset[str]:
        found: set[str] = set()
        for word in words:
            named = {
                name for name in self._said if any(begin_alike(word, one) for one in self._own.get(name, ()))
            }
            if len(named) == 1:
                found |= named
        return frozenset(found)

    def _by_label(self, words: frozenset[str]) -> frozenset[str]:
        return frozenset(
            name
            for label, names in self._labels.items()
            if any(begin_alike(word, label) for word in words)
            for name in names
        )

    @cached_property
    def _labels(self) -> dict[str, set[str]]:
        """Words before a colon ("instruments: A and B"), with the names behind it."""
        found: dict[str, set[str]] = {}
        for one in self._mentions:
            before = self._text[max(0, one.start - _LABEL_REACH) : one.start]
            label = _LABEL.search(_LABEL_CUT.split(before)[-1]) if ":" in before else None
            if label and one.name in self._said:
                found.setdefault(label[1], set()).add(one.name)
        return found


@lru_cache(maxsize=256)
def _words_of_names(key: AnswerKey) -> dict[str, frozenset[str]]:
    elements = (*key.elements, *wrong_elements(key))
    return {element.name: _telling_words(normalise(element.name)) for element in elements}


def _telling_words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text)) - FUNCTION_WORDS - _PLAIN
