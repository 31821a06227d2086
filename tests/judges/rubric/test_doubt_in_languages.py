"""Refusals, remarks and withdrawals in the ten languages, as the judge scores them."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

TOLD_NOTHING = key_of("stairs-portrait", 1)
PIZZA = key_of("pizza-ingredients", 1)
RIGHT = "Figs, prosciutto and goat cheese. "


@pytest.mark.parametrize(
    "text",
    [
        "Im Text wird nicht erwähnt, wer das Porträt gemalt hat.",
        "Dazu finde ich im Text keine Angabe.",
        "Aucune information à ce sujet ne figure dans le texte.",
        "El texto no lo dice.",
        "Não consta.",
        "Non viene detto chi abbia dipinto il ritratto.",
        "Автор портрета не назван.",
        "文中没有提及画像的作者。",
        "画家の名前は明らかにされていません。",
        "화가의 이름은 언급되지 않았습니다.",
    ],
)
def test_a_right_refusal_in_its_language(text: str) -> None:
    assert judge_by_rubric(text, TOLD_NOTHING).score == 10
    refused = judge_by_rubric(text, PIZZA)
    assert (refused.score, refused.self_doubt) == (1, True)


@pytest.mark.parametrize(
    "text",
    [
        "Weitere Zutaten werden nicht genannt.",
        "Die Mengen werden im Text nicht genannt.",
        "Aucune autre information n'est donnée dans le texte.",
        "No se mencionan otros ingredientes en el texto.",
        "Другие ингредиенты не упоминаются.",
        "其他配料没有提到。",
        "他の材料については書かれていません。",
        "다른 재료는 언급되지 않았습니다.",
    ],
)
def test_a_remark_beside_a_complete_answer_takes_nothing_back(text: str) -> None:
    assert judge_by_rubric(RIGHT + text, PIZZA).score == 10


@pytest.mark.parametrize(
    "text",
    [
        "Aber davon steht nichts im Text, ich ziehe das zurück.",
        "Mais rien de cela n'est dans le texte, je retire ma réponse.",
        "Но в тексте этого нет, беру свои слова назад.",
        "但是这些在文中都没有提到,我收回。",
        "ただし、これらは本文に書かれていないので撤回します。",
        "하지만 이는 본문에 나와 있지 않으므로 철회합니다.",
    ],
)
def test_a_complete_answer_can_be_taken_back_in_any_language(text: str) -> None:
    assert judge_by_rubric(RIGHT + text, PIZZA).score < 10


def test_the_reason_names_a_language_that_is_not_read() -> None:
    verdict = judge_by_rubric("Malířovo jméno v textu není uvedeno a neví se je.", PIZZA)
    assert verdict.reason.endswith("refusals and denials are not read in Czech")
    assert "not read" not in judge_by_rubric("Der Text nennt den Namen nicht.", PIZZA).reason


@pytest.mark.parametrize(
    ("question", "needle", "name", "stated", "beside"),
    [
        (
            "Welches Holz wählte der Geigenbauer Holm für den Boden der Geige?",
            "Der Geigenbauer Holm wählte für den Boden der Geige das Holz der Eibe.",
            "Eibe",
            "Das steht so allerdings nicht ausdrücklich im Text.",
            "Das steht ausdrücklich im Text.",
        ),
        (
            "Dans quelle ville la relieuse Odile a-t-elle ouvert son atelier?",
            "La relieuse Odile a ouvert son atelier dans la ville de Nérac.",
            "Nérac",
            "Le texte ne le dit pas expressément.",
            "La date n'est pas indiquée explicitement.",
        ),
        (
            "¿En qué ciudad abrió su taller la encuadernadora Odila?",
            "La encuadernadora Odila abrió su taller en la ciudad de Ronda.",
            "Ronda",
            "Sin embargo, esto no se indica de forma explícita.",
            "Esto lo dice el texto expresamente.",
        ),
        (
            "В каком городе переплетчица Одиль открыла свою мастерскую?",
            "Переплетчица Одиль открыла свою мастерскую в городе Елец.",
            "Елец",
            "Впрочем, в тексте об этом прямо не сказано.",
            "В тексте прямо не сказано, когда это было.",
        ),
        (
            "装订师在哪座城市开了作坊？",
            "装订师在扬州开了作坊。",
            "扬州",
            "不过原文并未直接说明这一点。",
            "文中没有明确说明原因。",
        ),
        (
            "製本師はどの町に工房を開きましたか。",
            "製本師は弘前に工房を開いた。",
            "弘前",
            "ただし、これは明記されていません。",
            "理由は本文に明記されていません。",
        ),
    ],
)
def test_what_is_not_told_in_so_many_words_leaves_the_answer_open(
    question: str, needle: str, name: str, stated: str, beside: str
) -> None:
    key = AnswerKey(
        "open", question, (needle,), elements=(Element(name),), needles=(Needle("one", needle, (name,)),)
    )
    assert judge_by_rubric(f"{needle} {stated}", key).score == 5
    assert judge_by_rubric(f"{needle} {beside}", key).score == 10
