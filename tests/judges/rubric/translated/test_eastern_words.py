"""Listed words of Chinese, Japanese, Korean, Arabic and Hindi in a text, and what only holds their signs."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.translated.dictionary import things
from niah.judges.rubric.translated.eastern_words import EASTERN_LANGUAGES, eastern_words
from niah.judges.rubric.translated.names import TranslatedNames


@pytest.mark.parametrize("language", EASTERN_LANGUAGES)
def test_every_thing_has_a_word_that_is_found_in_a_text(language: Language) -> None:
    meant = {place for place, _ in enumerate(things())}
    for way in ("铜门", "銅の門", "구리 문", "بوابة نحاسية", "ताँबे का द्वार"):
        for word in eastern_words(normalise(way), language):
            assert word.meaning <= meant


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("figs", "无花果和山羊奶酪", ["无花果"]),
        ("figs", "イチジクとチーズです", ["イチジク"]),
        ("figs", "무화과를 넣습니다", ["무화과를"]),
        ("figs", "التين والجبن", ["التين"]),
        ("figs", "अंजीर और पनीर", ["अंजीर"]),
        ("goat cheese", "염소 치즈가 필요합니다", ["염소 치즈가"]),
        ("goat cheese", "염소와 치즈", []),
        ("goat cheese", "山羊和奶酪", []),
        ("goat cheese", "山羊的奶酪", ["山羊的奶酪"]),
        ("goat cheese", "الماعز والجبن", []),
        ("water", "紫水晶", []),
        ("water", "水和盐", ["水"]),
        ("thyme", "タイムズを読む", []),
        ("salt", "盐田在海边", []),
        ("copper gate", "구리문은 열렸다", ["구리문은"]),
        ("golden mist", "은빛 안개와 황금 방울", []),
        ("golden mist", "金色的薄雾", ["金色的薄雾"]),
        ("golden mist", "銀の霧と金のしずく", []),
    ],
)
def test_where_a_name_stands(name: str, text: str, found: list[str]) -> None:
    names = TranslatedNames([(normalise(name), (name, True))], (name,), "en")
    said = normalise(text)
    places = names.find(said, [False] * len(said))
    assert list(dict.fromkeys(said[one.start : one.end] for one in places)) == found


@pytest.mark.parametrize(
    ("name", "own", "text", "found"),
    [
        ("銅の鐘", "ja", "It was a copper bell.", ["copper bell"]),
        ("銅の鐘", "ja", "It was copper, and a bell.", []),
        ("银戒指", "zh", "Es ist ein silberner Ring.", ["silberner ring"]),
        ("银戒指", "zh", "It was a golden ring.", []),
    ],
)
def test_names_of_an_eastern_set_are_told_in_english_too(
    name: str, own: Language, text: str, found: list[str]
) -> None:
    names = TranslatedNames([(normalise(name), (name, True))], (name,), own)
    said = normalise(text)
    assert [said[one.start : one.end] for one in names.find(said, [False] * len(said))] == found


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("铜门:82946;柳门:50317;花岗岩门:17685", 3),
        ("花岗岩门是17685,铜门是50317,柳门是82946。", 10),
        ("柳の門は82946です。", 5),
        ("銅の門は82946です。", 1),
        ("La puerta de cobre se abre con 82946, la del sauce con 50317 y la de granito con 17685.", 3),
        ("17685 für das Granittor, 50317 für das Kupfertor und 82946 für das Weidentor", 10),
        ("Kupfertor 50317, Granittor 17685.", 7),
    ],
)
def test_keys_are_translated_too(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key_of("three-gates", 1)).score == score
