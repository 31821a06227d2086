from __future__ import annotations

import pytest

from niah.judges.rubric.languages.detect import Languages, languages_of
from niah.judges.rubric.normalise import tidy


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("The code of the east door is 4471.", ("en",)),
        ("4471", ("en",)),
        ("Der Text nennt den Preis nicht.", ("en", "de")),
        ("Le texte ne donne pas le prix.", ("en", "fr")),
        ("El texto no menciona el precio de la casa.", ("en", "es")),
        ("O texto não diz quem comprou a casa.", ("en", "pt")),
        ("Il testo non dice chi ha comprato la casa.", ("en", "it")),
        ("В тексте не указана цена дома.", ("en", "ru")),
        ("文中没有提到房子的价格。", ("en", "zh")),
        ("家の値段は本文に書かれていません。", ("en", "ja")),
        ("본문에 집값은 나와 있지 않습니다.", ("en", "ko")),
        ("لم يذكر النص سعر المنزل", ("en", "ar")),
        ("पाठ में घर की कीमत नहीं बताई गई है", ("en", "hi")),
    ],
)
def test_languages_by_letters_and_commonest_words(text: str, languages: tuple[str, ...]) -> None:
    assert languages_of(tidy(text)) == Languages(languages)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("De prijs van het huis wordt niet genoemd in de tekst.", "Dutch"),
        ("Priset på huset är inte angivet i texten och det finns inga uppgifter.", "Swedish"),
        ("Cena domu nie jest podana w tekście.", "Polish"),
        ("ไม่มีการระบุราคาบ้านในข้อความ", "Thai script"),
        ("הטקסט אינו מציין את מחיר הבית", "Hebrew script"),
        ("متن قیمت خانه را ذکر نمی کند", "Arabic script"),
        ("मजकुरात घराची किंमत दिलेली नाही", "Devanagari script"),
        ("Ціна будинку не вказана", "a Cyrillic language other than Russian"),
    ],
)
def test_other_languages_are_named(text: str, name: str) -> None:
    assert languages_of(tidy(text)).unknown == (name,)


def test_a_foreign_name_makes_no_foreign_text() -> None:
    assert languages_of(tidy("The ship was named Λευκή and sailed for Piraeus.")).unknown == ()
    assert languages_of(tidy("Casimir Tolde's")).unknown == ()
    assert languages_of(tidy("She met the crew of La Belle Aurore at Den Helder.")).known == ("en",)


def test_letters_that_unicode_has_not_named_are_of_no_language() -> None:
    assert languages_of(tidy("\u1c4b\u0590\ua97d")) == Languages(("en",))
