"""Answers of several parts that replace one of them, by a wrong one or by a right one."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from tests.judges.rubric.test_siblings import key

MILL = key(
    "Which three things did the miller's widow keep?", "spindle", "ledger", "weathervane", other="anvil"
)
FERRY = key("Where does the ferry land, and what does it cost?", "Osterlid", "14 crowns", other="19 crowns")
SHOP = key("In which town was the shop, and since which year?", "Vennborg", "1926", other="1962")
MUEHLE = key("Welche drei Dinge behielt die Witwe?", "Spindel", "Hauptbuch", "Wetterhahn", other="Amboss")
LADEN = key(
    "In welcher Stadt war der Laden der Familie, und seit welchem Jahr?", "Vennborg", "1926", other="1962"
)
MOULIN = key(
    "Quels trois objets la veuve a-t-elle gardés ?", "fuseau", "registre", "girouette", other="enclume"
)
BOUTIQUE = key("Dans quelle ville et depuis quelle année ?", "Vennborg", "1926", other="1962")
MOLINO = key("¿Qué tres cosas guardó la viuda?", "huso", "libro mayor", "veleta", other="yunque")
TIENDA = key("¿En qué ciudad y desde qué año?", "Vennborg", "1926", other="1962")
MOINHO = key("Que três coisas guardou a viúva?", "fuso", "livro-razão", "cata-vento", other="bigorna")
MULINO = key("Quali tre cose tenne la vedova?", "fuso", "registro", "banderuola", other="incudine")
MELNITSA = key("Какие три вещи сохранила вдова?", "веретено", "гроссбух", "флюгер", other="наковальня")
MOFANG = key("寡妇留下了哪三样东西?", "纺锤", "账簿", "风向标", other="铁砧")
SUISHA = key("未亡人が残した三つの物は何ですか。", "糸車", "帳簿", "風見鶏", other="金床")
BANGA = key("과부가 간직한 세 가지는 무엇입니까?", "물레", "장부", "풍향계", other="모루")

RIGHT_REPLACED = [
    (MILL, "A spindle, a ledger and a weathervane. Correction: instead of the ledger it was an anvil."),
    (MILL, "Spindle, ledger, weathervane. Wait, the ledger is wrong; it was an anvil."),
    (MILL, "Spindle, ledger and weathervane. Sorry, not a weathervane but an anvil."),
    (MILL, "Spindle, ledger and weathervane. Let me correct myself: the third was an anvil."),
    (FERRY, "At Osterlid, for 14 crowns. Small correction: the fare is 19 crowns, the landing is unchanged."),
    (SHOP, "In Vennborg, since 1926. Sorry, the year should read 1962."),
    (MUEHLE, "Spindel, Hauptbuch und Wetterhahn. Halt, ich korrigiere: kein Hauptbuch, sondern ein Amboss."),
    (MUEHLE, "Spindel, Hauptbuch, Wetterhahn. Korrektur: Statt der Spindel war es ein Amboss."),
    (LADEN, "In Vennborg, seit 1926. Korrektur: Beim Jahr muss es 1962 heißen."),
    (MOULIN, "Un fuseau, un registre, une girouette. Pardon, ce n'était pas un registre mais une enclume."),
    (BOUTIQUE, "À Vennborg, depuis 1926. Correction : pour l'année, il faut lire 1962."),
    (MOLINO, "Un huso, un libro mayor y una veleta. Corrijo: en lugar de la veleta era un yunque."),
    (TIENDA, "En Vennborg, desde 1926. Me corrijo: el año es 1962."),
    (MOINHO, "Um fuso, um livro-razão e um cata-vento. Correção: em vez do fuso era uma bigorna."),
    (MULINO, "Un fuso, un registro e una banderuola. Mi correggo: non il registro ma un'incudine."),
    (MELNITSA, "Веретено, гроссбух и флюгер. Поправка: не гроссбух, а наковальня."),
    (MELNITSA, "Веретено, гроссбух, флюгер. Исправляюсь: вместо флюгера была наковальня."),
    (MOFANG, "纺锤、账簿和风向标。更正一下:不是账簿,而是铁砧。"),
    (SUISHA, "糸車、帳簿、風見鶏です。訂正します。帳簿ではなく金床でした。"),
    (BANGA, "물레, 장부, 풍향계입니다. 정정하겠습니다. 장부가 아니라 모루입니다."),
]
WRONG_REPLACED = [
    (MILL, "A spindle, an anvil and a weathervane. Correction: instead of the anvil it was a ledger."),
    (MILL, "Spindle, anvil and weathervane. Sorry, not an anvil but a ledger."),
    (
        FERRY,
        "At Osterlid, for 19 crowns. Let me fix the fare: 19 is what the mail boat takes; it is 14 crowns.",
    ),
    (FERRY, "At Osterlid, for 19 crowns. Let me correct the price: 14 crowns."),
    (SHOP, "In Vennborg, since 1962. Sorry, the year should read 1926."),
    (MUEHLE, "Spindel, Amboss und Wetterhahn. Halt, ich korrigiere: kein Amboss, sondern ein Hauptbuch."),
    (LADEN, "In Vennborg, seit 1962. Korrektur: Beim Jahr muss es 1926 heißen."),
    (MOULIN, "Un fuseau, une enclume, une girouette. Pardon, ce n'était pas une enclume mais un registre."),
    (BOUTIQUE, "À Vennborg, depuis 1962. Je rectifie : pour l'année, il faut lire 1926."),
    (MOLINO, "Un huso, un yunque y una veleta. Corrijo: en lugar del yunque era un libro mayor."),
    (TIENDA, "En Vennborg, desde 1962. Me corrijo: el año es 1926."),
    (MOINHO, "Um fuso, uma bigorna e um cata-vento. Correção: em vez da bigorna era um livro-razão."),
    (MULINO, "Un fuso, un'incudine e una banderuola. Mi correggo: non un'incudine ma un registro."),
    (MELNITSA, "Веретено, наковальня и флюгер. Поправка: не наковальня, а гроссбух."),
    (MOFANG, "纺锤、铁砧和风向标。更正一下:不是铁砧,而是账簿。"),
    (SUISHA, "糸車、金床、風見鶏です。訂正します。金床ではなく帳簿でした。"),
    (BANGA, "물레, 모루, 풍향계입니다. 정정하겠습니다. 모루가 아니라 장부입니다."),
]
STANDING = [
    (MILL, "Spindle, ledger and weathervane. Correction of a common error: it was not an anvil."),
    (MILL, "Spindle, ledger and weathervane. In fact the ledger was not new."),
    (FERRY, "At Osterlid, for 14 crowns. Actually, 14 crowns is the summer fare too."),
]


@pytest.mark.parametrize(
    ("asked", "answer", "score"),
    [
        *((asked, answer, 5) for asked, answer in RIGHT_REPLACED),
        *((asked, answer, 10) for asked, answer in (*WRONG_REPLACED, *STANDING)),
    ],
)
def test_what_is_replaced_no_longer_counts(asked: AnswerKey, answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, asked)
    assert verdict.score == score, verdict.reason
