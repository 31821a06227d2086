"""Names that an answer writes in another script, and others that only sound a little like them."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.transliterated.names import TransliteratedNames

_BOARDER = "Osrin Tandell does up his shoes, and so does Wennet Harske."
_KEEPER = "Лампу зажигает сапожник Ефим Дударев."
_JOHN = "鍵を預かったのはジョン・ハロウェイだ。"


def _found(name: str, told: str, text: str) -> list[str]:
    names = TransliteratedNames([(normalise(name), (name, True))], (told,))
    return [normalise(text)[one.start : one.end] for one in names.find(normalise(text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Это Осрин Танделл.", ["осрин танделл"]),
        ("Раньше он был Осрином Тэнделлом.", ["осрином тэнделлом"]),
        ("元船乗りはオスリン・タンデルです。", ["オスリン・タンデル"]),
        ("오스린 탠델입니다.", ["오스린 탠델입니다"]),
        ("كان أوسرين تانديل بحارا.", ["أوسرين تانديل"]),
        ("ओसरिन टैंडेल नाविक था।", ["ओसरिन टैंडेल"]),
        ("オスリンタンデル", ["オスリンタンデル"]),
        ("Это Осрик Танделл.", []),
        ("Это Осрин Кандель.", []),
        ("Это Осрин. Танделл ушел.", []),
        ("Веннет Харске", []),
        ("オスリン・カンデル", []),
        ("Osrin Tandell", []),
    ],
)
def test_where_a_latin_name_stands(text: str, found: list[str]) -> None:
    assert _found("Osrin Tandell", _BOARDER, text) == found


@pytest.mark.parametrize(
    ("name", "told", "text", "found"),
    [
        ("Ефим Дударев", _KEEPER, "It was Efim Dudarev.", ["efim dudarev"]),
        ("Ефим Дударев", _KEEPER, "It was Efim Dugarev.", []),
        ("сапожник", _KEEPER, "It was the sapozhnik.", []),
        ("ジョン・ハロウェイ", _JOHN, "John Halloway kept it.", ["john halloway"]),
        ("ジョン・ハロウェイ", _JOHN, "Joan Hathaway kept it.", []),
    ],
)
def test_where_a_name_stands_in_latin_letters(name: str, told: str, text: str, found: list[str]) -> None:
    assert _found(name, told, text) == found


def test_a_name_that_two_elements_could_mean_is_neither() -> None:
    names = TransliteratedNames(
        [("marta linde", ("Marta Linde", True)), ("marta lind", ("Marta Lind", False))],
        ("Marta Linde and Marta Lind met.",),
    )
    assert not list(names.find("марта линд"))


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Осрин Танделл", 10),
        ("Веннет Харске", 1),
        ("Осрин Танделл и Веннет Харске", 5),
        ("Не Веннет Харске, а Осрин Танделл", 10),
    ],
)
def test_wrong_names_are_read_too(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key_of("tern-lane-boarder", 1)).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Хай-Даннау — 90412, Корроу — 71940, Скелмар — 26583", 10),
        ("Хай-Даннау — 71940, Корроу — 90412, Скелмар — 26583", 3),
        ("コロウ:26583", 1),
        ("ハイ・ダノウ:90412、コロウ:71940", 7),
    ],
)
def test_keys_are_read_too(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key_of("mailbag-seals", 1)).score == score
