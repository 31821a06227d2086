from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import names_of
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Distractor, Element


def named(text: str, *elements: Element, wrong: tuple[str, ...] = (), question: str = "?") -> list[str]:
    distractors = (Distractor("d", "", tuple(Element(name) for name in wrong)),)
    key = AnswerKey(name="s", question=question, elements=elements, distractors=distractors)
    return [mention.name for mention in find_mentions(normalise(text), names_of(key))]


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("drop", {"drop", "drops"}),
        ("drops", {"drops", "dropses", "drop"}),
        ("box", {"box", "boxes"}),
        ("boxes", {"boxes", "boxeses", "boxe", "box"}),
        ("berry", {"berry", "berries"}),
        ("berries", {"berries", "berrieses", "berry", "berrie"}),
        ("glass", {"glass", "glasses"}),
        ("key", {"key", "keys"}),
        ("ax", {"ax"}),
        ("48213", {"48213"}),
    ],
)
def test_inflections(word: str, forms: set[str]) -> None:
    assert set(inflections(word)) == forms


def test_mentions_carry_offsets_in_the_normalised_text() -> None:
    text = normalise("Of **Golden-Mist**!")
    key = AnswerKey(name="s", question="?", elements=(Element("golden mist"),))
    (mention,) = find_mentions(text, names_of(key))
    assert text[mention.start : mention.end] == "golden mist"


def test_whole_words_only() -> None:
    assert named("prefigs, figsy, figs_x? cofig", Element("figs")) == ["figs"]


def test_the_longer_name_wins_wherever_it_starts() -> None:
    assert named("pale golden mist", Element("golden mist"), wrong=("pale golden mist",)) == [
        "pale golden mist"
    ]
    assert named("golden mist lamp", Element("golden mist"), wrong=("mist lamp",)) == ["golden mist"]
    assert named("gold mist lamps", Element("gold mist"), wrong=("mist lamps",)) == ["mist lamps"]


def test_of_equals_the_exact_spelling_wins_then_the_right_one() -> None:
    assert named("runes", Element("rune"), wrong=("runes",)) == ["runes"]
    assert named("rune", Element("rune"), wrong=("runes",)) == ["rune"]
    assert named("rune", Element("Rune"), wrong=("rune",)) == ["Rune"]


def test_a_wrong_element_that_the_question_names_is_not_wrong() -> None:
    assert named("Lunaris", wrong=("Lunaris",), question="Where is Lunaris?") == []


def test_a_name_without_words_is_never_found() -> None:
    assert named("anything ***", Element("***")) == []


@pytest.mark.parametrize("text", ["AX-4821", "ax 4821", "AX4821", "Ax_4821", "AX–4821"])
def test_letters_meet_digits_in_many_ways(text: str) -> None:
    assert named(text, Element("AX-4821")) == ["AX-4821"]
    assert named(text, Element("AX4821")) == ["AX4821"]


@pytest.mark.parametrize("text", ["148213", "48213.5", "0.48213", "482130"])
def test_a_number_is_not_found_inside_another(text: str) -> None:
    assert named(text, Element("48213")) == []


def test_the_a_of_a_code_is_no_article() -> None:
    assert named("It hangs in B-17.", Element("A-17")) == []
    assert named("It hangs in A 17.", Element("A-17")) == ["A-17"]
    assert named("It is goat.", Element("a goat")) == ["a goat"]
