"""Names in one word or two, without their accents, with an attribute elsewhere, with a number; and others."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import names_of
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Distractor, Element

_QUESTIONS = {
    "en": "What was it and where was it?",
    "de": "Was ist es und wo ist es nicht?",
    "fr": "Où est-ce que c'était dans le village ?",
    "es": "¿Dónde estaba lo que se dijo en el pueblo?",
    "it": "Dove era quello che è stato detto nel paese?",
    "pt": "Onde era que não se disse isso na aldeia?",
    "ru": "Где это было и что это было?",
    "zh": "那是什么，在哪里？",
    "ja": "それは何で、どこですか。",
    "ko": "무엇이고 어디입니까?",
}


def is_named(name: str, text: str, language: str, *others: str) -> bool:
    planted = (Distractor("d", "", tuple(map(Element, others))),) if others else ()
    key = AnswerKey("s", _QUESTIONS[language], elements=(Element(name),), distractors=planted)
    return name in [mention.name for mention in find_mentions(normalise(text), names_of(key))]


@pytest.mark.parametrize(
    ("language", "name", "same", "others"),
    [
        ("en", "sweetcorn", ("sweet corn", "sweet-corn"), ("sweet and corn", "sweet. Corn")),
        (
            "en",
            "typewriter ribbon",
            ("a type-writer ribbon", "type writer ribbons"),
            ("typewriter, ribbon?",),
        ),
        ("en", "candle wax", ("candlewax",), ("candle and wax",)),
        ("en", "carpet", (), ("car pet",)),
        ("de", "Kerzenwachs", ("Kerzen-Wachs",), ("Kerzen und Wachs",)),
        ("en", "José Álvarez", ("Jose Alvarez", "José Alvarez"), ("Josef Alvarez",)),
        ("de", "Königsbrück", ("Koenigsbrueck", "Konigsbruck"), ("Konigsbrunn",)),
        ("fr", "Brévannes-les-Eaux", ("Brevannes les Eaux",), ("Brevannes-la-Ville",)),
        ("en", "Łucja Wiśniewska", ("Lucja Wisniewska",), ("Lucia Wisniewska",)),
        ("es", "año", (), ("ano",)),
        (
            "ja",
            "紫の座布団",
            ("紫色の座布団", "座布団（紫のもの）", "座布団は紫"),
            ("紫の箱と座布団", "座布団は紫でない"),
        ),
        (
            "ja",
            "壊れた蓄音機",
            ("蓄音機(壊れていたもの)", "壊れている蓄音機"),
            ("蓄音機は壊れていない", "蓄音機"),
        ),
        ("ja", "赤い傘立て", ("赤かった傘立て", "傘立て（赤い物）"), ("赤い本と傘立て", "青い傘立て")),
        ("ja", "橋の工事", ("橋が工事をしていて通れない", "橋は工事中"), ("工事の橋", "橋と工事")),
        ("zh", "红色的围巾", ("一条红围巾", "围巾是红色的", "围巾（红）"), ("红帽子和围巾", "蓝围巾")),
        ("zh", "铜烛台", ("烛台（铜制的）", "铜的烛台"), ("铜壶和烛台",)),
        ("ko", "깨진 거울", ("거울(깨진 것)", "깨져 있던 거울"), ("깨끗한 방의 거울", "거울")),
        (
            "en",
            "room 14",
            (
                "room fourteen",
                "Room no. 14",
                "room #14",
                "the 14th room",
                "Zimmer vierzehn, und das ist nicht hier",
                "14号房间",
            ),
            ("room 4", "room forty", "room 140", "14 rooms", "gate 14", "room 14.5"),
        ),
        (
            "de",
            "Gleis 11",
            ("Gleis elf", "platform 11", "track eleven"),
            ("Gleis 1", "Gleis zwölf", "elf Minuten", "room 11"),
        ),
        ("es", "andén 7", ("andén siete", "el andén número 7"), ("andén 17", "siete andenes")),
        ("fr", "quai 12", ("quai douze", "quai n° 12"), ("quai deux",)),
        ("it", "binario 6", ("binario sei", "il sesto binario"), ("binario 16", "sei binari")),
        ("pt", "sala 21", ("sala vinte e um", "sala n.º 21"), ("sala 2",)),
        (
            "ru",
            "платформа 9",
            ("с девятой платформы", "от платформы № 9", "платформа девять"),
            ("платформа 19", "девять платформ"),
        ),
        ("zh", "3号站台", ("三号站台", "第三站台"), ("13号站台",)),
        ("ja", "4番ホーム", ("四番ホーム", "4番線ホーム"), ("14番ホーム",)),
        ("ko", "8번 승강장", ("8번승강장", "팔 번 승강장"), ("18번 승강장",)),
        (
            "en",
            "chapter 3",
            ("chapter three", "the third chapter", "Chapter III"),
            ("chapter 13", "three chapters", "chapter II"),
        ),
        ("en", "fourth floor", ("4th floor", "floor 4", "the fourth storey"), ("14th floor", "fifth floor")),
    ],
)
def test_the_same_name_and_another(
    language: str, name: str, same: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert [text for text in same if not is_named(name, text, language)] == []
    assert [text for text in others if is_named(name, text, language)] == []


def test_what_another_element_is_called_is_its_own() -> None:
    assert not is_named("paño", "un pano", "es", "pano")
    assert not is_named("ringroad", "the ring road", "en", "ring road")
    assert not is_named("赤い傘", "赤の傘", "ja", "赤の傘")
