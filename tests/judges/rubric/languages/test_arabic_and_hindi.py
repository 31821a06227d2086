"""Refusals, denials and owners in Arabic and Hindi."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle


def _key(question: str, told: str, answer: str, *others: tuple[str, str]) -> AnswerKey:
    found = bool(answer)
    return AnswerKey(
        "k",
        question,
        (told,),
        elements=(Element(answer),) if found else (),
        needles=(Needle("n", told, (answer,)),) if found else (),
        kind=None if found else "unanswerable",
        distractors=tuple(Distractor(name, text, (Element(name),)) for text, name in others),
    )


_BRIDGE = _key(
    "Who built the stone bridge of Arvale?",
    "The text does not say who built the stone bridge.",
    "",
    ("Ansel Groth built the wooden bridge of Arvale.", "Ansel Groth"),
)
_CITY = _key(
    "في أي مدينة فتح ياسر مطعمه الأول؟",
    "فتح ياسر مطعمه الأول في مدينة طرابلس قرب السوق.",
    "طرابلس",
    ("فتح نادر مطعمه في مدينة صفاقس.", "صفاقس"),
)
_HORSE = _key(
    "रानी के सफेद घोड़े का नाम क्या था?",
    "रानी के सफेद घोड़े का नाम पवनवेग था।",
    "पवनवेग",
    ("सेनापति के घोड़े का नाम बादल था।", "बादल"),
)
_LAKE = _key("Which lake feeds the canal?", "The lake Ombrel feeds the canal.", "Ombrel")


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (_BRIDGE, "النص لا يقول من بنى الجسر الحجري.", 10),
        (_BRIDGE, "غير مذكور في النص.", 10),
        (_BRIDGE, "بناه المهندس سليم.", 1),
        (_BRIDGE, "بنى الجسر سليم ولا يزال قائما.", 1),
        (_BRIDGE, "यह जानकारी पाठ में नहीं है।", 10),
        (_BRIDGE, "पाठ के अनुसार पुल मोहन ने नहीं, सोहन ने बनाया।", 1),
        (_CITY, "طَرابُلُس، وليس صفاقس.", 10),
        (_CITY, "فتحه في طرابلس، أما صفاقس فهي مدينة نادر.", 10),
        (_CITY, "صفاقس، وليس طرابلس.", 1),
        (_CITY, "طرابلس وصفاقس", 5),
        (_HORSE, "पवनवेग, बादल नहीं।", 10),
        (_HORSE, "घोड़े का नाम पवनवेग था, जबकि बादल सेनापति का घोड़ा था।", 10),
        (_HORSE, "पवनवेग नहीं बल्कि बादल", 1),
        (_HORSE, "पवनवेग और बादल", 5),
        (_LAKE, "البحيرة وOmbrel", 10),
        (_LAKE, "البحيرة مOmbrel", 1),
    ],
)
def test_they_are_read(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
