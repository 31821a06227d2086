"""Attributes in Chinese, Japanese and Korean, written otherwise: "紫色の座布団", "蓄音機(壊れていたもの)".

A name is an attribute and what it says it of: "紫の座布団", "壊れた蓄音機", "红色的围巾", "깨진 거울". A
text may join the two by other signs, put the attribute in brackets behind, or say it of its noun in a clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from niah.judges.rubric.forms.inflection import LooseMatch
from niah.judges.rubric.lazy_pattern import lazy_pattern

_HAN = "\u3400-\u9fff\u3005"
_KANA = "\u3040-\u309f"
_HANGUL = "\uac00-\ud7a3"
_LINKED = lazy_pattern(
    rf"(?P<attribute>[{_HAN}]{{1,4}}|[{_HAN}]+[{_KANA}]{{1,3}})[の的之](?P<noun>[{_HAN}\u30a0-\u30ff][{_HAN}{_KANA}\u30a0-\u30ff]*)"
)
_INFLECTED = lazy_pattern(
    rf"(?P<attribute>[{_HAN}]{{1,3}}[{_KANA}]{{1,3}})(?<=[いたなだ])(?P<noun>[{_HAN}\u30a0-\u30ff][{_HAN}{_KANA}\u30a0-\u30ff]*)"
)
_COLOURED = lazy_pattern(
    rf"(?P<attribute>[红紅黄绿綠蓝藍白黑紫灰金银銀铜銅铁鐵木竹石玉])(?P<noun>[{_HAN}]{{2,4}})"
)
_KOREAN = lazy_pattern(rf"(?P<attribute>[{_HANGUL}]{{1,3}}[은는한된진운른란간]) (?P<noun>[{_HANGUL}]{{1,5}})")
_NOT_DENIED = "(?!ていな|てな|くな|でな|じゃな|ない|지 ?않)"


class EasternNames:
    """Names of an attribute and a noun; one that two elements could mean is left out.

    Args:
        names: normalised ways to write, each with its element.
    """

    def __init__(self, names: Iterable[tuple[str, tuple[str, bool]]]) -> None:
        meant: dict[tuple[str, str, str], set[tuple[str, bool]]] = {}
        for written, element in names:
            if parts := _parts(written):
                meant.setdefault(parts, set()).add(element)
        self._names = [
            (re.compile("|".join(_expressions(*parts))), next(iter(e)))
            for parts, e in meant.items()
            if len(e) == 1
        ]

    @property
    def has_any(self) -> bool:
        """Whether any of the names may be found so."""
        return bool(self._names)

    def find(self, text: str) -> Iterator[LooseMatch]:
        """Every place of a normalised text where an attribute is said of its noun."""
        for pattern, element in self._names:
            yield from (LooseMatch(element, *match.span(), 0) for match in pattern.finditer(text))


def _parts(written: str) -> tuple[str, str, str] | None:
    """The language, the attribute's stem and the noun."""
    if written.isascii():
        return None
    for form in (_LINKED, _INFLECTED, _COLOURED):
        if found := form.fullmatch(written):
            attribute = found["attribute"]
            japanese = "の" in written or form is _INFLECTED
            stem = attribute[:-1] if form is _INFLECTED else attribute.removesuffix("色") or attribute
            return "ja" if japanese else "zh", stem, found["noun"]
    if found := _KOREAN.fullmatch(written):
        return "ko", found["attribute"][:-1], found["noun"]
    return None


def _expressions(language: str, stem: str, noun: str) -> Iterator[str]:
    said, of = re.escape(stem), re.escape(noun)
    if language == "ja":
        yield rf"{said}(?:色|製|で)?(?:(?![とや])[{_KANA}]){{0,6}}{of}"
        yield rf"{of}\s?[(「『、は]\s?{said}{_NOT_DENIED}(?:色|製)?[{_KANA}]{{0,8}}"
        yield rf"{said}(?:が|は|を|で){of}"
        yield rf"{of}が{said}{_NOT_DENIED}"
    elif language == "zh":
        yield rf"{said}(?:色|制|做)?[的之]?{of}"
        yield rf"{of}\s?\(\s?{said}(?:色|制|做)?的?\s?\)"
        yield rf"{of}是{said}(?:色|制|做)?的"
    else:
        yield rf"{said}[{_HANGUL}]{{1,2}}(?: ?있는| ?있던)? {of}"
        yield rf"{of}\s?\(\s?{said}[{_HANGUL}]{{1,2}}(?: ?것)?\s?\)"
