"""Answers by letter, where the question puts letters before its options."""

from __future__ import annotations

from dataclasses import replace

import pytest

from niah.cases.sample import AnswerKey, answer_key
from niah.judges.rubric.choices.option_letters import lettered_options
from niah.judges.rubric.rubric import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle, NeedleSet
from niah.needles.options import option_letters

OPTIONS = ("five", "seven", "nine")
PIER = answer_key(
    NeedleSet(
        name="pier",
        question="How many lanterns hung on the Hask pier? (A) five, (B) seven, (C) nine",
        answer="Seven lanterns hung there.",
        elements=(Element("seven"),),
        needles=(Needle("one", "On the Hask pier there hung seven lanterns that night.", ("seven",)),),
        distractors=(Distractor("two", "On the Perrow pier there hung nine lanterns.", (Element("nine"),)),),
        options=OPTIONS,
    )
)
PLAIN = replace(PIER, question="How many lanterns hung on the Hask pier, five, seven or nine?")


@pytest.mark.parametrize(
    ("question", "letters"),
    [
        ("(A) five, (B) seven, (C) nine", "ABC"),
        ("a: five b: seven c: nine", "ABC"),
        ("A. seven B. nine C. five", "CAB"),
        ("[A] five hundred [B] seven [C] nine [D] five", "DBC"),
        ("(A) five, seven, (C) nine", ""),
        ("Class A five, plan B seven, (C) nine", ""),
    ],
)
def test_letters_of_a_question(question: str, letters: str) -> None:
    options = (*OPTIONS, "five hundred") if "hundred" in question else OPTIONS
    found = option_letters(question, options)
    if "hundred" in question:
        assert found.pop("A") == "five hundred"
    assert found == dict(zip(letters, OPTIONS, strict=bool(letters)))


def test_what_letters_stand_for() -> None:
    assert lettered_options(PIER) == {"a": ("five", False), "b": ("seven", True), "c": ("nine", False)}
    assert lettered_options(PLAIN) == {}
    two = replace(PIER, elements=(Element("seven"), Element("five")))
    assert lettered_options(two) == {}


@pytest.mark.parametrize(
    "answer",
    [
        *("B", "b.", "(b)", "[[B]]", "**B**", "\\boxed{B}", r"$\boxed{\text{B}}$", "'B'", '{"answer": "B"}'),
        *("Option B", "option B: seven", "B) seven lanterns", "seven (B)", "B - seven", "(B) 7"),
        *("The correct answer is (B).", "Answer:\n\n**B**", "I would go with option B.", "It must be B."),
        *("B, because the text says so.", "B is the only one that fits.", "Probably B.", "Ans. B"),
        *("I first thought A, but it is B.", "Not (A), but (B).", "A? No, B.", "It was B and not A."),
        "Option A is wrong; option B is right.",
        "A) five\nB) seven\nC) nine\n\nAnswer: B",
        "- A: five, which the text has nowhere.\n- B: seven, as it says.\n- C: nine, of another pier.\nSo B.",
        "A - incorrect\nB - correct\nC - incorrect",
        "The answer is B (seven), not C (nine).",
        *(
            "Die Antwort ist B.",
            "Richtig ist B.",
            "La réponse est B.",
            "La respuesta correcta es la opción B.",
        ),
        *(
            "A resposta é B.",
            "Scelgo la B.",
            "Правильный вариант: B",
            "正确答案是（B）。",
            "应选B，因为文中这样写。",
        ),
        *("答えはBです。", "정답은 B입니다."),
    ],
)
def test_the_letter_of_the_right_option(answer: str) -> None:
    verdict = judge_by_rubric(answer, PIER)
    assert (verdict.score, verdict.found, verdict.wrong) == (10, ("seven",), ())


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        *((answer, "five") for answer in ("A", "(a)", "The answer is A.", "A\nReason: it says so.")),
        *((answer, "nine") for answer in ("C.", "Option C: nine", "B was my first guess, but it is C.")),
    ],
)
def test_the_letter_of_another_option(answer: str, wrong: str) -> None:
    verdict = judge_by_rubric(answer, PIER)
    assert (verdict.score, verdict.wrong) == (1, (wrong,))


@pytest.mark.parametrize("answer", ["B or C", "The answer is A or B.", "A and B", "A (seven)"])
def test_two_options_are_one_too_many(answer: str) -> None:
    assert judge_by_rubric(answer, PIER).score == 5


@pytest.mark.parametrize(
    "answer",
    [
        *("A lantern hung there.", "It depends on plan B.", "He had vitamin B.", "So a man came.", "D"),
        *("J. B. Corrow lit them.", "Class A goods lay on deck B of it.", "wards A, B and C of the town"),
        *("The answer is not B.", "None of A, B or C."),
        "In section B of the report there is nothing about it.",
    ],
)
def test_a_letter_in_running_text_is_no_answer(answer: str) -> None:
    verdict = judge_by_rubric(answer, PIER)
    assert (verdict.score, verdict.found, verdict.wrong) == (1, (), ())


@pytest.mark.parametrize("answer", ["B", "(b)", "The answer is B."])
def test_without_letters_in_the_question_a_letter_is_none(answer: str) -> None:
    assert judge_by_rubric(answer, PLAIN).found == ()


def test_a_yes_or_no_may_have_letters() -> None:
    key = AnswerKey(
        name="ferry",
        question="Did the ferry run? A. yes B. no",
        references=("No.",),
        elements=(Element("no"),),
        traps=(Element("yes", derived=True),),
    )
    assert [judge_by_rubric(answer, key).score for answer in ("B", "b) no", "A", "It did not.")] == [
        10,
        10,
        1,
        10,
    ]


def letters_as_options(question: str, options: str, right: Element) -> AnswerKey:
    wrong = tuple(Element(option, derived=True) for option in options.split() if option != right.name)
    return AnswerKey(name="letters", question=question, references=("B",), elements=(right,), traps=wrong)


BLOOD = letters_as_options("Which blood group has Odrin Vask?", "A B AB O", Element("B"))
TOLD = letters_as_options(
    "How many lanterns hung on the pier? A: five, B: seven, C: nine.", "A B C", Element("B", ("seven",))
)


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        *(
            (BLOOD, answer, 10)
            for answer in ("B", "He has a blood group, and it is B.", "Group B, as a nurse wrote.")
        ),
        *((BLOOD, answer, 10) for answer in ("His blood group was B, not A.", "The answer is (B).")),
        *(
            (BLOOD, answer, 1)
            for answer in ("A", "AB", "o", "He has group A.", "A nurse wrote it down.", "plan B")
        ),
        *(
            (TOLD, answer, 10)
            for answer in ("B", "option B: seven", "A witness saw seven lanterns on a pier.")
        ),
        *((TOLD, answer, 1) for answer in ("A", "C: nine", "A lantern hung there.", "plan B")),
        *((key, "A or B", 5) for key in (BLOOD, TOLD)),
    ],
)
def test_options_that_are_letters(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
