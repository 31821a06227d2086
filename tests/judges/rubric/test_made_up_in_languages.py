"""An answer that owns up to having made itself up, in nine languages; and refusals in idioms of each."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric

PIZZA = key_of("pizza-ingredients", 1)
TOLD_NOTHING = key_of("stairs-portrait", 1)
RIGHT = "Figs, prosciutto and goat cheese. "


@pytest.mark.parametrize(
    "end",
    [
        "Ich muss zugeben, das habe ich frei erfunden.",
        "Ehrlich gesagt muss ich diese Antwort zurückziehen.",
        "En fait, j'ai inventé cette réponse.",
        "Je dois me rétracter, cela n'est pas dans le texte.",
        "La verdad es que me lo he inventado.",
        "Debo retirar lo que acabo de escribir.",
        "Confesso que inventei isto.",
        "Tenho de retirar a resposta, isso não está no texto.",
        "In realtà me lo sono inventato.",
        "Devo ritirare quanto ho scritto.",
        "Признаюсь, я это выдумал.",
        "Вынужден взять свои слова назад.",
        "其实这是我编造的。",
        "実はこれは私の創作です。",
        "사실 이건 제가 지어낸 답입니다.",
    ],
)
def test_what_was_made_up_does_not_stand(end: str) -> None:
    verdict = judge_by_rubric(RIGHT + end, PIZZA)
    assert verdict.score == 1, verdict.reason


@pytest.mark.parametrize(
    "end",
    [
        "Das Rezept hat ein Müller erfunden.",
        "La recette fut inventée par un meunier.",
        "La receta la inventó un molinero.",
        "A receita foi inventada por um moleiro.",
        "La ricetta fu inventata da un mugnaio.",
        "Рецепт придумал мельник.",
        "这道菜是磨坊主发明的。",
        "この料理は粉屋の創作です。",
        "이 요리는 방앗간 주인이 지어냈다고 합니다.",
    ],
)
def test_what_another_made_up_stands(end: str) -> None:
    verdict = judge_by_rubric(RIGHT + end, PIZZA)
    assert verdict.score == 10, verdict.reason


@pytest.mark.parametrize(
    "text",
    [
        "Darüber schweigt die Quelle.",
        "Den Namen des Malers sucht man in dem Text vergebens.",
        "On l'ignore : l'extrait n'en souffle mot.",
        "No hay modo de saberlo con lo que dice el texto.",
        "Com base no excerto, não dá para saber.",
        "Non è dato saperlo.",
        "Имя художника остаётся за кадром.",
        "仅凭这段文字,无从知晓。",
        "これだけでは何とも言えません。",
        "이 글로는 판단하기 어렵습니다.",
    ],
)
def test_a_refusal_in_an_idiom_of_its_language(text: str) -> None:
    assert judge_by_rubric(text, TOLD_NOTHING).score == 10
    assert judge_by_rubric(text, PIZZA).score == 1
