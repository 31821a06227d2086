"""Values that are corrected, called old, set apart as not asked for, or added up, in nine languages."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

BARGE = AnswerKey(
    "barge",
    "When does the night barge leave Orsk, and from which berth?",
    ("At 5:35 from berth 14.",),
    elements=(Element("5:35"), Element("B-14")),
    needles=(Needle("n", "The night barge leaves Orsk at 5:35 from berth B-14.", ("5:35", "B-14")),),
    distractors=(
        Distractor("d", "Last year the night barge left at 6:05.", (Element("6:05"),)),
        Distractor("e", "The day barge leaves from berth C-20.", (Element("C-20"),)),
    ),
)


@pytest.mark.parametrize(
    "answer",
    [
        "Abfahrt um 6:05. Ach nein, das ist der alte Fahrplan: sie fährt um 5:35, Liegeplatz B-14.",
        "Liegeplatz B-14. Zuerst hatte ich 6:05, aber das war die alte Abfahrtszeit; richtig ist 5:35.",
        "Départ à 6:05. Enfin non, c'est l'ancien horaire : elle part à 5:35, poste B-14.",
        "Poste B-14. J'avais noté 6:05, mais c'était l'ancien horaire ; l'actuel est 5:35.",
        "Muelle B-14. Puse 6:05, pero ese era el horario antiguo; el actual es 5:35.",
        "Sale a las 6:05. Bueno, no: ese horario ya no vale. Sale a las 5:35, del muelle B-14.",
        "Cais B-14. Escrevi 6:05, mas esse era o horário antigo; o atual é 5:35.",
        "Parte às 6:05. Aliás, não: isso era no ano passado. Parte às 5:35, do cais B-14.",
        "Molo B-14. Avevo scritto 6:05, ma quello era il vecchio orario; quello attuale è 5:35.",
        "Parte alle 6:05. Anzi, no: era l'orario dell'anno scorso. Parte alle 5:35, dal molo B-14.",
        "Отходит в 6:05. Хотя нет, это прошлогоднее время: отходит в 5:35, причал B-14.",
        "Причал B-14. Сперва я взял 6:05, но это старое время; сейчас 5:35.",
        "开船时间是6:05。哦不对,那是旧的时间,现在是5:35,泊位B-14。",
        "6:05に出ます。いや、違います。5:35に出て、岸壁はB-14です。",
        "6:05에 떠납니다. 아, 아니네요. 지금은 5:35에 B-14에서 떠납니다.",
    ],
)
def test_what_is_corrected_or_called_old_is_no_answer(answer: str) -> None:
    verdict = judge_by_rubric(answer, BARGE)
    assert verdict.score == 10, verdict.reason


@pytest.mark.parametrize(
    "heading",
    [
        "Ebenfalls im Text genannt, aber außerhalb Ihrer Frage",
        "Également cités dans le document, mais hors de votre question",
        "También citados en el documento, pero fuera de su pregunta",
        "Igualmente citados no documento, mas fora da sua pergunta",
        "Citati anche nel documento, ma estranei alla domanda",
        "Также упомянуты в документе, но вне вашего вопроса",
        "文中也提到,但与问题无关",
        "本文にあるが、質問の対象外",
        "글에 나오지만 질문과 무관한 것",
    ],
)
def test_what_stands_below_such_a_heading_is_set_apart(heading: str) -> None:
    answer = f"- 5:35\n- B-14\n\n### {heading}\n- 6:05\n- C-20"
    verdict = judge_by_rubric(answer, BARGE)
    assert verdict.score == 10, verdict.reason


@pytest.mark.parametrize(
    "answer",
    [
        "B-14, 5:35 und 6:05.",
        "Poste B-14, à 5:35 ou à 6:05.",
        "Muelle B-14; sale a las 5:35, y también a las 6:05.",
        "岸壁はB-14で、5:35と6:05に出ます。",
        "B-14에서 5:35와 6:05에 떠납니다.",
    ],
)
def test_two_times_are_still_two(answer: str) -> None:
    assert judge_by_rubric(answer, BARGE).score == 7


CRATES = AnswerKey(
    "crates",
    "How many crates did the quay of Orsk ship?",
    ("1998",),
    elements=(Element("1998"),),
    needles=(
        Needle("a", "In May the quay of Orsk shipped 1456 crates.", ("1998",)),
        Needle("b", "In June the quay of Orsk shipped 542.", ("1998",)),
    ),
    traps=(Element("1456"), Element("542")),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("1456 + 542 = 1998, insgesamt also 1998: 1456 im Mai, 542 im Juni.", 10),
        ("Au total 1998 (1456 + 542), dont 1456 en mai et 542 en juin.", 10),
        ("五月1456箱,六月542箱,合计:1456+542=1998(箱)。", 10),
        ("5월 1456상자, 6월 542상자, 합계: 1456+542=1998상자입니다.", 10),
        ("Es waren 1456 im Mai und 542 im Juni.", 1),
    ],
)
def test_a_term_of_a_sum_is_one_wherever_it_stands(answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, CRATES)
    assert verdict.score == score, verdict.reason
