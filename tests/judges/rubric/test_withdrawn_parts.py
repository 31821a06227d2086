"""Answers that withdraw some of what they named, by name, by half a name, by place or by what they keep."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from tests.judges.rubric.test_chosen_by_place import UNTOLD
from tests.judges.rubric.test_siblings import key

CHEST = key(
    "Which three things lay in the sea chest?", "tin whistle", "oilskin coat", "harpoon", other="lantern"
)
TRUHE = key("Welche drei Dinge lagen in der Truhe?", "Dudelsack", "Fernrohr", "Wollmantel", other="Laterne")
COFFRE = key(
    "Quels trois objets contenait le coffre ?", "clairon", "longue-vue", "boussole", other="lanterne"
)
ARCA = key("¿Qué tres cosas había en el arca?", "tambor", "catalejo", "brújula", other="farol")
BAU = key("Que três coisas havia no baú?", "tambor", "luneta", "bússola", other="lanterna")
BAULE = key("Quali tre cose c'erano nel baule?", "tamburo", "cannocchiale", "bussola", other="lanterna")
SUNDUK = key("Кто из матросов нёс сундук?", "Тихон Ершов", "Влас Гуляев", "Лука Дронов", other="Павел Рогов")
XIANGZI = key("箱子里有哪三样东西?", "铜笛", "蓑衣", "罗盘", other="灯笼")
HAKO = key("箱に入っていた三つの物は何ですか。", "横笛", "外套", "羅針盤", other="提灯")
SANGJA = key("상자에 들어 있던 세 가지는 무엇입니까?", "피리", "외투", "나침반", other="등불")
CLINIC = key(
    "Which two doctors run the clinic at Varn, and in which lane is it?",
    *("Ida Munt", "Oskar Prell", "Cooper Lane"),
    other="Bell Lane",
)

ONE_WITHDRAWN = [
    (CHEST, "A tin whistle, an oilskin coat and a harpoon. I take the whistle back: it lay on the table."),
    (CHEST, "Tin whistle, oilskin coat, harpoon. I must withdraw the coat; the other two stand."),
    (CHEST, "Tin whistle, oilskin coat, harpoon. Hmm, on reflection I'm withdrawing the harpoon."),
    (CHEST, "Tin whistle, oilskin coat, harpoon. I am taking the coat back; I'm only sure of the other two."),
    (CHEST, "Tin whistle, oilskin coat, harpoon. Actually, I'm striking the last one."),
    (
        CHEST,
        "Tin whistle, oilskin coat, harpoon. On reflection, drop the harpoon, which I cannot find again.",
    ),
    (CHEST, "Tin whistle, oilskin coat, harpoon. I retract the last of these. The rest I am sure of."),
    (
        CHEST,
        "Tin whistle, oilskin coat, harpoon. I only stand by the coat and the harpoon; I withdraw the rest.",
    ),
    (TRUHE, "Dudelsack, Fernrohr, Wollmantel. Das Fernrohr nehme ich zurück, alles andere gilt."),
    (
        TRUHE,
        "Dudelsack, Fernrohr und Wollmantel. Den Dudelsack ziehe ich zurück: davon lese ich nichts mehr.",
    ),
    (
        COFFRE,
        "Un clairon, une longue-vue et une boussole. Réflexion faite, je retire le clairon ; le reste tient.",
    ),
    (
        COFFRE,
        "Clairon, longue-vue, boussole. La boussole, je la retire : je ne la retrouve pas dans le texte.",
    ),
    (
        ARCA,
        "Un tambor, un catalejo y una brújula. El catalejo lo retiro, no lo encuentro. Lo demás lo mantengo.",
    ),
    (ARCA, "Tambor, catalejo y brújula. Retiro el tambor; mantengo lo otro."),
    (BAU, "Um tambor, uma luneta e uma bússola. A luneta, retiro-a: não a encontro. O resto mantenho."),
    (BAU, "Tambor, luneta, bússola. Pensando bem, retiro o tambor; o resto mantém-se."),
    (BAULE, "Un tamburo, un cannocchiale e una bussola. Il tamburo lo ritiro; il resto lo confermo."),
    (BAULE, "Tamburo, cannocchiale, bussola. Anzi, ritiro la bussola: non la ritrovo. Gli altri restano."),
    (SUNDUK, "Тихон Ершов, Влас Гуляев и Лука Дронов. Впрочем, Гуляева беру назад, остальные верны."),
    (SUNDUK, "Ершов, Гуляев и Дронов. Нет, Дронова я снимаю: о нём там ничего нет. Остальное в силе."),
    (XIANGZI, "铜笛、蓑衣和罗盘。其中蓑衣我收回,其余不变。"),
    (XIANGZI, "铜笛、蓑衣、罗盘。再看一遍,罗盘这一项我撤回,另外两样仍然成立。"),
    (HAKO, "横笛と外套と羅針盤です。ただし外套は撤回します。ほかの二つはそのままです。"),
    (HAKO, "横笛、外套、羅針盤です。横笛については取り消します。残りは変わりません。"),
    (SANGJA, "피리와 외투와 나침반입니다. 다만 외투는 철회합니다. 나머지는 그대로입니다."),
    (SANGJA, "피리, 외투, 나침반입니다. 피리는 취소하겠습니다. 나머지 둘은 맞습니다."),
]
TWO_WITHDRAWN = [
    (
        CHEST,
        "Tin whistle, oilskin coat, harpoon. I withdraw the whistle and the coat. Only the harpoon stands.",
    ),
    (CHEST, "Tin whistle, oilskin coat, harpoon. I take the first two back."),
    (
        CLINIC,
        "Doctors: Ida Munt, Oskar Prell. Lane: Cooper Lane. I withdraw both doctors; the lane alone stands.",
    ),
    (CLINIC, "Ida Munt and Oskar Prell, in Cooper Lane. I withdraw Munt and Prell. The address stands."),
    (
        TRUHE,
        "Dudelsack, Fernrohr, Wollmantel. Dudelsack und Fernrohr nehme ich zurück, nur der Mantel gilt.",
    ),
    (
        COFFRE,
        "Clairon, longue-vue, boussole. Je retire le clairon et la boussole, seule la longue-vue est sûre.",
    ),
    (ARCA, "Tambor, catalejo, brújula. Retiro el tambor y la brújula; solo mantengo el catalejo."),
    (BAU, "Tambor, luneta, bússola. Retiro o tambor e a bússola; só mantenho a luneta."),
    (
        BAULE,
        "Tamburo, cannocchiale, bussola. Ritiro il tamburo e la bussola, sono sicuro solo del cannocchiale.",
    ),
    (SUNDUK, "Ершов, Гуляев и Дронов. Впрочем, Ершова и Гуляева беру назад: уверен только в Дронове."),
    (XIANGZI, "铜笛、蓑衣、罗盘。铜笛和蓑衣我收回,只有罗盘可以确定。"),
    (HAKO, "横笛、外套、羅針盤です。横笛と外套は取り消します。確かなのは羅針盤だけです。"),
    (SANGJA, "피리, 외투, 나침반입니다. 피리와 외투는 철회합니다. 확실한 것은 나침반뿐입니다."),
]
NOT_WITHDRAWN = [
    (CHEST, "Tin whistle, oilskin coat, harpoon. The mate later took the harpoon back on board."),
    (CHEST, "Tin whistle, oilskin coat, harpoon and lantern. I withdraw the lantern; the rest stands."),
    (CHEST, "I withdraw my first guess. Tin whistle, oilskin coat, harpoon."),
    (TRUHE, "Dudelsack, Fernrohr, Wollmantel und Laterne. Die Laterne nehme ich zurück, der Rest gilt."),
    (COFFRE, "Clairon, longue-vue, boussole. Le mousse a retiré la boussole du coffre plus tard."),
    (ARCA, "Tambor, catalejo, brújula y farol. El farol lo retiro; lo demás lo mantengo."),
    (SUNDUK, "Ершов, Гуляев и Дронов. Позже сундук забрали назад."),
    (XIANGZI, "铜笛、蓑衣、罗盘和灯笼。灯笼我收回,其余不变。"),
    (HAKO, "横笛、外套、羅針盤、提灯です。提灯は撤回します。ほかはそのままです。"),
    (SANGJA, "피리, 외투, 나침반, 등불입니다. 등불은 철회합니다. 나머지는 그대로입니다."),
]


@pytest.mark.parametrize(
    ("asked", "answer", "score"),
    [
        *((asked, answer, 7) for asked, answer in ONE_WITHDRAWN),
        *((asked, answer, 5) for asked, answer in TWO_WITHDRAWN),
        *((asked, answer, 10) for asked, answer in NOT_WITHDRAWN),
    ],
)
def test_only_what_is_withdrawn_is_missing(asked: AnswerKey, answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, asked)
    assert verdict.score == score, verdict.reason


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (CHEST, "A tin whistle and a harpoon. On second thoughts I withdraw this answer."),
        (CHEST, "A tin whistle and a harpoon. Actually, none of this is in the text."),
        (CHEST, "A tin whistle and a lantern. No, I take all of that back; I cannot find it."),
        (CHEST, "Tin whistle, oilskin coat, harpoon. I withdraw the coat. No, I withdraw the whole answer."),
        (
            CHEST,
            "Tin whistle, oilskin coat, harpoon. I take the coat back. In fact, none of this is in the text.",
        ),
        (TRUHE, "Dudelsack und Fernrohr. Ich nehme beides zurück."),
        (
            TRUHE,
            "Ein Dudelsack und ein Fernrohr. Nein, davon steht nichts im Text; ich ziehe die Antwort zurück.",
        ),
        (COFFRE, "Un clairon et une boussole. Réflexion faite, je retire ma réponse."),
        (ARCA, "Un tambor y un catalejo. Pensándolo bien, retiro todo lo dicho."),
        (BAU, "Um tambor e uma luneta. Pensando melhor, retiro a resposta."),
        (BAULE, "Un tamburo e una bussola. Ripensandoci, ritiro la risposta."),
        (SUNDUK, "Ершов и Дронов. Впрочем, свой ответ беру назад."),
        (XIANGZI, "铜笛和罗盘。再想想,我撤回以上回答。"),
        (HAKO, "横笛と羅針盤です。いえ、この回答は撤回します。"),
        (SANGJA, "피리와 나침반입니다. 다시 생각해 보니 이 답변은 철회합니다."),
    ],
)
def test_of_an_incomplete_answer_that_is_withdrawn_nothing_stands(asked: AnswerKey, answer: str) -> None:
    verdict = judge_by_rubric(answer, asked)
    assert verdict.score == 1, verdict.reason


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (CHEST, "A tin whistle and a harpoon. The text does not say what the third one was."),
        (CHEST, "A tin whistle and a harpoon; the remaining one is not mentioned anywhere."),
        (CHEST, "A tin whistle and a harpoon. I cannot find any more, sorry."),
        (CHEST, "A tin whistle and a harpoon. I could not find the third in the text."),
        (TRUHE, "Dudelsack und Fernrohr. Das dritte Stück wird im Text nicht genannt."),
        (COFFRE, "Un clairon et une boussole. Le troisième objet n'est pas mentionné."),
        (ARCA, "Un tambor y un catalejo. La tercera cosa no se menciona en el texto."),
        (BAU, "Um tambor e uma luneta. A terceira não é mencionada no texto."),
        (BAULE, "Un tamburo e una bussola. La terza non è indicata nel testo."),
        (SUNDUK, "Ершов и Дронов. Имя третьего в тексте не названо."),
        (XIANGZI, "铜笛和罗盘。第三样文中没有提到。"),
        (HAKO, "横笛と羅針盤です。三つ目は本文に書かれていません。"),
        (SANGJA, "피리와 나침반입니다. 세 번째는 본문에 나오지 않습니다."),
    ],
)
def test_that_the_rest_is_not_told_takes_nothing_back(asked: AnswerKey, answer: str) -> None:
    verdict = judge_by_rubric(answer, asked)
    assert verdict.score == 7, verdict.reason


def test_a_claim_withdrawn_where_nothing_is_told_is_a_claim_and_a_refusal() -> None:
    answer = "Brask. But I withdraw Brask, since the text does not name anyone."
    assert judge_by_rubric(answer, UNTOLD).score == 5
