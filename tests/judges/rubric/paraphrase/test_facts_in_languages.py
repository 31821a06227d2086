"""Free facts in other words in six languages: a synonym, a tense, a person; and what is another fact."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle


def score(question: str, fact: str, answer: str) -> float:
    needle = Needle("n", f"{question.rstrip('?')} {fact}.", (fact,))
    key = AnswerKey("fact", question, (fact,), elements=(Element(fact),), needles=(needle,))
    return judge_by_rubric(answer, key).score


KESSEL = "Warum stand die Mühle von Arle still?", "der Müller den Schlüssel zum Wehr verloren hatte"
PAIN = "Pourquoi le four de Lassac resta-t-il froid ?", "le boulanger avait perdu la clé du bûcher"
MALLE = "Où Anselme cacha-t-il l'argent ?", "derrière le miroir de ma marraine"
BURRO = "¿Por qué no llegó el correo a Ronda?", "el burro se había escapado de noche"
ARCA = "¿Dónde guardó Inés las cartas?", "detrás del baúl de mi madrina"
CALDEIRA = "Por que parou a lavandaria?", "a caldeira rebentou com a cheia"
BAUL = "Onde ficou o relógio?", "debaixo da cama do meu padrinho"
CALDAIA = "Perché chiuse il forno di Cerva?", "il fornaio perse la chiave della dispensa"
CASSA = "Dove nascose Bice i soldi?", "dietro lo specchio di mia suocera"
KOTEL = "Почему закрыли баню?", "сторож потерял ключ от котла"
SUNDUK = "Где Фёкла спрятала деньги?", "в сундуке под кроватью моей тётки"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (KESSEL, "Weil der Müller den Schlüssel des Wehrs verlor."),
        (KESSEL, "Der Schlüssel zum Wehr war dem Müller verloren gegangen."),
        (PAIN, "La clé du bûcher, le boulanger l'avait perdue."),
        (MALLE, "Derrière la glace de ta marraine."),
        (BURRO, "Porque el asno se escapó por la noche."),
        (ARCA, "Tras el baúl de su madrina."),
        (CALDEIRA, "Foi na enchente que a caldeira rebentou."),
        (BAUL, "Debaixo do leito do seu padrinho."),
        (CALDAIA, "La chiave della dispensa, il fornaio l'aveva persa."),
        (CASSA, "Dietro allo specchio di tua suocera."),
        (KOTEL, "Ключ от котла сторож потерял."),
        (SUNDUK, "Под кроватью вашей тётки, в сундуке."),
    ],
)
def test_a_fact_in_other_words(asked: tuple[str, str], answer: str) -> None:
    assert score(*asked, answer) == 10


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (KESSEL, "Weil der Müller den Schlüssel zum Wehr gefunden hatte."),
        (PAIN, "Le boulanger n'avait pas perdu la clé du bûcher."),
        (MALLE, "Derrière le miroir de mon parrain."),
        (BURRO, "El caballo se había escapado de noche."),
        (ARCA, "Debajo del baúl de su madrina."),
        (CALDEIRA, "A caldeira foi consertada depois da cheia."),
        (BAUL, "Debaixo da cama da minha madrinha."),
        (CALDAIA, "Il fornaio vendette la chiave della dispensa."),
        (CASSA, "Dietro lo specchio di mia cognata."),
        (KOTEL, "Сторож нашёл ключ от котла."),
        (SUNDUK, "Под кроватью моей бабушки, в сундуке."),
    ],
)
def test_another_fact_in_like_words(asked: tuple[str, str], answer: str) -> None:
    assert score(*asked, answer) == 1
