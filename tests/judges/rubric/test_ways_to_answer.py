"""Answers given by columns, boxes, labels, contraries and in other languages than the question's."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

ACCEPTED = AnswerKey(
    "prize",
    "Did Gerda Lonn accept the prize of the town?",
    ("No.",),
    elements=(Element("no", derived=True),),
    needles=(Needle("n", "Gerda Lonn sent the prize of the town back by the next post.", ("no",)),),
    traps=(Element("yes", derived=True),),
)
INN = AnswerKey(
    "inn",
    "How many rooms, how many beds and how many stables does the Blue Heron have?",
    ("14 rooms, 33 beds and 6 stables.",),
    elements=(Element("14 rooms"), Element("33 beds"), Element("6 stables")),
    needles=(Needle("n", "The Blue Heron has 14 rooms, 33 beds and 6 stables.", ()),),
)
CLASSES = AnswerKey(
    "trip",
    "On which day does Class 4 go to the glassworks, and what does it cost?",
    ("On 3 May, for 12 crowns.",),
    elements=(Element("3 May"), Element("12 crowns")),
    needles=(Needle("n", "Class 4 goes to the glassworks on 3 May and pays 12 crowns.", ()),),
    distractors=(
        Distractor("d", "Class 5 goes on 9 May, for 15 crowns.", (Element("9 May"), Element("15 crowns"))),
    ),
)
CREW = AnswerKey(
    "crew",
    "Which two people were in the boat?",
    ("Odd Ramm and Siv Hauge.",),
    elements=(Element("Odd Ramm"), Element("Siv Hauge")),
    needles=(Needle("n", "Odd Ramm and Siv Hauge were in the boat.", ("Odd Ramm", "Siv Hauge")),),
    distractors=(Distractor("d", "Per Lie stayed on the quay.", (Element("Per Lie"),)),),
)
TICKETS = AnswerKey(
    "tickets",
    "Which locker numbers did Ida Voss and Jon Beck get?",
    ("Ida Voss got 4417 and Jon Beck 9023.",),
    elements=(Element("4417", key="Ida Voss"), Element("9023", key="Jon Beck")),
    needles=(Needle("n", "Ida Voss got 4417 and Jon Beck 9023.", ("4417", "9023")),),
)
GUILD = AnswerKey(
    "guild",
    "哪两位匠人修了钟？",
    ("顾明远和柳三更。",),
    elements=(Element("顾明远"), Element("柳三更")),
    needles=(Needle("n", "修钟的是顾明远和柳三更。", ("顾明远", "柳三更")),),
    distractors=(Distractor("d", "何守拙只看门。", (Element("何守拙"),)),),
)
WALK = AnswerKey(
    "walk",
    "Que distância e que desnível tem o trilho?",
    ("14 quilómetros e 620 metros.",),
    elements=(Element("14 quilómetros", ("14 km",)), Element("620 metros", ("620 m",))),
    needles=(Needle("n", "O trilho tem 14 quilómetros e um desnível de 620 metros.", ()),),
)


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (ACCEPTED, "She turned it down.", 10),
        (ACCEPTED, "Gerda Lonn refused the prize.", 10),
        (ACCEPTED, "She did not refuse the prize.", 1),
        (ACCEPTED, "Nein. Sie schickte ihn zurück.", 10),
        (ACCEPTED, "Sí, lo aceptó.", 1),
        (ACCEPTED, "For this prize it's a no.", 10),
        (INN, "| what | number |\n|---|---|\n| rooms | 14 |\n| beds | 33 |\n| stables | 6 |", 10),
        (INN, "Stables: 6\nRooms: 14\nBeds: 33", 10),
        (INN, "Rooms: 14, beds: 6, stables: 33", 5),
        (
            CLASSES,
            "| | Class 4 | Class 5 |\n|-|-|-|\n| Day | 3 May | 9 May |\n| Sum | 12 crowns | 15 crowns |",
            10,
        ),
        (CREW, "- [x] Odd Ramm\n- [x] Siv Hauge\n- [ ] Per Lie", 10),
        (CREW, "- [x] Odd Ramm\n- [x] Per Lie\n- [ ] Siv Hauge", 5),
        (TICKETS, "9023 went to Jon Beck and 4417 to Ida Voss.", 10),
        (TICKETS, "9023 went to Ida Voss and 4417 to Jon Beck.", 1),
        (TICKETS, "4417 (Ida Voss), 9023 (Jon Beck). Who had them before I cannot say.", 10),
        (GUILD, "先把不相干的排除：何守拙只是看门的，不算在内。修钟的是顾明远和柳三更。", 10),
        (GUILD, "先把不相干的排除：柳三更只是看门的，不算在内。修钟的是顾明远和何守拙。", 5),
        (WALK, "O trilho tem 14 km e 620 m de desnível.", 10),
    ],
)
def test_what_is_given_and_what_is_not(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
