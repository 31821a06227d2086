"""What a complete answer replaces, or tells of another thing that was done, claims nothing."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

KEYS = AnswerKey(
    "keys",
    "By which date must the tenants of Larch House return their keys?",
    references=("By 12 October 2023.",),
    elements=(Element("12 October 2023"),),
    needles=(Needle("a", "The tenants of Larch House must return their keys by 12 October 2023.", ()),),
    distractors=(
        Distractor("b", "At first the tenants had to return them by 3 July 2023.", (Element("3 July 2023"),)),
    ),
)
TANNERY = AnswerKey(
    "tannery",
    "When did the Orle tannery close?",
    references=("It closed in 1931.",),
    elements=(Element("1931"),),
    needles=(Needle("a", "The Orle tannery closed in 1931.", ()),),
)
MILL = AnswerKey(
    "mill",
    "In welchem Jahr wurde die Mühle von Brackel stillgelegt?",
    references=("1931 wurde die Mühle stillgelegt.",),
    elements=(Element("1931"),),
    needles=(Needle("a", "Die Mühle von Brackel wurde 1931 stillgelegt.", ()),),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("12 October 2023 (replaces: 3 July 2023)", 10),
        ("12 October 2023; this supersedes the original deadline (3 July 2023).", 10),
        ("Bis zum 12. Oktober 2023; das ersetzt die ursprüngliche Frist (3. Juli 2023).", 10),
        ("Jusqu'au 12 octobre 2023, ce qui remplace la date initiale (3 juillet 2023).", 10),
        ("Entro il 12 ottobre 2023, che sostituisce il termine originario (3 luglio 2023).", 10),
        ("12 October 2023 or (3 July 2023)", 5),
        ("12 October 2023, and the keys of the cellar (3 July 2023) too", 5),
        ("The original deadline (3 July 2023) still stands.", 1),
    ],
)
def test_the_value_that_is_replaced(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, KEYS).score == score


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (TANNERY, "The Orle tannery was founded in 1872 and closed in 1931.", 10),
        (TANNERY, "It closed in 1931 and was demolished in 1940.", 10),
        (MILL, "Die Mühle wurde 1872 erbaut und 1931 stillgelegt.", 10),
        (TANNERY, "It closed in 1931 and in winter 1945.", 5),
        (TANNERY, "It closed in 1931 or was abandoned in 1925.", 5),
        (TANNERY, "It was rebuilt in 1931 and abandoned in 1972.", 5),
        (MILL, "Die Mühle wurde 1931 stillgelegt, in den Bergwerken 1945.", 5),
    ],
)
def test_another_thing_that_was_done(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
