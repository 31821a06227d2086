"""Answers that take back a part, or all, or tell of another beside it, in ten languages."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

SEAL = AnswerKey(
    "seal",
    "Who keeps the seal of Orsk, and where?",
    ("Mirko Lend keeps it in the attic of 41.",),
    elements=(Element("Mirko Lend"), Element("KT-41")),
    needles=(Needle("n", "Mirko Lend keeps the seal of Orsk in room KT-41.", ("Mirko Lend", "KT-41")),),
    distractors=(Distractor("d", "Ada Voss keeps the seal of Tarn in PL-77.", (Element("PL-77"),)),),
)


@pytest.mark.parametrize(
    "answer",
    [
        "Mirko Lend, in KT-41. I withdraw the room, though; the name stands.",
        "Mirko Lend, in KT-41. Den Raum nehme ich allerdings zurück; der Name bleibt bestehen.",
        "Mirko Lend, dans la salle KT-41. Je retire la salle ; je maintiens le nom.",
        "Mirko Lend, en KT-41. Lo de la sala lo retiro; mantengo que es Mirko Lend.",
        "Mirko Lend, na sala KT-41. Retiro a sala; o nome mantém-se.",
        "Mirko Lend, nella stanza KT-41. Ritiro la parte sulla stanza; il nome resta.",
        "Mirko Lend, комната KT-41. Слова о комнате беру назад; имя остаётся в силе.",
        "Mirko Lend,在KT-41。房间那部分我收回,人名不变。",
        "Mirko Lendで、KT-41です。部屋については撤回します。名前は変わりません。",
        "Mirko Lend이고 KT-41입니다. 방에 대한 부분은 철회합니다. 이름은 그대로입니다.",
    ],
)
def test_what_is_taken_back_in_part_is_open(answer: str) -> None:
    verdict = judge_by_rubric(answer, SEAL)
    assert verdict.score == 5, verdict.reason


@pytest.mark.parametrize(
    "answer",
    [
        "Mirko Lend, KT-41. Nein: Ich finde das nirgends und lasse die Frage offen.",
        "Mirko Lend, KT-41. À la réflexion, je préfère ne pas l'affirmer et je laisse la question ouverte.",
        "Mirko Lend, KT-41. Pensándolo bien, prefiero no afirmarlo y dejo la pregunta sin respuesta.",
        "Mirko Lend, KT-41. Pensando melhor, prefiro não afirmar nada e deixo a pergunta em aberto.",
        "Mirko Lend, KT-41. Ripensandoci, devo smentirmi: nel testo non c'è nulla, la domanda resta aperta.",
        "Mirko Lend, KT-41. Впрочем, не берусь утверждать и оставлю вопрос открытым.",
        "Mirko Lend,KT-41。再想想,还是不作判断,此问题只能存疑。",
        "Mirko Lend、KT-41。やはり回答は差し控えます。",
        "Mirko Lend, KT-41. 다시 생각하니 답변을 보류하겠습니다.",
    ],
)
def test_a_question_that_is_left_open_in_the_end_is_refused(answer: str) -> None:
    verdict = judge_by_rubric(answer, SEAL)
    assert verdict.score == 1, verdict.reason


@pytest.mark.parametrize(
    "answer",
    [
        "Unlike the seal of Tarn, which lies in PL-77, this one lies in KT-41 with Mirko Lend.",
        "Anders als das Siegel von Tarn, das in PL-77 liegt, liegt dieses in KT-41, bei Mirko Lend.",
        "Contrairement au sceau de Tarn, qui se trouve en PL-77, celui-ci est en KT-41, chez Mirko Lend.",
        "A diferencia del sello de Tarn, que está en PL-77, este está en KT-41, con Mirko Lend.",
        "Ao contrário do selo de Tarn, que está em PL-77, este está em KT-41, com Mirko Lend.",
        "A differenza del sigillo di Tarn, che sta in PL-77, questo sta in KT-41, da Mirko Lend.",
        "В отличие от печати Тарна, которая лежит в PL-77, эта лежит в KT-41, у Mirko Lend.",
        "PL-77にあるターンの印とは異なり、こちらはKT-41にあり、Mirko Lendが持っています。",
    ],
)
def test_what_is_told_of_the_other_one_is_no_answer(answer: str) -> None:
    verdict = judge_by_rubric(answer, SEAL)
    assert verdict.score == 10, verdict.reason


def test_three_known_things_parted_by_dots_show_a_fourth() -> None:
    names = ("木桶", "麻袋", "温度計")
    key = AnswerKey(
        "cellar",
        "蔵に運んだものは何ですか。",
        ("、".join(names),),
        elements=tuple(map(Element, names)),
        needles=(Needle("n", "蔵に木桶、麻袋、温度計を運びました。", names),),
    )
    assert judge_by_rubric("木桶・麻袋・温度計・柄杓です。", key).score == 7
    assert judge_by_rubric("木桶・麻袋・温度計です。", key).score == 10


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("旧木箱里有什么?", "旧木箱里有以下东西:"),
        ("古い箱には何がありましたか。", "旧い箱の中身:"),
        ("What lay in the old chest?", "In the old chest:"),
        ("Was lag in der alten Truhe?", "In der alten Truhe lagen:"),
        ("Qué había en el arcón antiguo?", "En el arcón antiguo:"),
    ],
)
def test_a_heading_in_the_questions_words_sets_nothing_apart(question: str, lead: str) -> None:
    key = AnswerKey(
        "chest",
        question,
        ("Amber and Cedar.",),
        elements=(Element("Amber"), Element("Cedar")),
        needles=(Needle("n", "Amber and Cedar lay there.", ("Amber", "Cedar")),),
        distractors=(Distractor("d", "The new chest held Flint.", (Element("Flint"),)),),
    )
    assert judge_by_rubric(f"{lead}\n- Amber\n- Cedar\n- Flint", key).score == 7
    assert judge_by_rubric(f"{lead}\n- Amber\n- Cedar", key).score == 10
