from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.errors import NeedleError
from niah.judges.choices import parse_choice
from niah.judges.metrics import accuracy


@pytest.mark.parametrize(
    ("answer", "option"),
    [
        ("[[2]]", 2),
        ("[[ b ]]", 2),
        ("[[12]]", 12),
        ("The passage says so. [[1]] Or rather, after all: [[3]]", 3),
        ("The first option is right, so [[1]]. Option 3 (C) names another town.", 1),
        ("[[2]] and then [[3", 2),
        ("Not [[1]] but [[2]]", 2),
        ("\\boxed{B}", 2),
        ("$\\boxed{\\text{(C)}}$", 3),
        ("<answer>C</answer>", 3),
        ("The answer is $B$.", 2),
    ],
)
def test_options_set_apart(answer: str, option: int) -> None:
    assert parse_choice(answer) == option


@pytest.mark.parametrize(
    ("answer", "option"),
    [
        ("The answer is (B)", 2),
        ("The answer is [B].", 2),
        ("The answer is B because the text says so.", 2),
        ("The answer is A because the text says so.", 1),
        ("The answer is A (Paris).", 1),
        ("the answer is: b", 2),
        ("Answer: c", 3),
        ("**Answer:** **B**", 2),
        ("### Answer\nB", 2),
        ("Answer:\n\nB. Paris", 2),
        ("Final Answer: D) Rome", 4),
        ('The best answer is "B".', 2),
        ("The answer is 'B'", 2),
        ("Answer: Ｂ", 2),
        ("The answer to the question is therefore option B.", 2),
        ("The correct option is 2.", 2),
        ("Option B is correct.", 2),
        ("(b) is the best answer", 2),
        ("I choose C", 3),
        ("I would go with option (D).", 4),
        ("The answer is A. No, wait: the answer is B.", 2),
        ("The answer is A. I don't think the answer is B.", 1),
        ("The answer is B, not C.", 2),
        ("The answer is B, a city.", 2),
        ("The answer is B, I think.", 2),
        ("The answer is A. B and C are wrong.", 1),
        ("If the text is right, the answer is D", 4),
        ("Answer: B\n\nB", 2),
    ],
)
def test_options_stated(answer: str, option: int) -> None:
    assert parse_choice(answer) == option


@pytest.mark.parametrize(
    ("answer", "option"),
    [
        ("B", 2),
        ("b", 2),
        ("B.", 2),
        ("**B**", 2),
        ("_(b)_", 2),
        ("[B]", 2),
        ("- B", 2),
        ("2", 2),
        ("Option B", 2),
        ("B. Paris", 2),
        ("(B) Paris", 2),
        ("2. Paris", 2),
        ("B: Paris\n\nThe text says that she lives there.", 2),
        ("She lives in France.\n\nB. Paris", 2),
        ("A. Rome\nB. Paris\n\nB", 2),
    ],
)
def test_options_on_a_line(answer: str, option: int) -> None:
    assert parse_choice(answer) == option


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Paris",
        "I don't know",
        "Answer: I don't know",
        "Answer: N/A",
        "Answer: 42",
        "Answer: 2.5",
        "Answer: 2 cats",
        "[[42]]",
        "[[0]]",
        "[[2",
        "5%",
        "$5",
        "Answer: $5",
        "-2",
        "$5.20",
        "The answer is a cat",
        "The answer is A cat",
        "The answer is U.S. steel",
        "The answer is not A",
        "I don't think the answer is B",
        "Wrong answer: A",
        "The answer is B? Hardly.",
        "Option B is not correct.",
        "If B is correct",
        "The text mentions (A) twice.",
        "U.S.",
        "1. First, this.\n2. Then that.",
        "1. The text names the town.\nIt is Paris.",
        "Lo.\nA. Smith wrote it.\nHe did.",
    ],
)
def test_no_option(answer: str) -> None:
    assert parse_choice(answer) is None


@pytest.mark.parametrize(
    "answer",
    [
        "[[1]] or [[2]] or [[3]] or [[4]]",
        "[[1]], [[2]]",
        "[[2]] [[3]]",
        "The answer is B or C",
        "The answer is (A), (B)",
        "Answer: B C",
        "Answer: BC",
        "Answer: b/c",
        "A and B is correct",
        "Option A or option (B) is correct",
        "Answer: A\nC",
        "A or B",
        "A, C",
        "A\nB",
        "A. Rome\nB. Paris",
    ],
)
def test_several_options_are_none(answer: str) -> None:
    assert parse_choice(answer) is None


@given(st.text())
def test_any_text_has_an_option_or_none(answer: str) -> None:
    assert parse_choice(answer) in {None, *range(1, 27)}


@given(st.text(alphabet="aB1 .,:;()[]\n*or"), st.integers(1, 26))
def test_what_comes_before_a_last_statement_on_its_own_line_changes_nothing(before: str, option: int) -> None:
    assert parse_choice(f"{before}\nThus the answer is [[{option}]]") == option


@pytest.mark.parametrize("reference", ["B", "b.", "[[2]]", "2", "B. Paris", "(B)"])
def test_letters_and_numbers_are_the_same_options(reference: str) -> None:
    assert accuracy("The answer is (B).", reference) == 1.0
    assert accuracy("So I say [[2]]", reference) == 1.0
    assert accuracy("[[3]]", reference) == 0.0


@pytest.mark.parametrize("answer", ["", "Paris", "[[1]] or [[2]]"])
def test_an_undecided_answer_is_not_correct(answer: str) -> None:
    assert accuracy(answer, "B") == 0.0


def test_a_reference_that_is_no_option_is_the_users_error() -> None:
    with pytest.raises(NeedleError, match="'Paris' names none"):
        accuracy("B", "Paris")
