"""What counts as a name, by script, in other words for a number, inflected, with one slip of the pen."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import names_of
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Distractor, Element


def named(text: str, *names: str, wrong: tuple[str, ...] = (), question: str = "?") -> list[str]:
    distractors = (Distractor("d", "", tuple(Element(name) for name in wrong)),)
    elements = tuple(Element(name) for name in names)
    key = AnswerKey(name="s", question=question, elements=elements, distractors=distractors)
    return [mention.name for mention in find_mentions(normalise(text), names_of(key))]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("火腿", "这家店需要无花果、火腿和山羊奶酪。"),
        ("火腿", "需要无花果火腿山羊奶酪"),
        ("figs", "需要figs和火腿"),
        ("4471", "密码是4471号。"),
        ("山羊チーズ", "必要なのは山羊チーズです。"),
        ("カラミン", "名前はカラミンでした。"),
        ("수선화", "정원에는 수선화가 피어 있었습니다."),
        ("한라교", "그들은 한라교에서 만났다."),
        ("수선화", "수선화입니다."),
        ("Marlo", "그 이름은 Marlo입니다."),
        ("ดอกบัว", "เธอซื้อดอกบัวที่ตลาด"),
        ("梅", "他种的是梅和竹。"),
    ],
)
def test_scripts_without_spaces_and_particles(name: str, text: str) -> None:
    assert named(text, name) == [name]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ラミン", "カラミンでした"),
        ("선화", "수선화가 피었다"),
        ("수선화", "수선화밭골에서"),
        ("figs", "需要figsy和火腿"),
        ("4471", "44718号"),
        ("3", "3万元"),
        ("梅", "他姓梅原"),
    ],
)
def test_a_part_of_another_word_is_no_name(name: str, text: str) -> None:
    assert named(text, name) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Анна Бережкова", "Это была история Анны Бережковой."),
        ("серый журавль", "Он видел серого журавля."),
        ("goldener Nebel", "Er trank von dem goldenen Nebel des Sees."),
        ("feed my parents", "She promised to feed your parents."),
        ("at the old mill", "They met at old mill."),
        ("paint the gate", "He painted the gate, so he says."),
        ("never to play cards", "He would never play cards."),
        ("write every Sunday", "to write home every Sunday"),
        ("quince jelly", "a jelly of quince"),
        ("Quenberrow", "It was Quenberow."),
        ("Quenberrow", "It was Quenbrerow and nobody else, or Qeunberrow."),
    ],
)
def test_inflected_names_pronouns_articles_and_slips(name: str, text: str) -> None:
    asked = "Где это было и кто там был?" if not name.isascii() and name[0] > "z" else "?"
    asked = "Was ist das und wer hat es nicht gesehen?" if "Nebel" in name else asked
    assert named(text, name, question=asked)[:1] == [name]


@pytest.mark.parametrize(
    ("text", "names", "wrong"),
    [
        ("It was Tannerby.", ("Tannerly",), ("Tannerby",)),
        ("Two slips: Qenberow.", ("Quenberrow",), ()),
        ("A short one: Corow.", ("Corrow",), ()),
        ("KX-48213", ("KX-48212",), ()),
        ("quenberrow1", ("Quenberrow",), ()),
        ("He will play not only cards.", ("play with cards",), ()),
    ],
)
def test_what_is_another_name_is_no_slip(text: str, names: tuple[str, ...], wrong: tuple[str, ...]) -> None:
    assert named(text, *names, wrong=wrong) == list(wrong)


def test_words_that_two_elements_could_mean_count_for_neither() -> None:
    assert named("baking bread", "bakes bread", wrong=("baked bread",)) == []
    assert named("bakes bread", "bakes bread", wrong=("baked bread",)) == ["bakes bread"]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("7", ("seven lanterns", "sieben Lampen sind es und nicht mehr", "文中说有七盏灯", "일곱 개입니다")),
        (
            "347",
            (
                "three hundred and forty-seven",
                "dreihundertsiebenundvierzig, das ist die Zahl",
                "三百四十七盏",
            ),
        ),
        ("347", ("3 4 7", "three four seven", "триста сорок семь фонарей, не больше", "삼백사십칠 개")),
        (
            "5.5",
            ("five and a half", "5½", "5 1/2", "es sind nicht mehr als 5,5", "fünfeinhalb, und das ist viel"),
        ),
        ("1250.5", ("1,250.5", "das sind 1.250,5 und nicht mehr")),
        ("50317", ("50 317", "der Code ist 50.317, und das ist alles", "五万零三百一十七")),
        ("seven", ("7", "文中说有七盏")),
        ("三百四十七", ("347", "三四七")),
    ],
)
def test_numbers_in_other_forms(name: str, texts: tuple[str, ...]) -> None:
    assert [named(text, name) for text in texts] == [[name]] * len(texts)


def test_a_number_is_not_another() -> None:
    assert named("twenty-seven and seventy", "7") == []
    assert named("十七", "7") == []
    assert named("50.317", "50317") == []  # in English that is fifty and a third
    assert named("Only two or three were there.", "58", wrong=("2", "3")) == []


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        (
            "9 AM",
            ("09:00", "9 a.m.", "9am", "nine o'clock", "nine in the morning", "um 9 Uhr, das ist nicht spät"),
        ),
        ("9 AM", ("上午9点开始", "午前九時です", "오전 9시")),
        ("4:30 pm", ("16:30", "4.30 in the afternoon", "half a day, at 4:30 p.m.", "下午4:30")),
        ("14 March 1871", ("March 14, 1871", "the 14th of March in 1871", "1871-03-14", "14/03/1871")),
        (
            "14 March 1871",
            ("am 14. März 1871", "le 14 mars 1871", "el 14 de marzo de 1871", "14 марта 1871 года"),
        ),
        ("March 14", ("the 14th of March", "3月14日", "the fourteenth of March")),
        ("1871年3月14日", ("14 March 1871", "1871/3/14")),
        ("Tuesday", ("am Dienstag", "星期二")),
        ("12 km", ("12 kilometres", "twelve kilometers", "12km", "12公里")),
        ("three weeks", ("3 weeks", "drei Wochen sind es und nicht mehr", "三周")),
        ("40 percent", ("40 %", "forty per cent", "40%")),
        ("$15", ("15 dollars", "fifteen dollars", "$15")),
        ("noon", ("at 12:00", "midday")),
        ("9:40 PM", ("twenty to ten", "21.40")),
        (
            "17:30",
            (
                "half past five",
                "um halb sechs am Nachmittag, und das ist nicht spät",
                "a las cinco y media de la tarde",
            ),
        ),
        ("六点半", ("06:30", "清晨六时三十分")),
        ("5.5 hours", ("330 minutes", "5 h 30 min", "five and a half hours")),
        ("2.4 metres", ("240 cm", "2.4 m")),
        ("840 moedas", ("oitocentas e quarenta moedas, não mais", '{"preço": 840}')),
        ("7층", ("일곱 층입니다", "seven floors")),
        ("12文", ("船费十二文。", "12文")),
        ("3 de março", ("3/3", "no dia três de março, segundo o texto e não mais")),
    ],
)
def test_dates_times_and_measures_in_other_forms(name: str, texts: tuple[str, ...]) -> None:
    assert [named(text, name) for text in texts] == [[name]] * len(texts)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("9 AM", "9 PM"),
        ("9 AM", "9:00 p.m."),
        ("9 AM", "at 9:30"),
        ("14 March 1871", "14 May 1871"),
        ("14 March 1871", "14 March 1872"),
        ("14 March 1871", "March 1871"),
        ("12 km", "12 miles"),
        ("12 km", "112 km"),
        ("Tuesday", "星期三"),
        ("21:40", "9:40 AM"),
        ("午後2時15分", "午前2時15分でした"),
        ("오전 6시 20분", "오후 6시 20분입니다"),
        ("2.4 metres", "24 metres"),
        ("12 km", "12 of them"),
    ],
)
def test_other_dates_times_and_measures_are_not_the_name(name: str, text: str) -> None:
    assert named(text, name) == []
