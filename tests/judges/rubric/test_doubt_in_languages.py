"""Refusals, remarks and withdrawals in the ten languages, as the judge scores them."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric

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
    verdict = judge_by_rubric("De naam van de schilder wordt niet genoemd in de tekst.", PIZZA)
    assert verdict.reason.endswith("refusals and denials are not read in Dutch")
    assert "not read" not in judge_by_rubric("Der Text nennt den Namen nicht.", PIZZA).reason
