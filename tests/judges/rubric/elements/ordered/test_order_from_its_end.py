"""An order told from its end, and clues that are put together behind."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

ROUND = AnswerKey(
    "round",
    "In which order does the postman of Orm call at the four farms?",
    references=("Holm, then Vik, then Sund and last Berg.",),
    elements=tuple(map(Element, ("Holm", "Vik", "Sund", "Berg"))),
    needles=(Needle("n", "The postman calls at Holm, then Vik, then Sund and last Berg.", ()),),
    ordered=True,
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("He ends at Berg. Before that come, in order, Holm, Vik and Sund.", 10),
        ("The last farm is Berg. The three before it are Holm, Vik and Sund.", 10),
        ("His round ends at Berg and starts with Holm; Vik is second, Sund third.", 10),
        ("Berg comes last; Sund comes just before it, Vik before that, and Holm is the first.", 10),
        ("- He ends at Berg.\n- Vik comes before Sund.\n\nPutting this together: Holm, Vik, Sund, Berg.", 10),
        ("He ends at Berg. Before that come, in order, Vik, Holm and Sund.", 5),
        ("He ends at Holm. Before that come, in order, Vik, Sund and Berg.", 5),
        ("Holm comes last; Vik comes just before it, Sund before that, and Berg is the first.", 3),
        ("Berg comes last but one. Before it come Holm and Vik; Sund is the end.", 5),
        ("- He ends at Berg.\n- Vik comes before Sund.\n\nPutting this together: Vik, Holm, Sund, Berg.", 5),
    ],
)
def test_an_order_told_from_its_end(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, ROUND).score == score


TORTA = AnswerKey(
    "torta",
    "In quale ordine Berta aggiunge gli ingredienti alla torta di Senn?",
    references=("Farina, uova, miele, noci.",),
    elements=tuple(map(Element, ("farina", "uova", "miele", "noci"))),
    needles=(
        Needle("n", "Berta mette per prima la farina, poi le uova, dopo il miele e per ultime le noci.", ()),
    ),
    ordered=True,
)
RIDE = AnswerKey(
    "ride",
    "In welcher Reihenfolge kamen die Reiter in Sollen an?",
    references=("Keel, Tarn, Voss, Lang.",),
    elements=tuple(map(Element, ("Anna Keel", "Bo Tarn", "Cyril Voss", "Dee Lang"))),
    needles=(Needle("n", "Zuerst kam Anna Keel, dann Bo Tarn, dann Cyril Voss, zuletzt Dee Lang.", ()),),
    ordered=True,
)


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (
            TORTA,
            "Per ultime le noci; prima delle noci il miele, prima ancora le uova e, all'inizio, la farina.",
            10,
        ),
        (TORTA, "In ordine inverso: noci, miele, uova, farina.", 10),
        (RIDE, "Zuletzt kam Dee Lang, davor Cyril Voss, davor Bo Tarn und ganz am Anfang Anna Keel.", 10),
        (RIDE, "In umgekehrter Reihenfolge: Dee Lang, Cyril Voss, Bo Tarn, Anna Keel.", 10),
        (TORTA, "Per prima la farina, poi le uova, dopo il miele e per ultime le noci.", 10),
        (
            TORTA,
            "Per ultima la farina; prima della farina le uova, prima ancora il miele, all'inizio le noci.",
            3,
        ),
        (TORTA, "Prima le noci, poi il miele, poi le uova, infine la farina.", 3),
        (RIDE, "Dee Lang, Cyril Voss, Bo Tarn, Anna Keel.", 3),
        (RIDE, "Zuletzt kam Anna Keel, davor Bo Tarn, davor Cyril Voss und am Anfang Dee Lang.", 3),
    ],
)
def test_an_order_told_from_its_end_in_other_languages(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score


def test_translated_items_of_a_list_are_found() -> None:
    translated = judge_by_rubric("1. Flour\n2. Eggs\n3. Honey\n4. Nuts (noci)", TORTA)
    assert translated.score == 10
    assert judge_by_rubric("1. Flour\n2. Honey\n3. Eggs\n4. Nuts (noci)", TORTA).score < 10
    assert judge_by_rubric("1. Farina\n2. Uova\n3. Miele\n4. Sale", TORTA).unsure is None
