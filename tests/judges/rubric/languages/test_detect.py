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
        ("De prijs van het huis wordt niet genoemd in de tekst.", ("en", "nl")),
        ("Priset på huset är inte angivet i texten och det finns inga uppgifter.", ("en", "sv")),
        ("Cena domu nie jest podana w tekście.", ("en", "pl")),
        ("Evin fiyatı metinde belirtilmemiş ve bir bilgi yok.", ("en", "tr")),
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
        ("Prisen på huset er ikke angivet i teksten, og der er ingen oplysninger.", "Danish or Norwegian"),
        ("Cena domu v textu není uvedena a jméno se tu neříká.", "Czech"),
        ("A ház árát a szöveg nem említi, és ez nem derül ki.", "Hungarian"),
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


_SHORT = {
    "de": (
        "Der Preis betrug 3,2 Millionen Euro.",
        "Es waren 12 Boote im Hafen von Rotterdam.",
        "Am 14. März in Lissabon.",
    ),
    "fr": (
        "Le musée a reçu 3,2 millions d'euros de la fondation Wexley.",
        "Il a payé 450 € à Mme Meier.",
        "Douze bateaux dans le port de Rotterdam.",
        "Le 14 mars à Lisbonne.",
    ),
    "es": (
        "El museo recibió 3,2 millones de euros de la Fundación Wexley.",
        "Pagó 450 € a la señora Meier.",
        "Doce barcos en el puerto de Rotterdam.",
        "Está a orillas del Danubio.",
    ),
    "pt": (
        "O museu recebeu 3,2 milhões de euros da Fundação Wexley.",
        "O museu recebeu 3,2 milhões de euros.",
        "Pagou 450 € à senhora Meier.",
        "Doze barcos no porto de Roterdão.",
    ),
    "it": (
        "Il museo ha ricevuto 3,2 milioni di euro dalla Fondazione Wexley.",
        "Pagò 450 € alla signora Meier.",
        "Dodici barche nel porto di Rotterdam.",
    ),
    "nl": (
        "Het museum kreeg 3,2 miljoen euro van de Wexley Stichting.",
        "Mevrouw Meier betaalde 450 € aan de bakker.",
        "Er lagen twaalf boten in de haven van Rotterdam.",
    ),
    "sv": ("Museet fick 3,2 miljoner euro av stiftelsen Wexley.", "Det var tolv båtar i hamnen."),
    "pl": (
        "Muzeum otrzymało 3,2 miliona euro od fundacji Wexley.",
        "Pani Meier zapłaciła 450 € i wyszła.",
        "W porcie w Rotterdamie było dwanaście łodzi.",
    ),
    "tr": (
        "Müze 3,2 milyon avro aldı.",
        "Bayan Meier 450 € ödedi ve gitti.",
        "Limanda on iki tekne vardı.",
    ),
    "ru": ("Музей получил 3,2 миллиона евро.", "Нет.", "14 марта в Лиссабоне.", "Ответ: 42."),
}


@pytest.mark.parametrize(
    ("language", "text"), [(one, text) for one, texts in _SHORT.items() for text in texts]
)
def test_short_sentences_with_money_names_and_numbers(language: str, text: str) -> None:
    found = languages_of(tidy(text))
    assert language in found.known
    assert found.unknown == ()


@pytest.mark.parametrize(
    "text",
    [
        "The museum received €3.2 million from the Wexley Foundation.",
        "There were 12 boats in Den Helder.",
        "The crew of La Belle Aurore met Simón de la Cruz.",
        "He met Van de Velde in The Hague.",
        "The men over at the door had met her in a den.",
        "Jan van der Berg paid for it.",
    ],
)
def test_foreign_names_leave_english_english(text: str) -> None:
    assert languages_of(tidy(text)).known == ("en",)


def test_a_short_text_may_be_in_several_languages() -> None:
    assert {"es", "fr", "pt"} <= set(languages_of(tidy("3,2 millones de euros")).known)
    assert "nl" in languages_of(tidy("De bel.")).known
