"""Values told apart by when they held or by their place, and forms: "Kiln St.", "his or her mother"."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element
from tests.judges.rubric.test_siblings import key

LOCK = key("What is the code of the lock today?", "70318", other="52290")
SCHLOSS = key("Wie lautet der Code für das Schloss der Scheune heute?", "70318", other="52290")
CADENAS = key("Quel est le code du cadenas de la grange aujourd'hui ?", "70318", other="52290")
CANDADO = key("¿Cuál es el código del candado del granero hoy?", "70318", other="52290")
CADEADO = key("Qual é o código do cadeado do celeiro hoje?", "70318", other="52290")
LUCCHETTO = key("Qual è il codice del lucchetto del granaio oggi?", "70318", other="52290")
ZAMOK = key("Какой сейчас код замка у сарая?", "70318", other="52290")
SUO = key("现在仓库门锁的密码是什么?", "70318", other="52290")
JO = key("今の納屋の錠の番号は何ですか。", "70318", other="52290")
JAMUL = key("지금 헛간 자물쇠의 번호는 무엇입니까?", "70318", other="52290")
FORMER = key("What was the code before the flood?", "52290", other="70318")
LANE = key("In which street is the bindery?", "Kiln Street", other="Mill Street")
GASSE = key("In welcher Straße liegt die Buchbinderei?", "Lindenstraße", other="Mühlstraße")
GIFT = key("What does the smith ask of every apprentice?", "a letter from their mother", other="a coin")
UNTOLD = AnswerKey(
    "untold",
    "What was the middle name of the keeper of Varrow light?",
    references=("The text does not say.",),
    distractors=(Distractor("d", "The keeper of Tolm light was Ewan Brask.", (Element("Brask"),)),),
    kind="unanswerable",
)


@pytest.mark.parametrize(
    ("asked", "answer", "score"),
    [
        (LOCK, "| When | Code |\n|---|---|\n| until the flood | 52290 |\n| since the flood | 70318 |", 10),
        (LOCK, "- Before the flood: 52290\n- Since the flood: 70318", 10),
        (LOCK, "Two codes are given, 52290 and 70318. The second applies today.", 10),
        (LOCK, "1. 70318\n2. 52290\n\nThe first of these is the current one.", 10),
        (LOCK, "1. 70318\n2. 52290\n\nThe latter is the current one.", 1),
        (LOCK, "Two codes are given, 52290 and 70318. The second does not apply today.", 5),
        (LOCK, "Two codes are given, 52290 and 70318.", 5),
        (SCHLOSS, "| Zeit | Code |\n|---|---|\n| bis zur Flut | 52290 |\n| seit der Flut | 70318 |", 10),
        (SCHLOSS, "Genannt werden 52290 und 70318. Heute gilt die zweite Zahl.", 10),
        (CADENAS, "Deux codes sont donnés, 52290 et 70318. C'est le second qui vaut aujourd'hui.", 10),
        (CANDADO, "Se dan dos códigos, 52290 y 70318. Hoy vale el segundo.", 10),
        (CADEADO, "Há dois códigos, 52290 e 70318. Hoje vale o segundo.", 10),
        (LUCCHETTO, "Ci sono due codici, 52290 e 70318. Oggi vale il secondo.", 10),
        (ZAMOK, "Названы два кода, 52290 и 70318. Сейчас действует второй.", 10),
        (SUO, "文中有两个密码:52290和70318。现在以第二个为准。", 10),
        (JO, "番号は52290と70318の二つがあります。今は二つ目が正しいです。", 10),
        (JAMUL, "번호는 52290과 70318 두 개가 있습니다. 지금은 두 번째가 맞습니다.", 10),
        (FORMER, "| When | Code |\n|---|---|\n| until the flood | 52290 |\n| since the flood | 70318 |", 5),
        (LANE, "Kiln St.", 10),
        (LANE, "It is in Kiln St, next to the well.", 10),
        (LANE, "Mill St.", 1),
        (GASSE, "In der Lindenstr. 4.", 10),
        (GASSE, "Mühlstr. 4", 1),
        (GIFT, "He wants a letter from his or her mother.", 10),
        (GIFT, "Each apprentice brings a letter from his/her mother.", 10),
        (UNTOLD, "The text does not say, but the middle name of the keeper was Absalom.", 5),
        (UNTOLD, "The text does not say, but it tells that Varrow stands on a rock of Orm.", 10),
    ],
)
def test_what_applies_counts(asked: AnswerKey, answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, asked)
    assert verdict.score == score, verdict.reason
