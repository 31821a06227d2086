from __future__ import annotations

from typing import get_args

import pytest

from niah.judges.rubric.languages.cues import CUE_KINDS, cues_in, cues_of, load_language
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.normalise import tidy


@pytest.mark.parametrize("language", get_args(Language))
def test_every_language_has_its_cues_in_tidied_letters(language: Language) -> None:
    file = load_language(language)
    assert file.language == language
    assert file.sources
    for kind in CUE_KINDS:
        for phrase in getattr(file, kind):
            assert phrase == phrase.casefold()
        assert not getattr(cues_in((language,)), kind).search("4471"), kind


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("conclusion", "Final answer: 4471"),
        ("conclusion", "Die Antwort lautet: 4471"),
        ("conclusion", "La réponse est donc la brume."),
        ("conclusion", "最终答案:4471"),
        ("conclusion", "したがって、答えは四つです。"),
        ("conclusion", "따라서 정답은 셋입니다."),
        ("correction", "Nein, Moment: es ist die Mühle."),
        ("correction", "Ich korrigiere mich: der Code ist nicht blau, sondern rot."),
        ("correction", "Non, attendez, c'est la brume de la mer."),
        ("correction", "更正:应该是三。"),
        ("correction", "Вернее, это мельница."),
        ("earlier", "Früher war es die Mühle, und der Turm ist neu."),
        ("earlier", "我一开始以为是三。"),
        ("earlier", "Сначала я думал, что это мельница."),
        ("denies_next", "Es ist nicht die Mühle, und das ist klar."),
        ("denies_next", "不是三。"),
        ("denies_previous", "三つではなく四つです。"),
        ("denies_previous", "셋이 아니라 넷입니다."),
        ("excludes_next", "除了三。"),
        ("excludes_next", "Todos los barcos excepto la Golondrina."),
        ("excludes_previous", "Los demás no cuentan para el total."),
        ("excludes_previous", "Die Mühle gehört nicht dazu, der Turm ist es."),
        ("hedge", "Ich bin mir nicht sicher, ob das der Turm ist."),
        ("hedge", "おそらく三つです。"),
        ("hedge", "Возможно, это мельница."),
    ],
)
def test_a_cue_is_found_in_its_language(kind: str, text: str) -> None:
    assert getattr(cues_of(tidy(text)), kind).search(tidy(text))


@pytest.mark.parametrize(
    "text",
    [
        "Der Preis wird im Text nicht genannt.",
        "Dazu macht der Text leider keine Angaben.",
        "Ich weiß es nicht.",
        "Das lässt sich aus dem Text nicht beantworten.",
        "Le texte ne précise pas le prix.",
        "Cette information n'est pas mentionnée dans le texte.",
        "Il est impossible de répondre à cette question avec le texte.",
        "El texto no menciona quién compró la casa.",
        "No se indica el precio en el texto.",
        "No hay información suficiente para responder a la pregunta.",
        "O texto não informa o preço da casa.",
        "Não há informação sobre o preço da casa no texto.",
        "Il testo non specifica il prezzo della casa.",
        "Non ci sono informazioni sul prezzo della casa.",
        "В тексте не указано, кто купил дом.",
        "Текст не содержит информации о цене.",
        "К сожалению, ответить на этот вопрос невозможно.",
        "文中没有提到房子的价格。",
        "根据提供的资料，无法确定是谁买了房子。",
        "文章並未說明是誰買的。",
        "本文には値段が書かれていません。",
        "値段についての記載はありません。",
        "提供されたテキストからは分かりません。",
        "본문에는 가격이 언급되어 있지 않습니다.",
        "해당 정보는 찾을 수 없습니다.",
        "누가 샀는지 알 수 없습니다.",
    ],
)
def test_a_refusal_is_found_in_its_language(text: str) -> None:
    assert cues_of(tidy(text)).refusal.search(tidy(text))


@pytest.mark.parametrize(
    "text",
    [
        "Der Preis beträgt 4471 Kronen, und der Käufer ist der Müller.",
        "Le prix est de 4471 couronnes pour la maison et le jardin.",
        "El precio de la casa es 4471 coronas, según el texto.",
        "O preço da casa é 4471 coroas, segundo o texto.",
        "Il prezzo della casa è 4471 corone, secondo il testo.",
        "Цена дома — 4471 крона, согласно тексту.",
        "根据文章，房子的价格是4471克朗。",
        "本文によると、値段は4471クローネです。",
        "본문에 따르면 가격은 4471크로네입니다.",
    ],
)
def test_a_plain_answer_refuses_nothing(text: str) -> None:
    cues = cues_of(tidy(text))
    assert not cues.refusal.search(tidy(text))
    assert not cues.hedge.search(tidy(text))
