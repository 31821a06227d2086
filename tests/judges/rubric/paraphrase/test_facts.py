"""Free facts in other words: what counts as said, and what comes near and does not."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle


def score(question: str, needle: str, fact: str, answer: str) -> float:
    key = AnswerKey(
        "fact", question, (fact,), elements=(Element(fact),), needles=(Needle("n", needle, (fact,)),)
    )
    return judge_by_rubric(answer, key).score


SPOON = (
    "Why did the Gilded Spoon close its doors in March?",
    "The Gilded Spoon closed in March, as the owner had gone bankrupt.",
    "the owner had gone bankrupt",
)
WEDDING = (
    "Why did Lotte Framm miss the spring regatta?",
    "Lotte Framm missed the spring regatta because her sister was getting married.",
    "her sister was getting married",
)
CLOCKS = (
    "What does the retired baker of Ostry do on Mondays?",
    "On Mondays the retired baker of Ostry repairs the clocks without pay.",
    "repairs the clocks without pay",
)
MAP = (
    "Why did the expedition to Lake Orr turn back?",
    "The expedition to Lake Orr turned back when it came out that nobody could read the map.",
    "nobody could read the map",
)
ILL = (
    "Warum brach Elsbeth Kurz die Reise ab?",
    "Elsbeth Kurz brach die Reise ab, denn ihr Vater war krank geworden, und das nicht zum ersten Mal.",
    "ihr Vater war krank geworden",
)
ROOF = (
    "Pourquoi la fête d'Aubrac a-t-elle eu lieu à la mairie ?",
    "La fête d'Aubrac a eu lieu à la mairie parce que le toit de l'école fuyait.",
    "le toit de l'école fuyait",
)
LIGHTHOUSE = (
    "¿Por qué Remedios Oca durmió en la playa?",
    "Remedios Oca durmió en la playa porque perdió la llave del faro.",
    "perdió la llave del faro",
)
HOUSE = (
    "Por que é que Zulmira Paz voltou para a pensão?",
    "Zulmira Paz voltou para a pensão porque o irmão tinha vendido a casa.",
    "o irmão tinha vendido a casa",
)
RENT = (
    "Perché il sarto di Vico Lungo dovette andarsene?",
    "Il sarto di Vico Lungo dovette andarsene perché non aveva pagato l'affitto.",
    "non aveva pagato l'affitto",
)
DOG = (
    "Почему Тихон не приехал на ярмарку?",
    "Тихон не приехал на ярмарку, потому что у него болела собака.",
    "у него болела собака",
)


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        (SPOON, "Its owner went bankrupt."),
        (SPOON, "Bankruptcy of the owner was the reason."),
        (WEDDING, "She was at her sister's wedding."),
        (WEDDING, "It was the day on which her sister wed."),
        (CLOCKS, "He mends the clocks for nothing."),
        (CLOCKS, "He fixes clocks free of charge."),
        (MAP, "No one was able to read the map."),
        (MAP, "None of them could make sense of the map, let alone read it."),
        (ILL, "Wegen der Krankheit ihres Vaters."),
        (ILL, "Her father had fallen ill."),
        (ROOF, "Parce que l'école avait un toit qui fuyait."),
        (ROOF, "La toiture de l'école avait des fuites."),
        (LIGHTHOUSE, "La llave del faro se le había perdido."),
        (HOUSE, "A venda da casa pelo irmão."),
        (RENT, "Senza aver pagato l'affitto, dovette andarsene."),
        (DOG, "Из-за болезни собаки."),
    ],
)
def test_a_fact_is_found_in_other_words(fact: tuple[str, str, str], answer: str) -> None:
    assert score(*fact, answer) == 10


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        (SPOON, "The owner did not go bankrupt; he moved."),
        (SPOON, "The owner had nearly gone bankrupt, but the bank helped."),
        (WEDDING, "Her brother was getting married."),
        (WEDDING, "Her sister was moving house."),
        (CLOCKS, "He repairs clocks and is well paid for it."),
        (CLOCKS, "He sells clocks."),
        (MAP, "Everybody could read the map."),
        (ILL, "Ihre Mutter war krank geworden."),
        (ROOF, "Le toit de l'église fuyait."),
        (LIGHTHOUSE, "No perdió la llave del faro."),
        (HOUSE, "O irmão tinha comprado a casa."),
        (RENT, "Aveva pagato l'affitto."),
        (DOG, "У него болела кошка."),
    ],
)
def test_what_denies_it_or_says_something_else_is_not_found(fact: tuple[str, str, str], answer: str) -> None:
    assert score(*fact, answer) == 1


def test_a_proper_name_is_no_fact() -> None:
    assert score("Who won?", "Dora Vell won.", "Dora Vell", "Dora Marsh won, in Vell Park.") == 1


def test_a_wrong_fact_in_other_words_is_wrong() -> None:
    key = AnswerKey(
        "ferry",
        "Why was the ferry late?",
        ("A cow had fallen into the harbour.",),
        elements=(Element("a cow had fallen into the harbour"),),
        needles=(Needle("n", "The ferry was late since a cow had fallen into the harbour.", ()),),
        traps=(Element("the captain had overslept and lost his keys"),),
    )
    verdict = judge_by_rubric("The captain overslept and could not find his lost keys.", key)
    assert verdict.score == 1
    both = "A cow fell into the port, and the captain had lost his keys after he overslept."
    assert judge_by_rubric(both, key).wrong == ("the captain had overslept and lost his keys",)
