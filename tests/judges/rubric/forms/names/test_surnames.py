"""Surnames that stand for a full name, and words that do not."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.judges.rubric.forms.names.surnames import surnames_alone
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Distractor, Element


def alone(answer: str, *names: str, wrong: tuple[str, ...] = (), question: str = "Who saw it?") -> list[str]:
    planted = (Distractor("d", "", tuple(map(Element, wrong))),) if wrong else ()
    key = AnswerKey("s", question, elements=tuple(map(Element, names)), distractors=planted)
    return [mention.name for mention in surnames_alone(answer, normalise(answer), [], key)]


@pytest.mark.parametrize(
    ("answer", "name", "question"),
    [
        ("It was Achterberg.", "Prudence Achterberg", "Which witness saw it?"),
        ("Iwu, Tomasz (window cleaner)", "Tomasz Iwu", "Which witness saw it?"),
        ("Painted by Van Hoorn.", "Ludwig van Hoorn", "Who painted it?"),
        ("Okafor-Bell\u2019s brush did it.", "Rosalind Okafor-Bell", "Who painted it?"),
        ("So says Dr Pell.", "Dr. Amos Pell", "Who says so?"),
        ("It was Hall.", "Grace Hall", "Who painted it?"),
        ("Reinefarths Werkstatt hat sie gegossen.", "Gundula Reinefarth", "Wer hat die Glocke gegossen?"),
        ("Foi a Taborda quem o pagou.", "Leonor Taborda", "Quem pagou o vitral?"),
        ("C'est Crouzat qui l'a refusé.", "Anselme Crouzat", "Qui a refusé le poste ?"),
        ("Los selló Uzal, el boticario.", "Leandro Uzal", "¿Quién selló los frascos?"),
        ("La accompagnò d'Ambra.", "Livia Ambra", "Chi la accompagnò?"),
        ("Карту нашли Чайкой.", "Игорь Чайка", "Кем найдена карта?"),
        ("Agli Specchi.", "Sala degli Specchi", "Fu nella Sala Verde o nella Sala degli Specchi?"),
    ],
)
def test_a_surname_stands_for_a_full_name(answer: str, name: str, question: str) -> None:
    assert alone(answer, name, question=question) == [name]


@pytest.mark.parametrize(
    ("answer", "names", "wrong", "question"),
    [
        ("It was Sato.", ("Mina Sato", "Kenji Sato"), (), "Who signed?"),
        ("It was Sato.", ("Mina Sato",), ("Kenji Sato",), "Who signed?"),
        ("It was Sato.", ("Mina Sato",), ("Sato Holdings",), "Who signed?"),
        ("Callum Achterberg did.", ("Prudence Achterberg",), (), "Who signed?"),
        ("Brakel & Sons did.", ("Teun Brakel",), (), "Who signed?"),
        ("Brakel did.", ("Teun Brakel",), (), "Who signed for Brakel?"),
        ("a pell of paint", ("Amos Pell",), (), "Who painted it?"),
        ("At the Gate.", ("Pomfret Gate",), (), "At which stop was it?"),
        ("Die Glocke stand daneben.", ("Grüne Glocke",), (), "In welchem Gasthof ist es und war es nicht?"),
        ("Звонарёв.", ("Марк Звонарёв",), ("Мария Звонарёва",), "Кто нашёл карту?"),
        ("marginalis", ("Xanthocryptella marginalis",), (), "Which moth is it?"),
    ],
)
def test_what_is_no_surname_of_one(
    answer: str, names: tuple[str, ...], wrong: tuple[str, ...], question: str
) -> None:
    assert alone(answer, *names, wrong=wrong, question=question) == []


def test_surnames_of_wrong_people_are_wrong() -> None:
    planted = Distractor("d", "", (Element("Савелий Лукомский"),))
    key = AnswerKey(
        name="piano",
        question="Кто поднял рояль?",
        elements=tuple(map(Element, ("Аглая Переверзева", "Тихон Оболдуев", "Марк Звонарёв"))),
        distractors=(planted,),
    )
    verdict = judge_by_rubric("Переверзева, Оболдуев, Звонарёв и Лукомский.", key)
    assert (len(verdict.found), verdict.wrong) == (3, ("Савелий Лукомский",))
