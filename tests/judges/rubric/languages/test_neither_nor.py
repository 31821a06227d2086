"""What denies one of two things denies both: "varken A eller B", "ne A ne B", "A या B नहीं"."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle


def _key(question: str, right: tuple[str, str, str], wrong: tuple[str, str]) -> AnswerKey:
    return AnswerKey(
        name="neither",
        question=question,
        elements=tuple(map(Element, right)),
        needles=tuple(Needle(f"n{name}", f"{question} {name}.", (name,)) for name in right),
        distractors=tuple(Distractor(f"d{name}", f"{name}.", elements=(Element(name),)) for name in wrong),
    )


_SWEDISH = _key("Vilka tre fåglar ringmärkte hon på Gråskär?", ("tärna", "ejder", "skarv"), ("svan", "häger"))
_TURKISH = _key("Sandıkta hangi üç eşya bulundu?", ("pusula", "dürbün", "mühür"), ("fener", "harita"))
_HINDI = _key("उसने कौन-सी तीन चीज़ें बेचीं?", ("सुराही", "दीया", "गुल्लक"), ("टोकरी", "चटाई"))
_ARABIC = _key("ما الأشياء التي باعها منصور؟", ("الزعفران", "العنبر", "المرجان"), ("الحرير", "النحاس"))
_JAPANESE = _key("箱に入れた三つの物は何ですか。", ("歯車", "ゼンマイ", "振り子"), ("文字盤", "銀の鎖"))
_FRENCH = _key("Quels outils gardait-il sous clé ?", ("rabot", "gouge", "trusquin"), ("scie", "maillet"))


@pytest.mark.parametrize(
    ("answer", "key", "score"),
    [
        ("Varken svan eller häger, utan tärna, ejder och skarv.", _SWEDISH, 10),
        ("Inte svan eller häger, utan tärna, ejder och skarv.", _SWEDISH, 10),
        ("Varken tärna eller skarv.", _SWEDISH, 1),
        ("Tärna eller ejder, inte skarv.", _SWEDISH, 7),
        ("Inte bara tärna utan även ejder och skarv.", _SWEDISH, 10),
        ("Fener değil, harita da değil: pusula, dürbün ve mühür.", _TURKISH, 10),
        ("Ne fener ne harita: pusula, dürbün ve mühür.", _TURKISH, 10),
        ("Fener veya harita değil, pusula, dürbün ve mühür.", _TURKISH, 10),
        ("टोकरी या चटाई नहीं, बल्कि सुराही, दीया और गुल्लक।", _HINDI, 10),
        ("न टोकरी, न चटाई: सुराही, दीया और गुल्लक।", _HINDI, 10),
        ("सुराही या दीया।", _HINDI, 7),
        ("ليس الحرير ولا النحاس، بل الزعفران والعنبر والمرجان.", _ARABIC, 10),
        ("文字盤でも銀の鎖でもなく、歯車とゼンマイと振り子です。", _JAPANESE, 10),
        ("Ce n'est pas la scie ou le maillet, mais le rabot, la gouge et le trusquin.", _FRENCH, 10),
        ("Le rabot ou la gouge.", _FRENCH, 7),
    ],
)
def test_both_are_denied(answer: str, key: AnswerKey, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
