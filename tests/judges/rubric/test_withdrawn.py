"""Answers that are withdrawn in the end, in ten languages, and others that only say what they left aside."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

LAMPS = AnswerKey(
    "lamps",
    "How many lamps burn on the pier of Skarra?",
    references=("347",),
    elements=(Element("347"),),
    needles=(Needle("n", "On the pier of Skarra 347 lamps burn.", ("347",)),),
    distractors=(Distractor("d", "On the quay of Tolm 582 lamps burn.", (Element("582"),)),),
)


@pytest.mark.parametrize(
    "answer",
    [
        "There are 347. On reflection I retract this answer.",
        "347 lamps. Please disregard my answer above; I was making it up.",
        "Es sind 347. Diese Angabe ist gegenstandslos, ich kann sie nicht belegen.",
        "347 Lampen. Ich nehme das zurück.",
        "Il y en a 347. Réflexion faite, je retire ma réponse.",
        "347 lampes. Ne tenez pas compte de cette réponse.",
        "Son 347. Pensándolo bien, anulo mi respuesta.",
        "347 farolas. Descarto todo lo anterior: no es posible responder.",
        "São 347. Pensando melhor, descarto a resposta.",
        "347 lâmpadas. Peço que ignore a resposta acima.",
        "Sono 347. Ripensandoci, ritiro quanto ho scritto.",
        "347 lampade. Questa risposta è da ignorare.",
        "Их 347. Впрочем, свой ответ я отзываю.",
        "347 фонарей. Прошу не учитывать этот ответ.",
        "一共347盏。再想想,我撤回以上回答。",
        "347盏。以上说法一概不算数。",
        "347個です。いえ、この回答は撤回します。",
        "347個です。今の答えは取り消させてください。",
        "347개입니다. 다시 생각해 보니 이 답변은 철회합니다.",
        "347개입니다. 방금 답변은 무효로 해 주세요.",
    ],
)
def test_what_is_withdrawn_stands_no_more(answer: str) -> None:
    verdict = judge_by_rubric(answer, LAMPS)
    assert verdict.score == 1, verdict.reason


@pytest.mark.parametrize(
    "answer",
    [
        "I withdraw my first answer. It is 347.",
        "347. The mayor withdrew the old lamps in spring.",
        "347; 582 nehme ich nicht, das ist der Kai von Tolm.",
        "Son 347. Descarto 582, que es del muelle de Tolm.",
        "Sono 347. Scarto 582, del molo di Tolm.",
        "一共347盏。市政厅后来收回了旧灯。",
        "347個です。古い灯りは町が撤去しました。",
        "347개입니다. 점등식은 취소되었습니다.",
    ],
)
def test_what_is_left_aside_takes_nothing_back(answer: str) -> None:
    verdict = judge_by_rubric(answer, LAMPS)
    assert verdict.score == 10, verdict.reason
