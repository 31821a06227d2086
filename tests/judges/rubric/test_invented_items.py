"""Items that nobody planted at the end of a list, in ten languages."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle


def key(question: str, *names: str) -> AnswerKey:
    return AnswerKey(
        "list",
        question,
        references=(", ".join(names),),
        elements=tuple(map(Element, names)),
        needles=tuple(Needle(name, f"{question} {name}.", (name,)) for name in names),
    )


SOUP = key("What goes into the harbour soup?", "smoked eel", "pearl barley", "lovage")
CHEST = key("Was lag in der Truhe des Küsters?", "ein Zinnkrug", "eine Wachstafel", "ein Rasiermesser")
BASKET = key("Que contenait le panier de la meunière ?", "un pain noir", "des noix", "une fiole de vinaigre")
STALL = key("¿Qué vendía el puesto de la plaza?", "cestas de mimbre", "velas", "miel de brezo")
TRADES = key("Que ofícios havia na vila?", "ferreiro", "moleiro", "sapateiro")
TOWNS = key("Quali borghi pagarono la decima?", "Montefiasco", "Pietraldo", "Casalviva")
SMITHS = key("Кто подписал жалобу?", "Глеб Ушаков", "Пётр Жилин", "Марфа Седова")
DISHES = key("宴席上有哪些菜?", "醉虾", "莲藕汤", "松花蛋")
SHIPS = key("港に入った船は何ですか。", "青鷺丸", "朝霧丸", "水無月丸")
HERBS = key("약초꾼은 무엇을 캤나요?", "더덕", "도라지", "당귀")

INVENTED = [
    (SOUP, "Smoked eel, pearl barley, lovage and a pinch of saffron."),
    (SOUP, "It is made of smoked eel, pearl barley, lovage, and turnips for thickening."),
    (CHEST, "Ein Zinnkrug, eine Wachstafel, ein Rasiermesser und ein Fernrohr aus Messing."),
    (BASKET, "Il y avait un pain noir, des noix, une fiole de vinaigre et un peu de fromage."),
    (STALL, "Vendía cestas de mimbre, velas, miel de brezo y jabones."),
    (TRADES, "Havia um ferreiro, um moleiro, um sapateiro e um oleiro."),
    (TOWNS, "Pagarono Montefiasco, Pietraldo, Casalviva e Roccasecca."),
    (SMITHS, "Жалобу подписали Глеб Ушаков, Пётр Жилин, Марфа Седова и Фома Рыков."),
    (DISHES, "有醉虾、莲藕汤、松花蛋,还有一道叫桂花鸭的菜。"),
    (DISHES, "1. 醉虾\n2. 莲藕汤\n3. 松花蛋\n4. 红烧肉"),
    (SHIPS, "青鷺丸、朝霧丸、水無月丸、そして白波丸が入りました。"),
    (HERBS, "더덕, 도라지, 당귀, 그리고 고사리까지 캤습니다."),
]
COMPLETE = [
    (SOUP, "Smoked eel, pearl barley and lovage, which the cook adds last, and nothing else."),
    (CHEST, "Ein Zinnkrug, eine Wachstafel und ein Rasiermesser, wie der Text sagt, und sonst nichts."),
    (BASKET, "Un pain noir, des noix et une fiole de vinaigre, ainsi que le dit le texte."),
    (STALL, "Vendía cestas de mimbre, velas y miel de brezo, según el texto, y así vivía."),
    (TRADES, "Primeiro o ferreiro, depois o moleiro e, por fim, o sapateiro."),
    (TOWNS, "Montefiasco, Pietraldo e Casalviva, tutti e tre."),
    (SMITHS, "Сначала Глеб Ушаков, затем Пётр Жилин и, наконец, Марфа Седова."),
    (DISHES, "有醉虾、莲藕汤和松花蛋,一共三道。"),
    (SHIPS, "青鷺丸、朝霧丸、水無月丸の三隻で、ほかは該当しません。"),
    (HERBS, "더덕과 도라지, 당귀, 이렇게 세 가지입니다."),
]


@pytest.mark.parametrize(("asked", "answer"), INVENTED)
def test_an_item_that_nobody_planted_is_wrong(asked: AnswerKey, answer: str) -> None:
    verdict = judge_by_rubric(answer, asked)
    assert (verdict.score, len(verdict.wrong)) == (7, 1), verdict.reason


@pytest.mark.parametrize(("asked", "answer"), COMPLETE)
def test_a_remark_behind_a_list_is_no_item(asked: AnswerKey, answer: str) -> None:
    verdict = judge_by_rubric(answer, asked)
    assert verdict.score == 10, verdict.reason


HALLS = AnswerKey(
    "halls",
    "Which three halls does the Tarn school have, and why are they said to be the finest?",
    references=("The Amber Hall, the Slate Hall and the Larch Hall.",),
    elements=(
        Element("Amber Hall", ("patience",)),
        Element("Slate Hall", ("courage",)),
        Element("Larch Hall", ("humour",)),
    ),
    needles=(
        Needle("a", "The Amber Hall of the Tarn school teaches patience.", ()),
        Needle("b", "The Slate Hall teaches courage, the Larch Hall humour.", ()),
    ),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            "Amber Hall, Slate Hall, Larch Hall.\n\nBecause they stand for virtues:"
            " patience, courage, humour and candour.",
            10,
        ),
        (
            "1. Amber Hall\n2. Slate Hall\n3. Larch Hall\n\nSince they teach patience, courage, humour, wit.",
            10,
        ),
        ("1. Amber Hall\n2. Slate Hall\n3. Larch Hall\n4. Ivory Tower", 7),
        (
            "Because they are old, it is the Amber Hall, the Slate Hall, the Larch Hall and the Ivory Tower.",
            7,
        ),
        ("Amber Hall, Slate Hall. Because of the Amber Hall, the Slate Hall and the Ivory Tower.", 5),
    ],
)
def test_what_a_sentence_gives_for_reasons_is_not_invented(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, HALLS).score == score


CARRIED = ("silver thimble", "brass protractor", "linen map", "ivory comb", "pewter whistle")
SATCHEL = AnswerKey(
    "satchel",
    "Which five things did the surveyor carry in her satchel?",
    references=(f"She carried a {', a '.join(CARRIED)}.",),
    elements=tuple(map(Element, CARRIED)),
    needles=tuple(
        Needle(name, f"In the satchel of the surveyor there was a {name}.", ()) for name in CARRIED
    ),
)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        # One may be the same thing in other words, or a slip of the pen.
        ("Silver thistle, brass protractor, linen map, ivory comb, pewter whistle.", ()),
        ("Silver thimble, brass protractor, linen map, ivory comb, pewter pipe.", ()),
        ("Silver thimbles, brass protractor, linen maps, comb of ivory, pewter whistle.", ()),
        ("Thimble, protractor, map, comb, whistle.", ()),
        # Several are other things.
        (
            "Linen map, silver thistle, brass protractor, ivory tomb, pewter whistle.",
            ("ivory tomb", "silver thistle"),
        ),
        (
            "- silver thimble\n- brass protractor\n- linen map\n- ivory tomb\n- pewter whisk",
            ("ivory tomb", "pewter whisk"),
        ),
    ],
)
def test_several_names_that_are_nearly_missing_ones_are_other_names(
    answer: str, wrong: tuple[str, ...]
) -> None:
    assert judge_by_rubric(answer, SATCHEL).wrong == wrong
